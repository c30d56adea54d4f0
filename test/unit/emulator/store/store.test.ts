import { expect } from "chai";
import { addRequestHash } from "../../../../emulator/requests/addRequestHash.ts";
import { findRequest } from "../../../../emulator/requests/findRequest.ts";
import { insertRequest } from "../../../../emulator/requests/insertRequest.ts";
import { bitsOf } from "../../../../emulator/requests/searchFacts.ts";
import { transactionHashes } from "../../../../emulator/requests/statusData.ts";
import type { Store } from "../../../../emulator/store/openStore.ts";
import { resetStore } from "../../../../emulator/store/resetStore.ts";
import { failureOf } from "../../../helpers/failureOf.ts";
import { forEachStore } from "../../../helpers/processes/stores.ts";
import { depositRow, requestId, requestRow, transactionRow } from "../support/requests.ts";

const unique = /unique constraint/i;
const foreign = /foreign key constraint/i;

forEachStore("the store", (kind) => {
  let store: Store;
  before(async () => {
    ({ store } = await kind.open());
  });
  beforeEach(async () => {
    await resetStore(store);
    await store.insertInto("requests").values(requestRow()).execute();
    await store.insertInto("deposits").values(depositRow()).execute();
  });

  const insertTransaction = (row: Parameters<typeof transactionRow>[0]) =>
    store.insertInto("transactions").values(transactionRow(row)).execute();

  it("refuses a second fill of a deposit, and a second refund", async () => {
    await insertTransaction({});
    await insertTransaction({ hash: "0xe1", kind: "refund", nonce: 1 });
    for (const kind of ["fill", "refund"] as const) {
      const error = await failureOf(insertTransaction({ hash: `0x${kind}`, kind, nonce: 2 }));
      expect(String(error), kind).to.match(unique);
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
    expect(String(await failureOf(insertTransaction(same)))).to.match(unique);
    await insertTransaction({ ...same, chain_id: 31337 });
  });

  it("a replaced fill: allows its cancel and another fill, and refuses a second cancel of the nonce", async () => {
    const cancel = { hash: "0xc1", kind: "cancel" } as const;
    await insertTransaction({});
    await insertTransaction(cancel);
    const { id } = await store
      .selectFrom("transactions")
      .select("id")
      .where("kind", "=", "cancel")
      .executeTakeFirstOrThrow();
    const another = { hash: "0xf2", nonce: 1 };
    expect(String(await failureOf(insertTransaction(another)))).to.match(unique);
    await store.updateTable("transactions").set({ replaced_by: id }).where("kind", "=", "fill").execute();
    await insertTransaction(another);
    expect(String(await failureOf(insertTransaction({ ...cancel, hash: "0xc2" })))).to.match(unique);
    // The nonce of the replaced fill stays its own among payments.
    const refund = { hash: "0xe1", kind: "refund" } as const;
    expect(String(await failureOf(insertTransaction(refund)))).to.match(unique);
  });

  it("refuses a replacement by no transaction, and to forget one that replaces", async () => {
    expect(String(await failureOf(insertTransaction({ replaced_by: 99 })))).to.match(foreign);
    await insertTransaction({});
    await insertTransaction({ hash: "0xc1", kind: "cancel" });
    const { id } = await store
      .selectFrom("transactions")
      .select("id")
      .where("kind", "=", "cancel")
      .executeTakeFirstOrThrow();
    await store.updateTable("transactions").set({ replaced_by: id }).where("kind", "=", "fill").execute();
    const forget = store.deleteFrom("transactions").where("id", "=", id).execute();
    expect(String(await failureOf(forget))).to.match(foreign);
  });

  it("refuses a transaction, a deposit and a request that are there already", async () => {
    await insertTransaction({});
    await store
      .insertInto("deposits")
      .values(depositRow({ id: "second" }))
      .execute();
    const doubles = {
      "deposits.id": () => store.insertInto("deposits").values(depositRow()).execute(),
      "requests.id": () =>
        store
          .insertInto("requests")
          .values(requestRow({ order_id: "0x02" }))
          .execute(),
      "requests.order_id": () =>
        store
          .insertInto("requests")
          .values(requestRow({ id: "0x02" }))
          .execute(),
      "transactions.hash": () => insertTransaction({ deposit_id: "second", nonce: 1 }),
    };
    for (const [column, insert] of Object.entries(doubles)) {
      expect(String(await failureOf(insert())), column).to.match(unique);
    }
  });

  it("refuses what belongs to a request or deposit that is not there", async () => {
    const orphans = [
      () =>
        store
          .insertInto("deposits")
          .values(depositRow({ id: "stray", request_id: "0x99" }))
          .execute(),
      () => insertTransaction({ deposit_id: "stray" }),
      () => insertTransaction({ request_id: "0x99" }),
      () =>
        store
          .insertInto("events")
          .values({ at: 1, data: "{}", request_id: "0x99", status: "pending", trigger: "deposit-accepted" })
          .execute(),
      () => store.deleteFrom("requests").execute(),
    ];
    for (const orphan of orphans) expect(String(await failureOf(orphan()))).to.match(foreign);
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
    expect(String(error)).to.match(unique);
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

  it("stores a request with its features and the first event of its history", async () => {
    const second = requestRow({ id: "0x02", order_id: "0x02" });
    await insertRequest(store, second, ["app_fees", "gas_top_up"]);
    const facts = { features: bitsOf(["app_fees", "gas_top_up"]), route_id: 1 };
    expect(await findRequest(store, "0x02")).to.deep.equal({ ...second, ...facts });
    const [event, ...more] = await store.selectFrom("events").selectAll().execute();
    expect(more).to.deep.equal([]);
    expect({ ...event, seq: 0 }).to.deep.equal({
      at: second.created_at,
      data: "{}",
      request_id: "0x02",
      seq: 0,
      status: "waiting",
      trigger: "quoted",
    });
    const features = await store
      .selectFrom("request_features")
      .select("feature")
      .orderBy("feature")
      .execute();
    expect(features.map(({ feature }) => feature)).to.deep.equal(["app_fees", "gas_top_up"]);
  });

  it("stores nothing of a request that it cannot store whole", async () => {
    const second = requestRow({ id: "0x02", order_id: "0x02" });
    expect(String(await failureOf(insertRequest(store, second, ["twice", "twice"])))).to.match(unique);
    expect(await findRequest(store, "0x02")).to.equal(undefined);
    expect(await store.selectFrom("events").selectAll().execute()).to.deep.equal([]);
  });

  it("finds a request by a transaction, however often it was told of it", async () => {
    const row = { hash: "0xAB", kind: "deposit", request_id: requestId } as const;
    for (const kind of ["deposit", "deposit", "fill"] as const) await addRequestHash(store, { ...row, kind });
    expect(
      await store
        .selectFrom("request_hashes")
        .selectAll()
        .where("hash", "=", "0xab")
        .orderBy("kind")
        .execute(),
    ).to.deep.equal([
      { ...row, hash: "0xab" },
      { ...row, hash: "0xab", kind: "fill" },
    ]);
    expect(String(await failureOf(addRequestHash(store, { ...row, request_id: "0x99" })))).to.match(foreign);
  });

  it("keeps every number and text as it was written, to the largest", async () => {
    const long = requestRow({
      amount_usd: Number.MAX_SAFE_INTEGER,
      created_at: Number.MAX_SAFE_INTEGER,
      destination_chain_id: 2 ** 40,
      details: `"quotes", \u{1F9FE} and\nlines`,
      fill_time_ms: -1,
      id: "0x02",
      intent: "x".repeat(1_000_000),
      order_id: "0x02",
    });
    await store.insertInto("requests").values(long).execute();
    expect(await findRequest(store, "0x02")).to.deep.equal(long);
  });

  it("orders text by its bytes", async () => {
    const ids = ["0x0a", "0xA", "0xa", "a", "B", "_", "é"];
    await store
      .insertInto("requests")
      .values(ids.map((id) => requestRow({ id, order_id: id })))
      .execute();
    const rows = await store
      .selectFrom("requests")
      .select("id")
      .where("id", "!=", requestId)
      .orderBy("id")
      .execute();
    expect(rows.map(({ id }) => id)).to.deep.equal(["0x0a", "0xA", "0xa", "B", "_", "a", "é"]);
  });

  it("looks for text with the character NUL in it, and finds none", async () => {
    expect(await findRequest(store, "\0")).to.equal(undefined);
    await store.updateTable("requests").set({ referrer: "a\0b" }).execute();
    expect((await findRequest(store, requestId))?.referrer).to.equal("a\uFFFDb");
  });
});
