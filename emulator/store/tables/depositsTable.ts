import type { Generated } from "kysely";

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

/**
 * One row per reason to pay. A `payment` is a deposit on a chain; see `FoundDeposit` for its id. The excess of a payment over the advance that it covers is a payment of its own. A `claim` of app fees and the
 * `advance` of a fast fill are obligations without a transaction: their id consists of source and request, their hash is empty
 * and their block -1.
 */
export type DepositsTable = {
  id: string;
  source: Generated<"payment" | "claim" | "advance">;
  state: DepositState;
  chain_id: number;
  tx_hash: string;
  block_number: number;
  block_hash: string | null;
  /** Timestamp of the block. */
  block_at: number | null;
  tag: string;
  request_id: string;
  depositor: string;
  currency: string;
  amount: string;
  /** Why it is refunded, or was removed. */
  reason: string | null;
  /** Gas cost for the sender, in wei. */
  fee: string | null;
  at: number;
  /** The mined transaction: calldata, sender, target, and value in wei. */
  tx_data: string | null;
  tx_from: string | null;
  tx_to: string | null;
  tx_value: string | null;
  /** Input that the transaction swapped into the deposit, in smallest units; `null` without a swap. */
  paid: string | null;
  /** Earliest time of the pending work. */
  not_before: number | null;
  /** End of a process's claim by the database's clock, where several processes share the work. */
  claimed_until: number | null;
};

/** Whether a reorg removed a deposit from its chain. */
export function isVanished({ state }: Pick<DepositsTable, "state">): boolean {
  return state === "vanished" || state === "netted-vanished";
}
