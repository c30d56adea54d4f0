import type { Store } from "../../store/openStore.ts";
import type { RequestRoutesTable } from "../../store/tables.ts";
import type { Condition, SearchField } from "./SearchQuery.ts";

/** Where a condition's value is looked for; with two columns, either may have it. */
const columnsOf: Readonly<Partial<Record<SearchField, readonly (keyof RequestRoutesTable)[]>>> = {
  chainId: ["origin_chain_id", "destination_chain_id"],
  currencyInAddress: ["currency_in"],
  currencyInChainId: ["origin_chain_id"],
  currencyInSymbol: ["currency_in_symbol"],
  currencyOutAddress: ["currency_out"],
  currencyOutChainId: ["destination_chain_id"],
  currencyOutSymbol: ["currency_out_symbol"],
  destinationChainId: ["destination_chain_id"],
  originChainId: ["origin_chain_id"],
  requestType: ["request_type"],
};

/** Whether the routes that meet a condition are known without a look at requests. */
export function isOnRoutes({ field }: Condition): boolean {
  return columnsOf[field] !== undefined;
}

/** Ids of the routes that meet all of some conditions. */
export async function findRoutes(store: Store, conditions: readonly Condition[]): Promise<readonly number[]> {
  const rows = await store
    .selectFrom("request_routes")
    .select("id")
    .where((eb) =>
      eb.and(
        conditions.map(({ field, negated, values }) => {
          const wanted = field.endsWith("Symbol")
            ? values.map((value) => String(value).toLowerCase())
            : values;
          const any = eb.or((columnsOf[field] ?? []).map((column) => eb(column, "in", wanted as never)));
          return negated ? eb.not(any) : any;
        }),
      ),
    )
    .execute();
  return rows.map(({ id }) => id);
}
