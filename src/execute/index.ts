export type * from "../calls/verify/OutputClaim.ts";
export * from "../calls/verify/productionTrust.ts";
export type { TrustedChain, TrustedRouter, TrustRoots } from "../calls/verify/TrustRoots.ts";
export type {
  PriceQuestion,
  QuoteBounds,
  QuoteIntent,
  QuotePolicy,
  SignedRecord,
  VerifyQuoteParameters,
} from "../calls/verify/VerifyQuoteParameters.ts";
export * from "../calls/verifyQuote.ts";
export { BaseError } from "../errors/BaseError.ts";
export { ChainMismatchError } from "../errors/ChainMismatchError.ts";
export * from "../errors/InvalidParameterError.ts";
export * from "../errors/PaymentClaimedError.ts";
export * from "../errors/PaymentLimitError.ts";
export { PaymentUnsettledError } from "../errors/PaymentUnsettledError.ts";
export {
  type QuoteMismatch,
  type QuoteMismatchCode,
  QuoteMismatchError,
} from "../errors/QuoteMismatchError.ts";
export { StepRejectedError } from "../errors/StepRejectedError.ts";
export { TransactionReplacedError } from "../errors/TransactionReplacedError.ts";
export { TransactionRevertedError } from "../errors/TransactionRevertedError.ts";
export * from "../errors/UnsupportedStepError.ts";
export { WalletFailedError } from "../errors/WalletFailedError.ts";
export type { ExecutionState, ItemKey, ItemState } from "./ExecutionState.ts";
export * from "./execute.ts";
export { forgetPayments } from "./paymentLedger.ts";
export type { ExecuteProgress, ItemPhase, OriginReceipt } from "./Run.ts";
export type { ChainReader, EthersSigner } from "./Wallet.ts";
