export type { TrustedChain, TrustedRouter, TrustRoots } from "../calls/verify/TrustRoots.ts";
export type { PriceQuestion, QuoteBounds, QuoteIntent } from "../calls/verify/VerifyQuoteParameters.ts";
export * from "../errors/AbortedError.ts";
export * from "../errors/BaseError.ts";
export { HttpError, type HttpErrorOptions } from "../errors/HttpError.ts";
export * from "../errors/InvalidParameterError.ts";
export * from "../errors/NetworkError.ts";
export {
  type QuoteMismatch,
  type QuoteMismatchCode,
  QuoteMismatchError,
} from "../errors/QuoteMismatchError.ts";
export * from "../errors/ResponseInvalidError.ts";
export * from "../errors/ResponseTooLargeError.ts";
export * from "../errors/TimeoutError.ts";
export { production, testnet } from "../internal/serviceAddresses.ts";
export * from "../records/SignatureInvalidError.ts";
export type {
  ExchangeRequest,
  ExchangeResponse,
  SendAssetParameters,
} from "../schema/quote/exchangeAction.ts";
export * from "./amounts.ts";
export * from "./constants.ts";
export {
  type DecodeExchangeCurrencyParameters,
  type DecodeExchangeCurrencyReturnType,
  decodeExchangeCurrency,
  type EncodeExchangeCurrencyParameters,
  type EncodeExchangeCurrencyReturnType,
  type ExchangeCurrency,
  encodeExchangeCurrency,
} from "./currency.ts";
export * from "./getExchangeBalance.ts";
export {
  type CheckExchangeNonceParameters,
  type CheckExchangeNonceReturnType,
  checkExchangeNonce,
} from "./nonce.ts";
export {
  type NonceMapping,
  type NonceMappingBodyParameters,
  type NonceMappingBodyReturnType,
  type NonceMappingTypedDataParameters,
  type NonceMappingTypedDataReturnType,
  nonceMappingBody,
  nonceMappingTypedData,
  type RecoverNonceMappingSignerParameters,
  type RecoverNonceMappingSignerReturnType,
  recoverNonceMappingSigner,
} from "./nonceMapping.ts";
export type { ExchangeErrorType, ExchangeOptions } from "./postToExchange.ts";
export * from "./quoteParameters.ts";
export {
  type SendAssetAction,
  type SendAssetTypedDataParameters,
  type SendAssetTypedDataReturnType,
  sendAssetTypedData,
} from "./sendAsset.ts";
export * from "./signWithdrawal.ts";
export * from "./submitExchangeAction.ts";
export {
  type VerifyWithdrawalParameters,
  type VerifyWithdrawalReturnType,
  verifyWithdrawal,
} from "./verifyWithdrawal.ts";
export type { Withdrawal } from "./Withdrawal.ts";
export * from "./WithdrawalInvalidError.ts";
