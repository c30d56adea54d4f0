import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { sql } from "kysely";
import { findRequest } from "../../../../emulator/store/findRequest.ts";
import { openStore, type Store } from "../../../../emulator/store/openStore.ts";
import { sqliteDialect } from "../../../../emulator/store/sqlite.ts";
import { transactionHashes } from "../../../../emulator/store/transactionHashes.ts";
import { depositRow, emptyStore, requestId, requestRow, transactionRow } from "../support/requests.ts";

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("the store's schema", () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "waybill-store-"));
    file = join(folder, "emulator.db");
  });

  afterEach(() => rm(folder, { force: true, recursive: true }));

  it("is the same after it was brought up to date twice, and keeps what is stored", async () => {
    const schemaOf = async (store: Store) =>
      (
        await sql<{ sql: string }>`select sql from sqlite_master where sql is not null order by name`.execute(
          store,
        )
      ).rows;
    const first = await openStore(sqliteDialect(file));
    await first.insertInto("requests").values(requestRow()).execute();
    const schema = await schemaOf(first);
    await first.destroy();

    const second = await openStore(sqliteDialect(file));
    expect(await schemaOf(second)).to.deep.equal(schema);
    expect(await second.selectFrom("requests").selectAll().execute()).to.deep.equal([requestRow()]);
    await second.destroy();
  });

  it("may be brought up to date while another has the database open", async () => {
    const first = await openStore(sqliteDialect(file));
    const second = await openStore(sqliteDialect(file));
    await first.insertInto("requests").values(requestRow()).execute();
    expect(await findRequest(second, requestId)).to.deep.equal(requestRow());
    await Promise.all([first.destroy(), second.destroy()]);
  });

  it("is refused when a newer version made it", async () => {
    const newer = await openStore(sqliteDialect(file));
    await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '2099-01-01')`.execute(
      newer,
    );
    await newer.destroy();
    const error = await failureOf(openStore(sqliteDialect(file)));
    expect(String(error)).to.include("could not be brought up to date");
    expect((error as Error).cause).to.be.instanceOf(Error);
  });

  it("is not written into a file that is something else", async () => {
    await writeFile(file, "this is not a database, but long enough to be taken for one ".repeat(20));
    expect(() => sqliteDialect(file)).to.throw("not a database");
  });
});

describe("the store", () => {
  let store: Store;

  beforeEach(async () => {
    store = await emptyStore();
    await store.insertInto("requests").values(requestRow()).execute();
    await store.insertInto("deposits").values(depositRow()).execute();
  });

  afterEach(() => store.destroy());

  const insertTransaction = (row: Parameters<typeof transactionRow>[0]) =>
    store.insertInto("transactions").values(transactionRow(row)).execute();

  it("refuses a second fill of a deposit, and a second refund", async () => {
    await insertTransaction({});
    await insertTransaction({ hash: "0xe1", kind: "refund", nonce: 1 });
    for (const kind of ["fill", "refund"] as const) {
      const error = await failureOf(insertTransaction({ hash: `0x${kind}`, kind, nonce: 2 }));
      expect(String(error), kind).to.match(
        /UNIQUE constraint failed: transactions.deposit_id, transactions.kind/,
      );
    }
    expect(await store.selectFrom("transactions").select("hash").execute()).to.have.length(2);
  });

  it("refuses a nonce that is used on the chain, but not on another", async () => {
    await store
      .insertInto("deposits")
      .values(depositRow({ id: "second" }))
      .execute();
    await insertTransaction({});
    const same = { deposit_id: "second", hash: "0xf2" };
    expect(String(await failureOf(insertTransaction(same)))).to.include(
      "transactions.chain_id, transactions.nonce",
    );
    await insertTransaction({ ...same, chain_id: 31337 });
  });

  it("refuses a transaction, a deposit and a request that are there already", async () => {
    await insertTransaction({});
    await store
      .insertInto("deposits")
      .values(depositRow({ id: "second" }))
      .execute();
    const doubles = {
      "deposits.id": store.insertInto("deposits").values(depositRow()).execute(),
      "requests.id": store
        .insertInto("requests")
        .values(requestRow({ order_id: "0x02" }))
        .execute(),
      "requests.order_id": store
        .insertInto("requests")
        .values(requestRow({ id: "0x02" }))
        .execute(),
      "transactions.hash": insertTransaction({ deposit_id: "second", nonce: 1 }),
    };
    for (const [column, insert] of Object.entries(doubles)) {
      expect(String(await failureOf(insert)), column).to.include(`UNIQUE constraint failed: ${column}`);
    }
  });

  it("refuses what belongs to a request or deposit that is not there", async () => {
    const orphans = [
      store
        .insertInto("deposits")
        .values(depositRow({ id: "stray", request_id: "0x99" }))
        .execute(),
      insertTransaction({ deposit_id: "stray" }),
      insertTransaction({ request_id: "0x99" }),
      store
        .insertInto("events")
        .values({ at: 1, data: "{}", request_id: "0x99", status: "pending", trigger: "deposit-accepted" })
        .execute(),
      store.deleteFrom("requests").execute(),
    ];
    for (const orphan of orphans)
      expect(String(await failureOf(orphan))).to.include("FOREIGN KEY constraint failed");
    await store
      .insertInto("deposits")
      .values(depositRow({ id: "unmatched", outcome: "unmatched", request_id: null }))
      .execute();
  });

  it("keeps nothing of a transaction that fails", async () => {
    const error = await failureOf(
      store.transaction().execute(async (transaction) => {
        await transaction.updateTable("deposits").set({ outcome: "refused" }).execute();
        await transaction.insertInto("transactions").values(transactionRow()).execute();
        await transaction
          .insertInto("transactions")
          .values(transactionRow({ hash: "0xf2", nonce: 1 }))
          .execute();
      }),
    );
    expect(String(error)).to.include("UNIQUE constraint failed");
    expect(await store.selectFrom("deposits").selectAll().execute()).to.deep.equal([depositRow()]);
    expect(await store.selectFrom("transactions").selectAll().execute()).to.deep.equal([]);
  });

  it("finds a request by its id in any letter case", async () => {
    const shouted = `0x${requestId.slice(2).toUpperCase()}`;
    expect((await findRequest(store, shouted))?.id).to.equal(requestId);
    expect(await findRequest(store, "0x99")).to.equal(undefined);
  });

  it("lists the payments of a request once each, and only transactions that were mined", async () => {
    await store
      .insertInto("deposits")
      .values([
        depositRow({ at: 2_500, id: "same" }),
        depositRow({ at: 1_500, id: "earlier", tx_hash: "0x00" }),
      ])
      .execute();
    expect(await transactionHashes(store, requestId)).to.deep.equal({
      inTxHashes: ["0x00", "0x01"],
      txHashes: [],
    });

    await insertTransaction({ state: "reverted" });
    await insertTransaction({ hash: "0xe2", kind: "refund", nonce: 1 });
    expect((await transactionHashes(store, requestId)).txHashes).to.deep.equal([]);
    await store.updateTable("transactions").set({ state: "mined" }).where("kind", "=", "refund").execute();
    expect((await transactionHashes(store, requestId)).txHashes).to.deep.equal(["0xe2"]);
    expect(await transactionHashes(store, "0x99")).to.deep.equal({ inTxHashes: [], txHashes: [] });
  });
});
