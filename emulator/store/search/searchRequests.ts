import type { Store } from "../openStore.ts";
import { type FollowedRequests, followRequests } from "./followRequests.ts";
import { lookUp } from "./lookUp.ts";
import type { SearchQuery } from "./SearchQuery.ts";
import { type Found, searchIndex } from "./searchIndex.ts";

const followed = new WeakMap<Store, FollowedRequests>();

/**
 * Finds the first requests of an order that fit.
 *
 * Databases guess how many rows several conditions have in common, and walk a million rows where they guess wrong. Here
 * the database only says what has changed, and what has a transaction or an order: conditions are held against columns in
 * memory; see `RequestIndex`.
 *
 * @param wantsTotal Whether all that fit are counted, too, wherever the page begins.
 * @returns Ids and places in the order that was asked for.
 */
export async function searchRequests(
  store: Store,
  query: SearchQuery,
  { wantsTotal = false }: { readonly wantsTotal?: boolean | undefined } = {},
): Promise<Found> {
  const [index, lookUps] = await Promise.all([indexOf(store).upToDate(), lookUp(store, query)]);
  return searchIndex(index, query, { lookUps, wantsTotal });
}

/** Reads what searches need ahead of the first one, which would wait for it: about 16 seconds for a million requests. */
export async function prepareSearch(store: Store): Promise<void> {
  await indexOf(store).upToDate();
}

function indexOf(store: Store): FollowedRequests {
  const known = followed.get(store);
  if (known !== undefined) return known;
  const requests = followRequests(store);
  followed.set(store, requests);
  return requests;
}
