import type { Transaction } from "kysely";
import type { Intent } from "../../requests/Intent.ts";
import type { DepositRow, Tables } from "../../store/tables.ts";

/** What an obligation stands for: an amount that counts as deposited. */
type Counted = {
  readonly source: Exclude<DepositRow["source"], "payment">;
  readonly chainId: number;
  readonly currency: string;
  readonly amount: bigint;
};

/**
 * Makes a payment due that no deposit pays for, in the caller's transaction. From here on the solver fills it as a deposit:
 * the request's only obligation, by a unique index.
 */
export async function insertObligation(
  transaction: Transaction<Tables>,
  { requestId, user }: Pick<Intent, "requestId" | "user">,
  { amount, chainId, currency, source }: Counted,
  at: number,
): Promise<void> {
  await transaction
    .insertInto("deposits")
    .values({
      amount: amount.toString(),
      at,
      // No block: a search of the chain, or a reorg, never finds the row.
      block_number: -1,
      chain_id: chainId,
      currency: currency.toLowerCase(),
      depositor: user.toLowerCase(),
      id: `${source}:${requestId}`,
      outcome: "accepted",
      request_id: requestId,
      source,
      tag: requestId,
      todo: "fill",
      tx_hash: "",
    })
    .execute();
}
