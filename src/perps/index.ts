export type { TrustedChain, TrustedRouter, TrustRoots } from "../calls/verify/TrustRoots.ts";
export type { PriceQuestion, QuoteBounds, QuoteIntent } from "../calls/verify/VerifyQuoteParameters.ts";
export { AbortedError } from "../errors/AbortedError.ts";
export { BaseError, type BaseErrorOptions } from "../errors/BaseError.ts";
export { HttpError, type HttpErrorOptions } from "../errors/HttpError.ts";
export { InvalidParameterError } from "../errors/InvalidParameterError.ts";
export { NetworkError, type NetworkErrorOptions } from "../errors/NetworkError.ts";
export {
  type QuoteMismatch,
  type QuoteMismatchCode,
  QuoteMismatchError,
} from "../errors/QuoteMismatchError.ts";
export { ResponseInvalidError, type ResponseInvalidErrorOptions } from "../errors/ResponseInvalidError.ts";
export { ResponseTooLargeError, type ResponseTooLargeErrorOptions } from "../errors/ResponseTooLargeError.ts";
export { TimeoutError, type TimeoutErrorOptions } from "../errors/TimeoutError.ts";
export { production, testnet } from "../internal/serviceAddresses.ts";
export { type SignatureFault, SignatureInvalidError } from "../records/SignatureInvalidError.ts";
export type {
  ExchangeRequest,
  ExchangeResponse,
  SendAssetParameters,
} from "../schema/quote/exchangeAction.ts";
export {
  type FormatExchangeAmountParameters,
  type FormatExchangeAmountReturnType,
  formatExchangeAmount,
  type ParseExchangeAmountParameters,
  type ParseExchangeAmountReturnType,
  parseExchangeAmount,
} from "./amounts.ts";
export {
  exchangeChainId,
  exchangeEvmChainId,
  perpsUsdcAddress,
  perpsUsdcDecimals,
} from "./constants.ts";
export {
  type DecodeExchangeCurrencyParameters,
  type DecodeExchangeCurrencyReturnType,
  decodeExchangeCurrency,
  type EncodeExchangeCurrencyParameters,
  type EncodeExchangeCurrencyReturnType,
  type ExchangeCurrency,
  encodeExchangeCurrency,
} from "./currency.ts";
export {
  type GetExchangeBalanceParameters,
  type GetExchangeBalanceReturnType,
  getExchangeBalance,
} from "./getExchangeBalance.ts";
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
export {
  type ExchangeDepositParameters,
  type ExchangeDepositReturnType,
  type ExchangeWithdrawalParameters,
  type ExchangeWithdrawalReturnType,
  exchangeDeposit,
  exchangeWithdrawal,
} from "./quoteParameters.ts";
export {
  type SendAssetAction,
  type SendAssetTypedDataParameters,
  type SendAssetTypedDataReturnType,
  sendAssetTypedData,
} from "./sendAsset.ts";
export {
  type ExchangeSigner,
  type ExchangeTypedData,
  type SignWithdrawalParameters,
  type SignWithdrawalReturnType,
  type SplitExchangeSignatureParameters,
  type SplitExchangeSignatureReturnType,
  signWithdrawal,
  splitExchangeSignature,
} from "./signWithdrawal.ts";
export {
  ExchangeRejectedError,
  type SubmitExchangeActionParameters,
  type SubmitExchangeActionReturnType,
  submitExchangeAction,
} from "./submitExchangeAction.ts";
export {
  type VerifyWithdrawalParameters,
  type VerifyWithdrawalReturnType,
  verifyWithdrawal,
} from "./verifyWithdrawal.ts";
export type { Withdrawal } from "./Withdrawal.ts";
export {
  type WithdrawalFault,
  WithdrawalInvalidError,
  type WithdrawalInvalidErrorOptions,
} from "./WithdrawalInvalidError.ts";
