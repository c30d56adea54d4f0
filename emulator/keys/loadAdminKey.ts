import type { Context } from "../Context.ts";
import { secretKey } from "./secretKey.ts";

const secretName = "admin-key";

/** The key of whoever runs the emulator: the one of earlier runs over the same database, or a new one. */
export async function loadAdminKey({
  random32,
  store,
}: Pick<Context, "random32" | "store">): Promise<string> {
  return store.transaction().execute(async (transaction) => {
    const stored = await transaction
      .selectFrom("secrets")
      .select("value")
      .where("name", "=", secretName)
      .executeTakeFirst();
    if (stored !== undefined) return stored.value;
    const value = secretKey(random32);
    await transaction.insertInto("secrets").values({ name: secretName, value }).execute();
    return value;
  });
}
