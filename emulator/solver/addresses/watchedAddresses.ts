import type { Hex } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import type { Store } from "../../store/tables.ts";

/** A payment to a deposit address of this chain. */
export type FoundAddressPayment = {
  /**
   * Chain, transaction, what was paid, and its number among equal payments: the same in every block that a reorg moves it to,
   * whatever else the transaction pays there. A contract may pay another amount in another block, which is another payment.
   */
  readonly id: string;
  readonly address: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly sender: string;
  readonly txHash: Hex;
  readonly blockNumber: number;
};

/** Most addresses of one query. */
const addressesAtOnce = 500;

/** Whether a chain has deposit addresses. */
export async function hasAddresses(
  { definition }: Pick<Chain, "definition">,
  store: Store,
): Promise<boolean> {
  const row = await store
    .selectFrom("deposit_addresses")
    .select("address")
    .where("chain_id", "=", definition.id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The deposit addresses of a chain among some accounts. */
export async function watchedAmong(
  { definition }: Pick<Chain, "definition">,
  addresses: readonly string[],
  store: Store,
): Promise<ReadonlySet<string>> {
  const watched = new Set<string>();
  for (let from = 0; from < addresses.length; from += addressesAtOnce) {
    const rows = await store
      .selectFrom("deposit_addresses")
      .select("address")
      .where("chain_id", "=", definition.id)
      .where("address", "in", addresses.slice(from, from + addressesAtOnce))
      .execute();
    for (const { address } of rows) watched.add(address);
  }
  return watched;
}
