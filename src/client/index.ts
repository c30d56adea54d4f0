export * from "../errors/AbortedError.ts";
export * from "../errors/BaseError.ts";
export * from "../errors/ClaimMismatchError.ts";
export * from "../errors/HttpError.ts";
export * from "../errors/InvalidParameterError.ts";
export * from "../errors/NetworkError.ts";
export * from "../errors/RateLimitedError.ts";
export * from "../errors/ReceiverCurrencyError.ts";
export * from "../errors/RequestFailedError.ts";
export * from "../errors/ResponseInvalidError.ts";
export * from "../errors/ResponseTooLargeError.ts";
export * from "../errors/serviceErrorCodes.ts";
export * from "../errors/TimeoutError.ts";
export { production, testnet } from "../internal/serviceAddresses.ts";
export type { Sleep } from "../internal/sleep.ts";
export {
  type Chain,
  type ChainContracts,
  type ChainCurrency,
  type VmType,
  vmTypes,
} from "../schema/chain/chain.ts";
export type { Config } from "../schema/chain/config.ts";
export type { CurrenciesRequest, CurrenciesV1, ListedCurrency } from "../schema/chain/currencies.ts";
export type { Currency } from "../schema/chain/currency.ts";
export type { Liquidity } from "../schema/chain/liquidity.ts";
export type { SwapSources } from "../schema/chain/swapSources.ts";
export type { TokenPriceV2 } from "../schema/chain/tokenPrice.ts";
export { type Amount, amountOf, minimumAmountOf } from "../schema/quote/amount.ts";
export type { AppFeeBalances, ClaimRequest, ClaimResponse } from "../schema/quote/appFees.ts";
export type { ExecuteErrorBody, ExecuteRequest, ExecuteResponse } from "../schema/quote/executeCalls.ts";
export type { FastFillRequest } from "../schema/quote/fastFill.ts";
export type { OrderData } from "../schema/quote/order.ts";
export type { QuoteProtocol } from "../schema/quote/paidQuote.ts";
export type { Price, PriceRequest } from "../schema/quote/price.ts";
export type { Quote, QuoteDetails, QuoteFees } from "../schema/quote/quote.ts";
export type { QuoteCall, QuoteRequest } from "../schema/quote/quoteRequest.ts";
export type {
  Eip191Sign,
  Eip712Sign,
  EvmTransactionData,
  ExchangeActionData,
  SignatureData,
  SignatureStep,
  Step,
  TransactionStep,
} from "../schema/quote/step.ts";
export type { AuthorizeRequest, PermitRequest } from "../schema/quote/submission.ts";
export type { Submission } from "../schema/quote/submissionResponse.ts";
export { type TradeType, tradeTypes } from "../schema/quote/tradeType.ts";
export type { FeeSponsorship } from "../schema/record/feeSponsorship.ts";
export type { FeeSponsorshipV2 } from "../schema/record/feeSponsorshipV2.ts";
export type {
  RecordAmount,
  RecordCurrency,
  RecordPayment,
  RecordValue,
} from "../schema/record/recordAmount.ts";
export type { RecordTransaction, RecordTransactionV2 } from "../schema/record/recordTransaction.ts";
export type { RequestProtocol } from "../schema/record/requestProtocol.ts";
export type { Deprecation, RequestDataV2, RequestsV2Page, RequestV2 } from "../schema/record/requestV2.ts";
export type {
  RequestAppFees,
  RequestData,
  RequestFees,
  RequestRecord,
  RequestRoute,
  RequestsPage,
} from "../schema/record/requestV3.ts";
export type { SignatureRecordResponse, SignatureRecordV2Response } from "../schema/record/signatureRecord.ts";
export type {
  DepositAddressRecord,
  ReindexRequest,
  ReindexResponse,
} from "../schema/request/depositAddresses.ts";
export { type DepositAddressType, depositAddressTypes } from "../schema/request/depositAddressType.ts";
export {
  type FailReason,
  failReasons,
  type RefundFailReason,
  refundFailReasons,
} from "../schema/request/failReason.ts";
export type { DepositAddress } from "../schema/request/polledStatus.ts";
export type { FilterField, FilterValue, RequestFilterGroup } from "../schema/request/query/requestFilters.ts";
export { type RequestFeature, requestFeatures } from "../schema/request/requestFeature.ts";
export { type RequestStatus, requestStatuses } from "../schema/request/requestStatus.ts";
export { type RequestType, requestTypes } from "../schema/request/requestType.ts";
export type { LegacyStatus, Status, StatusV2 } from "../schema/request/status.ts";
export type {
  IndexTransactionRequest,
  Message,
  SingleTransactionRequest,
} from "../schema/request/transactions.ts";
export type { Open } from "../schema/wire/openEnum.ts";
export type { WebSocketConstructor, WebSocketLike } from "../track/connectStream.ts";
export {
  isFinalStatus,
  isSettled,
  type RequestProgress,
  reduceStatus,
  type StatusUpdate,
} from "../track/reduceStatus.ts";
export type * from "../track/StatusStream.ts";
export * from "../track/trackDepositAddress.ts";
export * from "../track/waitForRequest.ts";
export * from "../track/watchRequest.ts";
export * from "../track/websocketStream.ts";
export * from "./authorize.ts";
export * from "./checkReceiverCurrency.ts";
export * from "./claimAppFees.ts";
export * from "./createClient.ts";
export * from "./createKeyProxy.ts";
export * from "./executeGasless.ts";
export * from "./fastFill.ts";
export * from "./findIgnoredParameters.ts";
export * from "./getAppFeeBalances.ts";
export * from "./getChainLiquidity.ts";
export * from "./getChains.ts";
export * from "./getConfig.ts";
export * from "./getCurrencies.ts";
export * from "./getDepositAddress.ts";
export * from "./getPrice.ts";
export * from "./getQuote.ts";
export * from "./getRequests.ts";
export * from "./getSignature.ts";
export * from "./getStatus.ts";
export * from "./getSwapSources.ts";
export * from "./getTokenPrice.ts";
export * from "./indexSingleTransaction.ts";
export * from "./indexTransaction.ts";
export type {
  CallOptions,
  Client,
  ClientEvent,
  FetchLike,
  UnknownReport,
  ValidationMode,
} from "./internal/Client.ts";
export type { KeyProxyRule } from "./internal/proxyParameters.ts";
export {
  publicRateLimits,
  type RateLimit,
  type RateLimitGroup,
  type RateLimits,
} from "./internal/rateLimits.ts";
export type { DeprecationNotice } from "./internal/readDeprecation.ts";
export type { RequestErrorType } from "./internal/request.ts";
export type { GetQuoteCall, IntentAmounts } from "./internal/toQuoteRequest.ts";
export * from "./iterateRequests.ts";
export * from "./migrateRequestRecord.ts";
export * from "./reindexDepositAddress.ts";
export * from "./requestFilters.ts";
export * from "./submitPermit.ts";
export * from "./submitSignature.ts";
export {
  type ClaimTerms,
  type VerifyClaimParameters,
  type VerifyClaimReturnType,
  verifyClaim,
} from "./verifyClaim.ts";
