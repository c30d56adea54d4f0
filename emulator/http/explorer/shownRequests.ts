import type { Store } from "../../store/openStore.ts";
import type { RequestRow } from "../../store/tables.ts";

/** A request, as explorer pages list it. */
export type ShownRequest = Pick<RequestRow, "id" | "status">;

const mostRequests = 20;

/** Requests with a transaction, oldest first. Hexadecimal hashes are found in any letter case. */
export function requestsWith(store: Store, hash: string): Promise<readonly ShownRequest[]> {
  const wanted = hash.startsWith("0x") ? hash.toLowerCase() : hash;
  return store
    .selectFrom("requests")
    .select(["id", "status"])
    .where("id", "in", (query) =>
      query.selectFrom("request_hashes").select("request_id").where("hash", "=", wanted),
    )
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** The newest requests of a user or recipient, by its stored address. */
export function requestsOf(store: Store, address: string): Promise<readonly ShownRequest[]> {
  const wanted = address.toLowerCase();
  return store
    .selectFrom("requests")
    .select(["id", "status"])
    .where((is) => is.or([is("user", "=", wanted), is("recipient", "=", wanted)]))
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(mostRequests)
    .execute();
}
