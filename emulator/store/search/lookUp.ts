import { sql } from "kysely";
import type { Store } from "../openStore.ts";
import type { LookUps } from "./Part.ts";
import type { Condition, SearchField, SearchQuery } from "./SearchQuery.ts";

const hashKinds: Readonly<Partial<Record<SearchField, readonly string[]>>> = {
  depositTxHash: ["deposit"],
  fillTxHash: ["fill"],
  refundTxHash: ["refund"],
  txHash: ["deposit", "fill", "refund"],
};

/** Asks the database which requests have the orders and transactions that a query names: few, found by an index. */
export async function lookUp(
  store: Store,
  { conditions, groups }: Pick<SearchQuery, "conditions" | "groups">,
): Promise<LookUps> {
  const named = [...conditions, ...groups.flat()].filter(
    ({ field }) => field === "orderId" || hashKinds[field] !== undefined,
  );
  return new Map(
    await Promise.all(named.map(async (condition) => [condition, await idsOf(store, condition)] as const)),
  );
}

async function idsOf(store: Store, { field, values }: Condition): Promise<readonly string[]> {
  const list = sql.join(values);
  const kinds = sql.join(hashKinds[field] ?? []);
  // Transactions of the solver are found before they are mined, too.
  const { rows } = await (field === "orderId"
    ? sql<{ id: string }>`select id from requests where order_id in (${list})`
    : sql<{ id: string }>`
        select request_id as id from request_hashes where hash in (${list}) and kind in (${kinds})
        union select request_id from transactions where hash in (${list}) and kind in (${kinds})`
  ).execute(store);
  return rows.map(({ id }) => id);
}
