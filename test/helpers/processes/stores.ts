import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenedStore, openStore } from "../../../emulator/store/openStore.ts";
import { postgresServer, stopPostgresServer } from "./postgresServer.ts";

/** A kind of database, with functions that create one for a test. */
export type StoreKind = {
  readonly name: "SQLite in memory" | "SQLite in a file" | "PostgreSQL";
  /** Whether its data survives a close. */
  readonly isLasting: boolean;
  /** Whether several processes can use it at once. */
  readonly isShared: boolean;
  /** Returns the URL of a new, empty database, which is removed after the suite. */
  newUrl(): Promise<string>;
  /** Opens a new database, or one of a URL that this kind has made; it is closed at the end of the suite. */
  open(url?: string): Promise<OpenedStore>;
};

type Place = Pick<StoreKind, "isLasting" | "isShared" | "name"> & {
  /** Prepares the first database. */
  prepare(): Promise<unknown>;
  create(): Promise<{ url: string; remove(): Promise<void> }>;
};

/** Time limit of a server's start on a busy machine, in milliseconds. */
const timeoutMs = 60_000;

const places: readonly Place[] = [
  {
    create: async () => ({ remove: async () => {}, url: ":memory:" }),
    isLasting: false,
    isShared: false,
    name: "SQLite in memory",
    prepare: async () => {},
  },
  {
    create: async () => {
      const folder = await mkdtemp(join(tmpdir(), "waybill-store-"));
      return {
        remove: () => rm(folder, { force: true, recursive: true }),
        url: join(folder, "emulator.db"),
      };
    },
    isLasting: true,
    isShared: false,
    name: "SQLite in a file",
    prepare: async () => {},
  },
  {
    create: async () => {
      const server = await postgresServer();
      const url = await server.createDatabase();
      return { remove: () => server.dropDatabase(url), url };
    },
    isLasting: true,
    isShared: true,
    name: "PostgreSQL",
    prepare: postgresServer,
  },
];

// Runs once per process, because all suites share the server.
after(async function () {
  this.timeout(timeoutMs);
  await stopPostgresServer();
});

/**
 * Runs the same suite on every kind of database. Opened databases are closed and removed after it.
 *
 * @param title Subject of the suite.
 * @param body Declares the tests.
 */
export function forEachStore(title: string, body: (kind: StoreKind) => void): void {
  runOn(places, title, body);
}

/** Runs the same suite on SQLite and PostgreSQL: for tests that no restart interrupts. See {@link forEachStore}. */
export function forEachDialect(title: string, body: (kind: StoreKind) => void): void {
  runOn(
    places.filter(({ name }) => name !== "SQLite in a file"),
    title,
    body,
  );
}

function runOn(chosen: readonly Place[], title: string, body: (kind: StoreKind) => void): void {
  for (const { create, isLasting, isShared, name, prepare } of chosen) {
    describe(`${title} on ${name}`, function () {
      this.timeout(timeoutMs);
      before(prepare);
      const cleanUps: (() => Promise<void>)[] = [];
      after(async () => {
        for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
      });
      const newUrl = async () => {
        const { remove, url } = await create();
        cleanUps.push(remove);
        return url;
      };
      body({
        isLasting,
        isShared,
        name,
        newUrl,
        open: async (url) => {
          const opened = await openStore(url ?? (await newUrl()));
          let closing: Promise<void> | undefined;
          const close = () => {
            closing ??= opened.close();
            return closing;
          };
          cleanUps.push(close);
          return { ...opened, close };
        },
      });
    });
  }
}

/**
 * Opens a new database twice, as two processes would, if its kind can be shared; otherwise once.
 *
 * @returns Two stores, or the same one twice.
 */
export async function openTwice(kind: StoreKind): Promise<readonly [OpenedStore, OpenedStore]> {
  const url = await kind.newUrl();
  const first = await kind.open(url);
  return [first, kind.isShared ? await kind.open(url) : first];
}
