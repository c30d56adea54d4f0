import { createHash, timingSafeEqual } from "node:crypto";
import type { Hex } from "viem";
import type { Store } from "../store/tables.ts";

/** A new key of 32 random bytes, in hexadecimal without the prefix. */
export function secretKey(random32: () => Hex): string {
  return random32().slice(2);
}

/** Compares two secrets in constant time; their digests have one length. */
export function isSameSecret(secret: string, presented: string): boolean {
  return timingSafeEqual(digestOf(secret), digestOf(presented));
}

/** SHA-256 of a secret, for comparisons. */
export function digestOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** Loads a secret of the emulator itself, or stores a new one in a new database. */
export async function loadSecret(store: Store, name: string, make: () => string): Promise<string> {
  return store.transaction().execute(async (transaction) => {
    const stored = await transaction
      .selectFrom("secrets")
      .select("value")
      .where("name", "=", name)
      .executeTakeFirst();
    if (stored !== undefined) return stored.value;
    const value = make();
    await transaction.insertInto("secrets").values({ name, value }).execute();
    return value;
  });
}

/** The key of the routes below `/admin`, stored like every secret of the emulator. */
export async function loadAdminKey({
  random32,
  store,
}: {
  readonly random32: () => Hex;
  readonly store: Store;
}): Promise<string> {
  return loadSecret(store, "admin-key", () => secretKey(random32));
}
