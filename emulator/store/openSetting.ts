import { sql } from "kysely";
import type * as z from "zod";
import { isPostgres } from "./dialect/columnTypes.ts";
import { settingsChannel } from "./dialect/presence.ts";
import type { Store, StoreTransaction } from "./tables.ts";

type Setting<Value> = {
  /** The value of the last read. */
  get(): Value;
  /** Reads the value again after another change. */
  reload(): Promise<void>;
  /** Derives the value from the stored one, one process at a time, and notifies the other processes. */
  change(next: (stored: Value) => Value): Promise<Value>;
  /** The same in the caller's transaction; {@link Setting.get} returns it after the next read. */
  changeIn(transaction: StoreTransaction, next: (stored: Value) => Value): Promise<Value>;
};

/** Opens a setting with its stored value. */
export async function openSetting<Schema extends z.ZodType>({
  initial,
  key,
  schema,
  store,
}: {
  readonly key: string;
  readonly schema: Schema;
  /** Value before the first change. */
  readonly initial: z.output<Schema>;
  readonly store: Store;
}): Promise<Setting<z.output<Schema>>> {
  let value = initial;
  const read = async (from: Store) => (await loadSetting(from, key, schema)) ?? initial;
  const reload = inOrder(async () => {
    value = await read(store);
  });
  const changeIn: Setting<z.output<Schema>>["changeIn"] = async (transaction, next) => {
    const before = await read(transaction);
    const after = next(before);
    if (after === before) return after;
    await saveSetting(transaction, key, after);
    await tellOthers(transaction, settingsChannel);
    return after;
  };
  await reload();
  return {
    change: async (next) => {
      const after = await store.transaction().execute((transaction) => changeIn(transaction, next));
      await reload();
      return after;
    },
    changeIn,
    get: () => value,
    reload,
  };
}

/** The value stored under a name, or `undefined`. */
async function loadSetting<Schema extends z.ZodType>(
  store: Store,
  key: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  const row = await store.selectFrom("settings").select("value").where("key", "=", key).executeTakeFirst();
  return row === undefined ? undefined : schema.parse(JSON.parse(row.value));
}

/** Stores a JSON value under a name, in place of an older one; `undefined` removes it. */
async function saveSetting(store: Store, key: string, value: unknown): Promise<void> {
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

/**
 * Notifies the other processes of the database at the commit of the caller's transaction. SQLite has no other processes.
 */
export async function tellOthers(store: Store, channel: string): Promise<void> {
  if (isPostgres(store)) await sql`select pg_notify(${channel}, '')`.execute(store);
}

/** Serializes reads: each starts after the previous one ended, so that the result of the last one stays. */
export function inOrder(read: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    const next = last.then(read);
    last = next.catch(() => {});
    return next;
  };
}
