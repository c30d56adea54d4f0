import type * as z from "zod";
import type { Store } from "./openStore.ts";

/**
 * What was set under a name, or `undefined`.
 *
 * @throws ZodError when what is stored is not what the schema says.
 */
export async function loadSetting<Schema extends z.ZodType>(
  store: Store,
  key: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  const row = await store.selectFrom("settings").select("value").where("key", "=", key).executeTakeFirst();
  return row === undefined ? undefined : schema.parse(JSON.parse(row.value));
}

/** Stores a JSON value under a name, in place of an older one; `undefined` removes it. */
export async function saveSetting(store: Store, key: string, value: unknown): Promise<void> {
  if (value === undefined) {
    await store.deleteFrom("settings").where("key", "=", key).execute();
    return;
  }
  const json = JSON.stringify(value);
  await store
    .insertInto("settings")
    .values({ key, value: json })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: json }))
    .execute();
}
