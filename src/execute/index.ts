export type { OutputClaim, QuoteSimulator, SimulatedInput } from "../calls/verify/OutputClaim.ts";
export { productionTrust } from "../calls/verify/productionTrust.ts";
export type { TrustedChain, TrustedRouter, TrustRoots } from "../calls/verify/TrustRoots.ts";
export type {
  PriceQuestion,
  QuoteBounds,
  QuoteIntent,
  QuotePolicy,
  SignedRecord,
  VerifyQuoteParameters,
} from "../calls/verify/VerifyQuoteParameters.ts";
export { findQuoteMismatches, verifyQuote } from "../calls/verifyQuote.ts";
export { BaseError, type BaseErrorOptions } from "../errors/BaseError.ts";
export { ChainMismatchError, type ChainMismatchErrorOptions } from "../errors/ChainMismatchError.ts";
export { InvalidParameterError } from "../errors/InvalidParameterError.ts";
export { PaymentClaimedError } from "../errors/PaymentClaimedError.ts";
export { PaymentLimitError } from "../errors/PaymentLimitError.ts";
export {
  PaymentUnsettledError,
  type PaymentUnsettledErrorOptions,
} from "../errors/PaymentUnsettledError.ts";
export {
  type QuoteMismatch,
  type QuoteMismatchCode,
  QuoteMismatchError,
} from "../errors/QuoteMismatchError.ts";
export { StepRejectedError, type StepRejectedErrorOptions } from "../errors/StepRejectedError.ts";
export {
  TransactionReplacedError,
  type TransactionReplacedErrorOptions,
} from "../errors/TransactionReplacedError.ts";
export {
  TransactionRevertedError,
  type TransactionRevertedErrorOptions,
} from "../errors/TransactionRevertedError.ts";
export { UnsupportedStepError } from "../errors/UnsupportedStepError.ts";
export { WalletFailedError, type WalletFailedErrorOptions } from "../errors/WalletFailedError.ts";
export type { ExecutionState, ItemKey, ItemState } from "./ExecutionState.ts";
export { type ExecuteErrorType, type ExecuteParameters, type ExecuteReturnType, execute } from "./execute.ts";
export { forgetPayments } from "./paymentLedger.ts";
export type { ExecuteProgress, ItemPhase, OriginReceipt } from "./Run.ts";
export type { ChainReader, EthersProvider, EthersSigner, EthersTransaction } from "./Wallet.ts";
