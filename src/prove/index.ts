export * from "../calls/verify/productionTrust.ts";
export type { TrustedChain, TrustedRouter, TrustRoots } from "../calls/verify/TrustRoots.ts";
export type {
  PriceQuestion,
  QuoteBounds,
  QuoteIntent,
  QuotePolicy,
  SignedRecord,
} from "../calls/verify/VerifyQuoteParameters.ts";
export * from "../errors/BaseError.ts";
export * from "../errors/InvalidParameterError.ts";
export type { QuoteMismatch, QuoteMismatchCode } from "../errors/QuoteMismatchError.ts";
export * from "./proveQuote.ts";
