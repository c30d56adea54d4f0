export { productionTrust } from "../calls/verify/productionTrust.ts";
export type { TrustedChain, TrustedRouter, TrustRoots } from "../calls/verify/TrustRoots.ts";
export type {
  PriceQuestion,
  QuoteBounds,
  QuoteIntent,
  QuotePolicy,
} from "../calls/verify/VerifyQuoteParameters.ts";
export { BaseError, type BaseErrorOptions } from "../errors/BaseError.ts";
export { InvalidParameterError } from "../errors/InvalidParameterError.ts";
export type { QuoteMismatch, QuoteMismatchCode } from "../errors/QuoteMismatchError.ts";
export {
  type CreateQuoteGuardParameters,
  type CreateQuoteGuardReturnType,
  createQuoteGuard,
  type QuoteGuard,
  type QuoteVerdict,
  type UncoveredRequest,
} from "./createQuoteGuard.ts";
export { guardAnnouncements } from "./guardAnnouncements.ts";
export { type GuardProviderReturnType, guardProvider } from "./guardProvider.ts";
export { type Refusal, RefusedRequestError } from "./RefusedRequestError.ts";
export type { ProviderRequest, WalletProvider } from "./WalletProvider.ts";
export { type AxiosLike, watchAxios } from "./watchAxios.ts";
export { type RequestScope, watchRequests, type XhrLike } from "./watchRequests.ts";
