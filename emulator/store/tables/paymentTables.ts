import type { DepositAddressType } from "../../../src/schema/request/depositAddressType.ts";
import type { RefundFailReason } from "../../../src/schema/request/failReason.ts";
import { generated, integer, integerOrNull, serial, table, text, textOrNull } from "../table.ts";

/** What the solver does, or did, for a deposit; see `emulator/solver/deposits/transitions.ts`. */
export type DepositState =
  /** The solver plans the fill, or signed and stored it. */
  | "fill-due"
  | "fill-signed"
  /** The solver plans the refund, or signed and stored it. */
  | "refund-due"
  | "refund-signed"
  /** The refund could not be made. */
  | "abandoned"
  /** It covers the advance of its request, and is neither filled nor refunded. */
  | "netted"
  /** An obligation that could not be paid. */
  | "released"
  /** A reorg removed it from its chain. */
  | "vanished"
  /** A reorg removed it from its chain while it covered an advance. */
  | "netted-vanished";

/** Kinds of the solver's paying transactions. */
export const payingKinds = ["fill", "refund"] as const;
export type PayingKind = (typeof payingKinds)[number];

/** Deposits with the solver's transactions for them, users' own transactions, and payments that the service sweeps or sends. */
export const paymentTables = {
  /**
   * One row per reason to pay. A `payment` is a deposit on a chain; see `FoundDeposit` for its id. The excess of a payment over the advance that it covers is a payment of its own. A `claim` of app fees and the
   * `advance` of a fast fill are obligations without a transaction: their id consists of source and request, their hash is empty
   * and their block -1.
   */
  deposits: table(
    {
      id: text("primary key"),
      source: generated(text<"payment" | "claim" | "advance">("default 'payment'")),
      state: text<DepositState>(),
      chain_id: integer(),
      tx_hash: text(),
      block_number: integer(),
      block_hash: textOrNull(),
      /** Timestamp of the block. */
      block_at: integerOrNull(),
      tag: text(),
      request_id: text("references requests (id)"),
      depositor: text(),
      currency: text(),
      amount: text(),
      /** Why it is refunded, or was removed. */
      reason: textOrNull(),
      /** Gas cost for the sender, in wei. */
      fee: textOrNull(),
      at: integer(),
      /** The mined transaction: calldata, sender, target, and value in wei. */
      tx_data: textOrNull(),
      tx_from: textOrNull(),
      tx_to: textOrNull(),
      tx_value: textOrNull(),
      /** Input that the transaction swapped into the deposit, in smallest units; `null` without a swap. */
      paid: textOrNull(),
      /** Earliest time of the pending work. */
      not_before: integerOrNull(),
      /** End of a process's claim by the database's clock, where several processes share the work. */
      claimed_until: integerOrNull(),
    },
    [],
    [
      "create index deposits_request_id on deposits (request_id)",
      "create index deposits_blocks on deposits (chain_id, block_number)",
      // Keeps the query for pending work fast, however many deposits are settled.
      "create index deposits_todo on deposits (at, id) where state in ('fill-due', 'refund-due')",
      // A claim is paid once and a request advanced once, even if the code fails to check.
      "create unique index one_obligation_a_request on deposits (request_id) where source <> 'payment'",
    ],
  ),
  // `replaced_by` is checked at the commit: a copy of the table is restored in no particular order.
  /**
   * Transactions of the solver, signed and stored before they are sent. A `cancel` moves no money: it takes the nonce of a
   * fill or refund that must not be mined, which names it as `replaced_by`. At most one fill and one refund of a deposit are
   * not replaced.
   */
  transactions: table(
    {
      id: serial(),
      deposit_id: text("references deposits (id)"),
      request_id: text("references requests (id)"),
      kind: text<PayingKind | "cancel">(),
      chain_id: integer(),
      nonce: integer(),
      hash: text("unique"),
      /** A `cancel` stays `signed` if the transaction that it replaces was mined in its place. */
      state: text<"signed" | "mined" | "reverted">(),
      block_number: integerOrNull(),
      block_hash: textOrNull(),
      /** Timestamp of the block. */
      block_at: integerOrNull(),
      gas_used: integerOrNull(),
      /** Cost for the solver, in wei. */
      fee: textOrNull(),
      at: integer(),
      raw: text(),
      /** Calldata. */
      tx_data: textOrNull(),
      /** Id of the `cancel` with the same nonce. */
      replaced_by: integerOrNull("references transactions (id) deferrable initially deferred"),
      /** Its request gets this reason once the transaction is mined. */
      refund_fail_reason: textOrNull<RefundFailReason>(),
      /** Its request gets these details once the transaction is mined. */
      details: textOrNull(),
    },
    [],
    [
      // In the order in which a chain's pending ones are sent.
      "create index transactions_state on transactions (state, chain_id, nonce)",
      "create index transactions_request_id on transactions (request_id)",
      "create index transactions_deposit on transactions (deposit_id)",
      // A reorg finds the transactions that it moved by their block.
      "create index transactions_block on transactions (chain_id, block_number)",
      "create index transactions_replaced on transactions (replaced_by) where replaced_by is not null",
      // A deposit is filled or refunded once, even if the code fails to check.
      "create unique index one_of_a_kind on transactions (deposit_id, kind) where kind <> 'cancel' and replaced_by is null",
      // A payment and the cancel that replaces it share a nonce.
      "create unique index one_for_each_nonce on transactions (chain_id, nonce, (kind = 'cancel'))",
      // A request is filled for its deposit or for its advance, never for both.
      "create unique index one_fill_a_request on transactions (request_id) where kind = 'fill' and replaced_by is null",
    ],
  ),
  /** Users' same-chain transactions, which carry out a whole request. */
  same_chain_transactions: table(
    {
      request_id: text("references requests (id)"),
      hash: text(),
      chain_id: integer(),
      block_number: integer(),
      block_hash: text(),
      /** Timestamp of the block. */
      block_at: integer(),
      /** The mined transaction: sender, target, and value in wei. */
      from_address: text(),
      tx_to: textOrNull(),
      value: text(),
      status: text<"success" | "failure">(),
      /** Gas cost for the sender, in wei. */
      fee: text(),
      at: integer(),
      /** Calldata. */
      tx_data: text(),
      /** Spent input, in smallest units. */
      paid: textOrNull(),
    },
    ["primary key (request_id, hash)"],
  ),
  /** Transactions that clients named for same-chain requests, by `POST /transactions/single`. */
  indexed_transactions: table(
    { request_id: text("references requests (id)"), hash: text(), chain_id: integer() },
    ["primary key (request_id, hash)"],
  ),
  // A request takes one such deposit, even if the code fails to check.
  /**
   * Deposits that the service sends for their users, one per request. Transactions are signed and stored before they are
   * sent.
   */
  relayed_deposits: table(
    {
      request_id: text("primary key references requests (id)"),
      /** See `relayedKinds`. Of a signature, the `PermitWay`. */
      kind: text<"eip3009" | "permit" | "permit2" | "raw-calls" | "sweep">(),
      /** JSON of what the user submitted; each kind has its own schema. */
      payload: text(),
      /**
       * `due` waits for submission, `signed` is being sent, `dropped` was never used. `returned` was given back to the user in a
       * transaction that only the user can send.
       */
      state: text<"due" | "signed" | "mined" | "reverted" | "dropped" | "returned">(),
      chain_id: integer(),
      /** Nonce of the solver's transaction. It and the fields below are `null` until it is signed. */
      nonce: integerOrNull(),
      hash: textOrNull("unique"),
      raw: textOrNull(),
      block_number: integerOrNull(),
      block_hash: textOrNull(),
      /** Timestamp of the block. */
      block_at: integerOrNull(),
      gas_used: integerOrNull(),
      /** Cost for the solver, in wei. */
      fee: textOrNull(),
      /** Submission time. */
      at: integer(),
      /** Failed or waiting attempts so far. */
      attempts: generated(integer("default 0")),
      /** Earliest time of the next attempt; see `postponed`. */
      not_before: integerOrNull(),
    },
    ["unique (chain_id, nonce)"],
    [
      "create index relayed_deposits_state on relayed_deposits (state, at)",
      "create index relayed_deposits_block on relayed_deposits (chain_id, block_number)",
    ],
  ),
  /** Addresses that requests are paid at by plain transfer. */
  deposit_addresses: table(
    {
      address: text("primary key"),
      /** The request that the address was made for. Later payments have requests of their own. */
      request_id: text("unique references requests (id)"),
      type: text<DepositAddressType>(),
      /** Chain of the quote. The address is the same on every chain. */
      chain_id: integer(),
      /** Receives refunds; `null` for the sender of the payment, or if nothing is refunded. */
      refund_to: textOrNull(),
      /** JSON of the quote's body, by which other payments are quoted. */
      quote_request: text(),
      created_at: integer(),
      /** Last search for money at the address. */
      reindexed_at: integerOrNull(),
    },
    [],
    ["create index deposit_addresses_chain on deposit_addresses (chain_id)"],
  ),
  // A request is opened for one payment, even if the code fails to check.
  /** Payments to deposit addresses. */
  address_payments: table(
    {
      /** Chain, transaction and what was paid; random for money that a reindex found. */
      id: text("primary key"),
      address: text("references deposit_addresses (address)"),
      chain_id: integer(),
      currency: text(),
      amount: text(),
      /** `null` for money that a reindex found. So are the transaction and its block. */
      sender: textOrNull(),
      tx_hash: textOrNull(),
      block_number: integerOrNull(),
      /**
       * `found` has no request yet, `assigned` pays for a request, `held` stays at the address until a reindex, `merged` is part of
       * the payment that the reindex recorded, `vanished` was removed by a reorg; see `paymentTransitions`.
       */
      state: text<"found" | "assigned" | "held" | "merged" | "vanished">(),
      request_id: textOrNull("unique references requests (id)"),
      at: integer(),
      /** Failed or waiting attempts so far. */
      attempts: generated(integer("default 0")),
      /** Earliest time of the next attempt; see `postponed`. */
      not_before: integerOrNull(),
    },
    [],
    [
      "create index address_payments_address on address_payments (address)",
      "create index address_payments_tx_hash on address_payments (tx_hash)",
      "create index address_payments_block on address_payments (chain_id, block_number)",
      // Keeps the query for new payments fast, however many payments are swept.
      "create index address_payments_found on address_payments (chain_id, at, id) where state = 'found'",
    ],
  ),
};

/** Whether a reorg removed a deposit from its chain. */
export function isVanished({ state }: { readonly state: DepositState }): boolean {
  return state === "vanished" || state === "netted-vanished";
}
