import type { Hex } from "viem";
import type { Store } from "../store/openStore.ts";
import { loadSecret } from "./loadSecret.ts";
import { secretKey } from "./secretKey.ts";

/** The key of whoever runs the emulator: the one of earlier runs over the same database, or a new one. */
export async function loadAdminKey({
  random32,
  store,
}: {
  readonly random32: () => Hex;
  readonly store: Store;
}): Promise<string> {
  return loadSecret(store, "admin-key", () => secretKey(random32));
}
