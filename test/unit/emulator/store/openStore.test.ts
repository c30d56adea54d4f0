import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { sql } from "kysely";
import {
  StoreLockedError,
  StoreSchemaError,
  StoreUnavailableError,
} from "../../../../emulator/store/dialect/storeErrors.ts";
import { migrations, openStore } from "../../../../emulator/store/openStore.ts";
import { tableNames } from "../../../../emulator/store/resetStore.ts";
import type { Store } from "../../../../emulator/store/tables.ts";
import { InvalidParameterError } from "../../../../src/errors/InvalidParameterError.ts";
import { failureOf } from "../../../helpers/failureOf.ts";
import { forEachStore } from "../../../helpers/processes/stores.ts";
import { addEvent, addRequest, readAll, requestRow } from "../support/requests.ts";

const dieInTransaction = fileURLToPath(new URL("support/dieInTransaction.ts", import.meta.url));

async function schemaOf(store: Store): Promise<unknown> {
  const all = await store.introspection.getTables();
  return all.map(({ columns, name }) => ({
    columns: columns.map(({ dataType, isNullable, name: column }) => [column, dataType, isNullable]),
    name,
  }));
}

forEachStore("openStore", (kind) => {
  it("an empty database: creates every table and records every migration", async () => {
    const { store } = await kind.open();
    const names = (await store.introspection.getTables()).map(({ name }) => name);
    expect(names).to.have.members(tableNames);
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
      store,
    );
    expect(rows.map(({ name }) => name)).to.deep.equal(Object.keys(migrations));
  });

  if (!kind.isLasting) return;

  it("a database closed and opened again: has the same rows and schema, and uses no event number again", async () => {
    const url = await kind.newUrl();
    const first = await kind.open(url);
    await addRequest(first.store);
    const schema = await schemaOf(first.store);
    const seq = await addEvent(first.store);
    await first.store.deleteFrom("events").execute();
    await first.close();
    const { store } = await kind.open(url);
    expect(await schemaOf(store)).to.deep.equal(schema);
    expect(await readAll(store, "requests")).to.deep.equal([requestRow()]);
    expect(await addEvent(store)).to.be.greaterThan(seq);
  });

  it("a database of a newer version: throws StoreSchemaError with its cause", async () => {
    const url = await kind.newUrl();
    const newer = await kind.open(url);
    await sql`insert into kysely_migration values ('9999-future', '2099-01-01')`.execute(newer.store);
    await newer.close();
    const error = await failureOf(openStore(url));
    expect(error).to.be.instanceOf(StoreSchemaError);
    expect((error as StoreSchemaError).cause).to.be.instanceOf(Error);
  });

  it("a process killed in a transaction: leaves none of its rows, and blocks no later writer", async () => {
    const url = await kind.newUrl();
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", dieInTransaction, url], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [written] = (await once(child.stdout, "data")) as [Buffer];
    expect(String(written)).to.equal("written\n");
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    const { store } = await kind.open(url);
    await addRequest(store, { id: "0x03", order_id: "0x03" });
    expect((await readAll(store, "requests", "id")).map(({ id }) => id)).to.deep.equal(["0x01", "0x03"]);
    await addEvent(store, { request_id: "0x03" });
    const events = await readAll(store, "events");
    expect(events.map(({ request_id }) => request_id)).to.deep.equal(["0x03"]);
  });

  if (!kind.isShared) {
    it("a file that another process has open: throws StoreLockedError until that one closes it", async () => {
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

  it("four processes that open an empty database at once: share the tables of one migration", async () => {
    const url = await kind.newUrl();
    const opened = await Promise.all(Array.from({ length: 4 }, () => kind.open(url)));
    await opened[0]?.store.insertInto("requests").values(requestRow()).execute();
    for (const { store } of opened) expect(await readAll(store, "requests")).to.have.length(1);
  });

  it("whole numbers beyond 32 bits: are read as numbers, and rejected beyond the safe integers", async () => {
    const { store } = await kind.open();
    const read = async (text: string) =>
      (await sql<{ value: unknown }>`select ${sql.raw(text)} as value`.execute(store)).rows[0]?.value;
    expect(await read("9007199254740991::bigint")).to.equal(Number.MAX_SAFE_INTEGER);
    expect(await read("(-9007199254740991)::bigint")).to.equal(Number.MIN_SAFE_INTEGER);
    expect(String(await failureOf(read("9007199254740992::bigint")))).to.include("9007199254740992");
    expect(await read("count(*)")).to.equal(1);
  });

  it("a database that the server lacks: the error names server and database, and no password", async () => {
    const url = new URL(await kind.newUrl());
    url.password = "hunter2";
    url.pathname = "/nothing";
    const error = await failureOf(openStore(url.href));
    expect(error).to.be.instanceOf(StoreUnavailableError);
    expect(String(error)).to.include(`${url.host}/nothing`).and.include("does not exist");
    expect(String(error)).to.not.include("hunter2");
  });
});

describe("openStore on unusable locations", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "waybill-store-"));
  });
  afterEach(() => rm(folder, { force: true, recursive: true }));

  it("a file of another format: throws StoreUnavailableError, which names it", async () => {
    const file = join(folder, "letter.txt");
    await writeFile(file, "this is not a database, but long enough to be taken for one ".repeat(20));
    const error = await failureOf(openStore(file));
    expect(error).to.be.instanceOf(StoreUnavailableError);
    expect(String(error)).to.include(file).and.include("not a database");
  });

  it("a URL of another database, malformed or empty: throws InvalidParameterError without the password", async () => {
    for (const url of ["mysql://root:hunter2@localhost/x", "sqlite:", "postgres://[hunter2", "hunter2\0"]) {
      const error = await failureOf(openStore(url));
      expect(error, url).to.be.instanceOf(InvalidParameterError);
      expect(String(error)).to.not.include("hunter2");
    }
  });
});
