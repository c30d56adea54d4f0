import type { Address } from "viem";
import type { ChainDefinition } from "../chains/chainDefinitions.ts";
import type { Change, FailedCall, Note } from "../requests/applyTrigger.ts";
import type { Intent } from "../requests/Intent.ts";
import type { Delivery, Shortfall } from "../router/planDelivery.ts";
import type { DepositRow, StoreTransaction, TransactionRow } from "../store/tables.ts";

/** A prepared payment of the solver. Each ledger adds what it signs. */
export type Payment = {
  /** Money that leaves the solver, without the ledger's fees. */
  readonly spends: { readonly currency: Address; readonly amount: bigint };
  readonly note?: Note | undefined;
};

/** Why there is no payment. */
export type Unprepared = Pick<Change, "details" | "failedCall" | "failReason" | "refundFailReason"> & {
  /** Whether the payee's account takes no such payment, on a ledger whose payments are no calls. */
  readonly isPayeeRejected?: boolean;
};

/** A deposit to refund, and the account that receives it. */
export type Refund = {
  readonly intent: Intent;
  readonly deposit: Pick<DepositRow, "amount" | "currency">;
  readonly payee: Address;
};

/** Columns of a payment that is signed and not sent yet. */
export type Signed = Pick<TransactionRow, "hash" | "nonce" | "raw"> & {
  readonly tx_data: string | null;
};

/** Signs payments of one ledger within the solver's balances, which were read once. */
export type PaymentSigner<P extends Payment = Payment> = {
  /** Reserves the money for a payment; false when the solver cannot pay for it after those before. */
  reserve(payment: P): boolean;
  /** Signs a payment with the next nonce; the caller stores it in the same transaction. */
  sign(transaction: StoreTransaction, payment: P): Promise<Signed>;
};

/** The outcome of a stored payment that its ledger executed. */
export type Settled = {
  readonly row: TransactionRow;
  /** Place and cost on the ledger. */
  readonly columns: Pick<
    TransactionRow,
    "block_at" | "block_hash" | "block_number" | "fee" | "gas_used" | "state"
  >;
  /** Why it moved nothing; `undefined` if it succeeded. */
  readonly failure: { readonly details: string; readonly call?: FailedCall | undefined } | undefined;
  /** Whether the search recorded another history of the ledger: the outcome is from before a reorg. */
  isOutdated(transaction: StoreTransaction): Promise<boolean>;
  /** Measures the output in smallest units; `undefined` where the signed bytes state it. */
  measureDelivered(
    transaction: StoreTransaction,
    deposit: Pick<DepositRow, "amount" | "currency">,
  ): Promise<bigint | undefined>;
};

/**
 * A ledger as the solver sees it: an EVM chain, the SVM chain or the perps exchange. Deposits, payments and their order are the
 * solver's own and the same on every ledger. A payment is only made by the ledger that prepared it; methods, unlike
 * function properties, let a map hold ledgers of several kinds of payment.
 */
export type SolverLedger<P extends Payment = Payment> = {
  readonly definition: ChainDefinition;
  /** Subscribes to new entries. Returns the function that unsubscribes. */
  onChange(listener: () => void): () => void;
  /** Records the deposits since the last search with the new position, in one transaction. */
  search(): Promise<void>;
  prepareFill(intent: Intent, delivery: Delivery | Shortfall): Promise<P | Unprepared>;
  prepareRefund(refund: Refund): Promise<P | Unprepared>;
  openSigner(payments: readonly P[]): Promise<PaymentSigner<P>>;
  /** Identifies the newest entry: a sent payment is polled again once it changes. */
  tip(): string;
  /** Sends the stored bytes, any number of times. Returns whether the ledger has them. */
  send(row: TransactionRow): Promise<boolean>;
  /** Reads the outcome of a payment; `undefined` until it is final for now. */
  readOutcome(row: TransactionRow): Promise<Settled | undefined>;
  /** Whether the ledger still has a settled transaction as it was recorded. */
  isStanding(row: Pick<TransactionRow, "block_hash" | "hash" | "state">): Promise<boolean>;
};

/** All ledgers by chain id. */
export type SolverLedgers = ReadonlyMap<number, SolverLedger>;
