import type { Hex } from "viem";
import type { Store } from "../store/openStore.ts";
import { loadSecret } from "./loadSecret.ts";
import { secretKey } from "./secretKey.ts";

/** Loads the operator's admin key from the database, or creates it. */
export async function loadAdminKey({
  random32,
  store,
}: {
  readonly random32: () => Hex;
  readonly store: Store;
}): Promise<string> {
  return loadSecret(store, "admin-key", () => secretKey(random32));
}
