import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { sql } from "kysely";
import { loadPg } from "../../../../emulator/store/dialect/postgres.ts";
import {
  StoreLockedError,
  StorePackageMissingError,
  StoreSchemaError,
  StoreUnavailableError,
} from "../../../../emulator/store/dialect/storeErrors.ts";
import { migrations } from "../../../../emulator/store/migrations/migrations.ts";
import { openStore, type Store } from "../../../../emulator/store/openStore.ts";
import { InvalidParameterError } from "../../../../src/errors/InvalidParameterError.ts";
import { failureOf } from "../../../helpers/failureOf.ts";
import { forEachStore } from "../../../helpers/processes/stores.ts";
import { requestRow } from "../support/requests.ts";

const tables = [
  ...["api_keys", "app_fees", "blocks", "chains", "control_log", "cursors", "deposits", "events"],
  ...[
    "permits",
    "price_changes",
    "request_features",
    "request_hashes",
    "request_routes",
    "requests",
    "same_chain_transactions",
    "secrets",
    "settings",
    "transactions",
  ],
  ...["webhook_attempts", "webhook_deliveries", "webhooks"],
];

async function schemaOf(store: Store): Promise<unknown> {
  const all = await store.introspection.getTables();
  return all.map(({ columns, name }) => ({
    columns: columns.map(({ dataType, isNullable, name: column }) => [column, dataType, isNullable]),
    name,
  }));
}

forEachStore("opening a database", (kind) => {
  it("makes every table of an empty one", async () => {
    const { store } = await kind.open();
    const names = (await store.introspection.getTables()).map(({ name }) => name);
    expect(names.sort()).to.deep.equal(tables);
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
      store,
    );
    expect(rows.map(({ name }) => name)).to.deep.equal(Object.keys(migrations));
  });

  if (!kind.isLasting) return;

  it("finds what was stored, and the same schema", async () => {
    const url = await kind.newUrl();
    const first = await kind.open(url);
    await first.store.insertInto("requests").values(requestRow()).execute();
    const schema = await schemaOf(first.store);
    await first.close();
    const second = await kind.open(url);
    expect(await schemaOf(second.store)).to.deep.equal(schema);
    expect(await second.store.selectFrom("requests").selectAll().execute()).to.deep.equal([requestRow()]);
  });

  it("goes on counting where it stopped", async () => {
    const url = await kind.newUrl();
    const write = async (store: Store, trigger: string) =>
      store
        .insertInto("events")
        .values({ at: 1, data: "{}", request_id: requestRow().id, status: "waiting", trigger })
        .returning("seq")
        .executeTakeFirstOrThrow();
    const first = await kind.open(url);
    await first.store.insertInto("requests").values(requestRow()).execute();
    const { seq } = await write(first.store, "one");
    // Not even a number whose event is gone is used again.
    await first.store.deleteFrom("events").execute();
    await first.close();
    expect((await write((await kind.open(url)).store, "two")).seq).to.be.greaterThan(seq);
  });

  it("refuses one that a newer version made", async () => {
    const url = await kind.newUrl();
    const newer = await kind.open(url);
    const future = { name: "9999-future", timestamp: "2099-01-01" };
    await sql`insert into kysely_migration values (${future.name}, ${future.timestamp})`.execute(newer.store);
    await newer.close();
    const error = await failureOf(openStore(url));
    expect(error).to.be.instanceOf(StoreSchemaError);
    expect((error as StoreSchemaError).cause).to.be.instanceOf(Error);
  });

  if (!kind.isShared) {
    it("refuses one that another process has open, until that one is closed", async () => {
      const url = await kind.newUrl();
      const first = await kind.open(url);
      const error = await failureOf(openStore(url));
      expect(error).to.be.instanceOf(StoreLockedError);
      expect(String(error)).to.include(url).and.include("another process");
      await first.close();
      await (await kind.open(url)).close();
    });
    return;
  }

  it("makes the tables once when several begin at the same time", async () => {
    const url = await kind.newUrl();
    const opened = await Promise.all(Array.from({ length: 4 }, () => kind.open(url)));
    await opened[0]?.store.insertInto("requests").values(requestRow()).execute();
    for (const { store } of opened) {
      expect(await store.selectFrom("requests").select("id").execute()).to.have.length(1);
    }
  });

  it("reads whole numbers as numbers, and refuses those that are not exact", async () => {
    const { store } = await kind.open();
    const read = async (text: string) =>
      (await sql<{ value: unknown }>`select ${sql.raw(text)} as value`.execute(store)).rows[0]?.value;
    expect(await read("9007199254740991::bigint")).to.equal(Number.MAX_SAFE_INTEGER);
    expect(await read("(-9007199254740991)::bigint")).to.equal(Number.MIN_SAFE_INTEGER);
    expect(String(await failureOf(read("9007199254740992::bigint")))).to.include("9007199254740992");
    expect(await read("count(*)")).to.equal(1);
  });

  it("says where it looked, and not with which password", async () => {
    const url = new URL(await kind.newUrl());
    url.password = "hunter2";
    url.pathname = "/nothing";
    const error = await failureOf(openStore(url.href));
    expect(error).to.be.instanceOf(StoreUnavailableError);
    expect(String(error)).to.include(`${url.host}/nothing`).and.include("does not exist");
    expect(String(error)).to.not.include("hunter2");
  });
});

describe("opening a database that is none", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "waybill-store-"));
  });
  afterEach(() => rm(folder, { force: true, recursive: true }));

  it("does not write into a file that is something else", async () => {
    const file = join(folder, "letter.txt");
    await writeFile(file, "this is not a database, but long enough to be taken for one ".repeat(20));
    const error = await failureOf(openStore(file));
    expect(error).to.be.instanceOf(StoreUnavailableError);
    expect(String(error)).to.include(file).and.include("not a database");
  });

  it("does not make folders", async () => {
    const error = await failureOf(openStore(join(folder, "missing", "emulator.db")));
    expect(error).to.be.instanceOf(StoreUnavailableError);
  });

  it("refuses other kinds of databases, without repeating what may hold a password", async () => {
    for (const url of ["mysql://root:hunter2@localhost/x", "sqlite:", "postgres://[hunter2", "hunter2\0"]) {
      const error = await failureOf(openStore(url));
      expect(error, url).to.be.instanceOf(InvalidParameterError);
      expect(String(error)).to.not.include("hunter2");
    }
  });

  it("takes a file with a scheme and without", async () => {
    for (const prefix of ["", "sqlite:", "sqlite://"]) {
      const { close, store } = await openStore(`${prefix}${join(folder, "same.db")}`);
      await store.insertInto("settings").values({ key: prefix, value: "1" }).execute();
      expect(await store.selectFrom("settings").select("key").execute()).to.deep.include({ key: "" });
      await close();
    }
    await (await openStore("sqlite::memory:")).close();
  });

  it("names the command that installs the driver which is missing", async () => {
    const missing = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
    const error = await failureOf(loadPg(() => Promise.reject(missing)));
    expect(error).to.be.instanceOf(StorePackageMissingError);
    expect(String(error)).to.include("npm install pg");
    const other = new Error("broken");
    expect(await failureOf(loadPg(() => Promise.reject(other)))).to.equal(other);
  });
});
