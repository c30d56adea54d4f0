export { AbortedError } from "../errors/AbortedError.ts";
export { BaseError, type BaseErrorOptions } from "../errors/BaseError.ts";
export { ChainMismatchError, type ChainMismatchErrorOptions } from "../errors/ChainMismatchError.ts";
export { type FailedCallData, HttpError, type HttpErrorOptions } from "../errors/HttpError.ts";
export { InvalidParameterError } from "../errors/InvalidParameterError.ts";
export { NetworkError, type NetworkErrorOptions } from "../errors/NetworkError.ts";
export { RateLimitedError } from "../errors/RateLimitedError.ts";
export { RequestFailedError, type RequestFailedErrorOptions } from "../errors/RequestFailedError.ts";
export { ResponseInvalidError, type ResponseInvalidErrorOptions } from "../errors/ResponseInvalidError.ts";
export { StepRejectedError, type StepRejectedErrorOptions } from "../errors/StepRejectedError.ts";
export {
  isRetryableErrorCode,
  type ServiceErrorCode,
  type ServiceErrorCodeClass,
  serviceErrorCodes,
} from "../errors/serviceErrorCodes.ts";
export { TimeoutError, type TimeoutErrorOptions } from "../errors/TimeoutError.ts";
export {
  TransactionRevertedError,
  type TransactionRevertedErrorOptions,
} from "../errors/TransactionRevertedError.ts";
export { UnsupportedStepError } from "../errors/UnsupportedStepError.ts";
export { WalletFailedError, type WalletFailedErrorOptions } from "../errors/WalletFailedError.ts";
export type { ExecutionState, ItemKey, ItemState } from "../execute/ExecutionState.ts";
export {
  type ExecuteErrorType,
  type ExecuteParameters,
  type ExecuteReturnType,
  execute,
} from "../execute/execute.ts";
export type { ChainReader, ExecuteProgress, ItemPhase } from "../execute/Run.ts";
export type { Sleep } from "../internal/sleep.ts";
export { type Amount, amountOf, minimumAmountOf } from "../schema/amount.ts";
export type { Chain, ChainContracts, ChainCurrency } from "../schema/chain.ts";
export type { Currency } from "../schema/currency.ts";
export { type FailReason, failReasons } from "../schema/failReason.ts";
export type { Open } from "../schema/openEnum.ts";
export type { OrderData } from "../schema/order.ts";
export type { Quote, QuoteDetails, QuoteFees, QuoteProtocol } from "../schema/quote.ts";
export type { QuoteCall, QuoteRequest } from "../schema/quoteRequest.ts";
export { type RefundFailReason, refundFailReasons } from "../schema/refundFailReason.ts";
export { type RequestStatus, requestStatuses } from "../schema/requestStatus.ts";
export type { SignatureRecordResponse } from "../schema/signatureRecord.ts";
export type { DepositAddress, Status } from "../schema/status.ts";
export type {
  Eip191Sign,
  Eip712Sign,
  EvmTransactionData,
  ExchangeActionData,
  SignatureData,
  SignatureStep,
  Step,
  TransactionStep,
} from "../schema/step.ts";
export { type TradeType, tradeTypes } from "../schema/tradeType.ts";
export { type VmType, vmTypes } from "../schema/vmType.ts";
export {
  isFinalStatus,
  type RequestProgress,
  reduceStatus,
  type StatusUpdate,
} from "../track/reduceStatus.ts";
export {
  type WaitForRequestErrorType,
  type WaitForRequestParameters,
  type WaitForRequestReturnType,
  waitForRequest,
} from "../track/waitForRequest.ts";
export type { CallOptions } from "./CallOptions.ts";
export { defaultBaseUrl } from "./constants.ts";
export {
  type Client,
  type CreateClientErrorType,
  type CreateClientParameters,
  type CreateClientReturnType,
  createClient,
  type FetchLike,
  type RetryOptions,
} from "./createClient.ts";
export {
  type GetChainsErrorType,
  type GetChainsParameters,
  type GetChainsReturnType,
  getChains,
} from "./getChains.ts";
export {
  type GetQuoteCall,
  type GetQuoteErrorType,
  type GetQuoteParameters,
  type GetQuoteReturnType,
  getQuote,
} from "./getQuote.ts";
export {
  type GetSignatureErrorType,
  type GetSignatureParameters,
  type GetSignatureReturnType,
  getSignature,
} from "./getSignature.ts";
export {
  type GetStatusErrorType,
  type GetStatusParameters,
  type GetStatusReturnType,
  getStatus,
} from "./getStatus.ts";
export type { RequestErrorType } from "./request.ts";
export {
  type SubmitSignatureErrorType,
  type SubmitSignatureParameters,
  type SubmitSignatureReturnType,
  submitSignature,
} from "./submitSignature.ts";
