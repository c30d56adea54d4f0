export * from "../calls/verify/productionTrust.ts";
export type { OutputClaim, QuoteSimulator, SimulatedInput } from "../calls/verify/routedCalls.ts";
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
export * from "../errors/ChainMismatchError.ts";
export * from "../errors/InvalidParameterError.ts";
export * from "../errors/PaymentClaimedError.ts";
export * from "../errors/PaymentLimitError.ts";
export * from "../errors/PaymentUnsettledError.ts";
export {
  type QuoteMismatch,
  type QuoteMismatchCode,
  QuoteMismatchError,
} from "../errors/QuoteMismatchError.ts";
export { StepRejectedError } from "../errors/StepRejectedError.ts";
export * from "../errors/TransactionReplacedError.ts";
export * from "../errors/TransactionRevertedError.ts";
export * from "../errors/UnsupportedStepError.ts";
export * from "../errors/WalletFailedError.ts";
export type { ExecutionState, ItemKey, ItemState } from "./ExecutionState.ts";
export * from "./execute.ts";
export { forgetPayments } from "./paymentLedger.ts";
export type { ExecuteProgress, ItemPhase, OriginReceipt } from "./Run.ts";
export type { ChainReader, EthersSigner } from "./Wallet.ts";
