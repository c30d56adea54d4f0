import { timingSafeEqual } from "node:crypto";
import type { Hex } from "viem";
import type { LogEntry } from "../log/LogEntry.ts";
import { keysChannel } from "../store/dialect/presence.ts";
import { inOrder, tellOthers } from "../store/openSetting.ts";
import type { OpenedStore } from "../store/openStore.ts";
import type { ApiKeyRow, Store, StoreTransaction } from "../store/tables.ts";
import { digestOf, secretKey } from "./secrets.ts";

/** Name of the first key of a new database. */
const firstKeyName = "default";
/** Hexadecimal digits of an id. */
const idDigits = 16;

type OpenApiKeysParameters = Pick<OpenedStore, "onKeysChanged" | "store"> & {
  /** Whether requests without a key count as the oldest key's. @default false */
  readonly isDefaultOn?: boolean | undefined;
  readonly log: (entry: LogEntry) => void;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly random32: () => Hex;
};

type Known = { readonly apiKey: ApiKey; readonly digest: Buffer };

/**
 * Opens the keys of a database and follows changes by other processes. A database that never had a key gets one.
 */
export async function openApiKeys({
  isDefaultOn = false,
  log,
  now,
  random32,
  store,
  onKeysChanged,
}: OpenApiKeysParameters): Promise<ApiKeys> {
  let known: readonly Known[] = [];
  const reload = inOrder(async () => {
    known = await readKeys(store);
  });
  const newRow = ({ isElevated = false, name }: Parameters<ApiKeys["create"]>[0]): ApiKeyRow => {
    const key = secretKey(random32);
    // The digest of 32 random bytes does not reveal the key.
    const id = digestOf(key).toString("hex").slice(0, idDigits);
    return { created_at: now(), id, is_elevated: isElevated ? 1 : 0, key, name, revoked_at: null };
  };
  const change = async <Result>(work: (transaction: StoreTransaction) => Promise<Result>) => {
    const result = await store.transaction().execute(async (transaction) => {
      const done = await work(transaction);
      await tellOthers(transaction, keysChannel);
      return done;
    });
    await reload();
    return result;
  };

  onKeysChanged(() => {
    reload().catch((cause: unknown) =>
      log({ cause, level: "error", message: "the API keys could not be read again" }),
    );
  });
  await change((transaction) => ensureOne(transaction, () => newRow({ name: firstKeyName })));
  return {
    create: async (parameters) => {
      const row = newRow(parameters);
      await change((transaction) => transaction.insertInto("api_keys").values(row).execute());
      return toApiKey(row);
    },
    find: (presented) => {
      const digest = digestOf(presented);
      // Compares all keys, so that the time does not depend on the match.
      return known.filter((key) => timingSafeEqual(key.digest, digest))[0]?.apiKey;
    },
    forNone: () => (isDefaultOn ? known[0]?.apiKey : undefined),
    list: () => known.map(({ apiKey }) => apiKey),
    reload,
    revoke: (id) =>
      change(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable("api_keys")
          .set({ revoked_at: now() })
          .where("id", "=", id)
          .where("revoked_at", "is", null)
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      }),
  };
}

/** A database whose keys were all revoked on purpose gets no new one. */
async function ensureOne(transaction: StoreTransaction, newRow: () => ApiKeyRow): Promise<void> {
  const any = await transaction.selectFrom("api_keys").select("id").limit(1).executeTakeFirst();
  if (any === undefined) await transaction.insertInto("api_keys").values(newRow()).execute();
}

async function readKeys(store: Store): Promise<readonly Known[]> {
  const rows = await store
    .selectFrom("api_keys")
    .selectAll()
    .where("revoked_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({ apiKey: toApiKey(row), digest: digestOf(row.key) }));
}

function toApiKey({ created_at, id, is_elevated, key, name }: ApiKeyRow): ApiKey {
  return { createdAt: created_at, id, isElevated: is_elevated === 1, key, name };
}

/** An API key of an integrator. */
export type ApiKey = {
  /** Public id, stored with requests and used to revoke the key. */
  readonly id: string;
  /** Secret: it must not reach the log or an answer. */
  readonly key: string;
  /** Display name. */
  readonly name: string;
  /** Whether higher rate limits apply. */
  readonly isElevated: boolean;
  /** Unix milliseconds. */
  readonly createdAt: number;
};

/** The active API keys of the database, cached in memory for reads. */
export type ApiKeys = {
  /** Lists active keys, oldest first. */
  list(): readonly ApiKey[];
  /** Finds the active key with a secret, in time independent of the keys. */
  find(presented: string): ApiKey | undefined;
  /** The key that a request without one counts as: the oldest, if the default key is on. */
  forNone(): ApiKey | undefined;
  create(parameters: { readonly name: string; readonly isElevated?: boolean | undefined }): Promise<ApiKey>;
  /**
   * Revokes a key at once. Its requests still belong to it.
   *
   * @returns Whether an active key had this id.
   */
  revoke(id: string): Promise<boolean>;
  /** Reloads the keys after a change of the database by others. */
  reload(): Promise<void>;
};
