import type { Store } from "../openStore.ts";
import type { SearchQuery } from "./SearchQuery.ts";
import { searchRequests } from "./searchRequests.ts";

/** No more requests than this are counted. */
export const largestTotal = 1_000;

/** How many requests fit in all, wherever a page begins; as far as {@link largestTotal}, so that no count takes long. */
export async function countRequests(store: Store, query: SearchQuery): Promise<number> {
  const counted = { ...query, after: undefined, limit: largestTotal };
  return (await searchRequests(store, counted, { isCount: true })).length;
}
