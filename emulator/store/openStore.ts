import { type Dialect, Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { migrations } from "./migrations.ts";
import type { Tables } from "./tables.ts";

/** The database, as everything in the emulator uses it. */
export type Store = Kysely<Tables>;

/** Opens a database and brings its schema up to date. */
export async function openStore(dialect: Dialect): Promise<Store> {
  const store = new Kysely<Tables>({ dialect });
  const migrator = new Migrator({ db: store, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    await store.destroy();
    throw new Error("The database's schema could not be brought up to date.", { cause: error });
  }
  return store;
}
