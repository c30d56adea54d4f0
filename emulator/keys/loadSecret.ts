import type { Store } from "../store/openStore.ts";

/** Loads a secret of the emulator from the database, or creates it. */
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
