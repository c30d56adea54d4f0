export { productionTrust } from "../calls/verify/productionTrust.ts";
export type { TrustedChain, TrustedRouter, TrustRoots } from "../calls/verify/TrustRoots.ts";
export type {
  PriceQuestion,
  QuoteBounds,
  QuoteIntent,
  QuotePolicy,
  SignedRecord,
} from "../calls/verify/VerifyQuoteParameters.ts";
export { BaseError, type BaseErrorOptions } from "../errors/BaseError.ts";
export { InvalidParameterError } from "../errors/InvalidParameterError.ts";
export type { QuoteMismatch, QuoteMismatchCode } from "../errors/QuoteMismatchError.ts";
export {
  type JsonQuotePolicy,
  type ProveQuoteParameters,
  type ProveQuoteReturnType,
  proveQuote,
} from "./proveQuote.ts";
