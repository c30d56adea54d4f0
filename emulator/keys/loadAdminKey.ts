import type { Context } from "../context/Context.ts";
import { loadSecret } from "./loadSecret.ts";
import { secretKey } from "./secretKey.ts";

/** The key of whoever runs the emulator: the one of earlier runs over the same database, or a new one. */
export async function loadAdminKey({
  random32,
  store,
}: Pick<Context, "random32" | "store">): Promise<string> {
  return loadSecret(store, "admin-key", () => secretKey(random32));
}
