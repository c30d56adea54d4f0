export { AbortedError } from "../errors/AbortedError.ts";
export { BaseError, type BaseErrorOptions } from "../errors/BaseError.ts";
export {
  type ClaimMismatch,
  type ClaimMismatchCode,
  ClaimMismatchError,
} from "../errors/ClaimMismatchError.ts";
export { type FailedCallData, HttpError, type HttpErrorOptions } from "../errors/HttpError.ts";
export { InvalidParameterError } from "../errors/InvalidParameterError.ts";
export { NetworkError, type NetworkErrorOptions } from "../errors/NetworkError.ts";
export { RateLimitedError } from "../errors/RateLimitedError.ts";
export {
  type ReceiverCurrency,
  ReceiverCurrencyError,
  type ReceiverCurrencyErrorOptions,
} from "../errors/ReceiverCurrencyError.ts";
export { RequestFailedError, type RequestFailedErrorOptions } from "../errors/RequestFailedError.ts";
export { ResponseInvalidError, type ResponseInvalidErrorOptions } from "../errors/ResponseInvalidError.ts";
export { ResponseTooLargeError, type ResponseTooLargeErrorOptions } from "../errors/ResponseTooLargeError.ts";
export {
  isRetryableErrorCode,
  type ServiceErrorCode,
  type ServiceErrorCodeClass,
  serviceErrorCodes,
} from "../errors/serviceErrorCodes.ts";
export { TimeoutError, type TimeoutErrorOptions } from "../errors/TimeoutError.ts";
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
export type { StatusStream, StatusStreamListener } from "../track/StatusStream.ts";
export {
  type DepositAddressRequest,
  type TrackDepositAddressParameters,
  type TrackDepositAddressReturnType,
  trackDepositAddress,
} from "../track/trackDepositAddress.ts";
export {
  type WaitForRequestErrorType,
  type WaitForRequestParameters,
  type WaitForRequestReturnType,
  waitForRequest,
} from "../track/waitForRequest.ts";
export {
  type WatchRequestParameters,
  type WatchRequestReturnType,
  watchRequest,
} from "../track/watchRequest.ts";
export {
  type WebsocketStreamParameters,
  type WebsocketStreamReturnType,
  websocketStream,
} from "../track/websocketStream.ts";
export { type AuthorizeParameters, type AuthorizeReturnType, authorize } from "./authorize.ts";
export {
  type CheckReceiverCurrencyParameters,
  type CheckReceiverCurrencyReturnType,
  checkReceiverCurrency,
} from "./checkReceiverCurrency.ts";
export { type ClaimAppFeesParameters, type ClaimAppFeesReturnType, claimAppFees } from "./claimAppFees.ts";
export {
  type CreateClientParameters,
  type CreateClientReturnType,
  createClient,
  type RetryOptions,
} from "./createClient.ts";
export {
  type CreateKeyProxyParameters,
  type CreateKeyProxyReturnType,
  createKeyProxy,
  defaultProxyRoutes,
  type KeyProxyCall,
} from "./createKeyProxy.ts";
export {
  type ExecuteGaslessParameters,
  type ExecuteGaslessReturnType,
  executeGasless,
} from "./executeGasless.ts";
export { type FastFillParameters, type FastFillReturnType, fastFill } from "./fastFill.ts";
export {
  type FindIgnoredParametersParameters,
  type FindIgnoredParametersReturnType,
  findIgnoredParameters,
  type IgnoredParameter,
} from "./findIgnoredParameters.ts";
export {
  type GetAppFeeBalancesParameters,
  type GetAppFeeBalancesReturnType,
  getAppFeeBalances,
} from "./getAppFeeBalances.ts";
export {
  type GetChainLiquidityParameters,
  type GetChainLiquidityReturnType,
  getChainLiquidity,
} from "./getChainLiquidity.ts";
export { type GetChainsParameters, type GetChainsReturnType, getChains } from "./getChains.ts";
export { type GetConfigParameters, type GetConfigReturnType, getConfig } from "./getConfig.ts";
export {
  type CurrenciesByVersion,
  type CurrenciesVersion,
  type GetCurrenciesParameters,
  type GetCurrenciesReturnType,
  getCurrencies,
} from "./getCurrencies.ts";
export {
  type GetDepositAddressParameters,
  type GetDepositAddressReturnType,
  getDepositAddress,
} from "./getDepositAddress.ts";
export { type GetPriceParameters, type GetPriceReturnType, getPrice } from "./getPrice.ts";
export { type GetQuoteParameters, type GetQuoteReturnType, getQuote } from "./getQuote.ts";
export {
  type GetRequestsParameters,
  type GetRequestsReturnType,
  getRequests,
  type RequestsByVersion,
  type RequestsVersion,
} from "./getRequests.ts";
export {
  type GetSignatureParameters,
  type GetSignatureReturnType,
  getSignature,
  type SignatureByVersion,
  type SignatureVersion,
} from "./getSignature.ts";
export {
  type GetStatusParameters,
  type GetStatusReturnType,
  getStatus,
  type StatusByVersion,
  type StatusVersion,
} from "./getStatus.ts";
export {
  type GetSwapSourcesParameters,
  type GetSwapSourcesReturnType,
  getSwapSources,
} from "./getSwapSources.ts";
export {
  type GetTokenPriceParameters,
  type GetTokenPriceReturnType,
  getTokenPrice,
} from "./getTokenPrice.ts";
export {
  type IndexSingleTransactionParameters,
  type IndexSingleTransactionReturnType,
  indexSingleTransaction,
} from "./indexSingleTransaction.ts";
export {
  type IndexTransactionParameters,
  type IndexTransactionReturnType,
  indexTransaction,
} from "./indexTransaction.ts";
export type { CallOptions } from "./internal/CallOptions.ts";
export type { Client, ClientEvent, FetchLike, UnknownReport, ValidationMode } from "./internal/Client.ts";
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
export {
  type IterateRequestsParameters,
  type IterateRequestsReturnType,
  iterateRequestPages,
  iterateRequests,
} from "./iterateRequests.ts";
export {
  type MigrateRequestRecordParameters,
  type MigrateRequestRecordReturnType,
  migrateRequestRecord,
} from "./migrateRequestRecord.ts";
export {
  type ReindexDepositAddressParameters,
  type ReindexDepositAddressReturnType,
  reindexDepositAddress,
} from "./reindexDepositAddress.ts";
export { allOf, anyOf, type FilterFields, not } from "./requestFilters.ts";
export { type SubmitPermitParameters, type SubmitPermitReturnType, submitPermit } from "./submitPermit.ts";
export {
  type SubmitSignatureParameters,
  type SubmitSignatureReturnType,
  submitSignature,
} from "./submitSignature.ts";
export {
  type ClaimTerms,
  type VerifyClaimParameters,
  type VerifyClaimReturnType,
  verifyClaim,
} from "./verifyClaim.ts";
