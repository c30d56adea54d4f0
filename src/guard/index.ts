export * from "../calls/verify/productionTrust.ts";
export type { TrustedChain, TrustedRouter, TrustRoots } from "../calls/verify/TrustRoots.ts";
export type {
  PriceQuestion,
  QuoteBounds,
  QuoteIntent,
  QuotePolicy,
} from "../calls/verify/VerifyQuoteParameters.ts";
export * from "../errors/BaseError.ts";
export * from "../errors/InvalidParameterError.ts";
export type { QuoteMismatch, QuoteMismatchCode } from "../errors/QuoteMismatchError.ts";
export {
  type CreateQuoteGuardParameters,
  type CreateQuoteGuardReturnType,
  createQuoteGuard,
  type QuoteGuard,
  type QuoteVerdict,
  type UncoveredRequest,
} from "./createQuoteGuard.ts";
export * from "./guardAnnouncements.ts";
export * from "./guardProvider.ts";
export * from "./RefusedRequestError.ts";
export type * from "./WalletProvider.ts";
export * from "./watchAxios.ts";
export * from "./watchRequests.ts";
