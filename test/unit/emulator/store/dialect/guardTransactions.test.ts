import { expect } from "chai";
import {
  NestedQueryError,
  outsideTransaction,
} from "../../../../../emulator/store/dialect/guardTransactions.ts";
import type { Store } from "../../../../../emulator/store/openStore.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";
import { forEachDialect } from "../../../../helpers/processes/stores.ts";

forEachDialect("guardTransactions", ({ open }) => {
  let store: Store;
  before(async () => {
    ({ store } = await open());
  });

  const insert = (on: Store, chain_id: number) =>
    on.insertInto("cursors").values({ chain_id, next_block: 1 }).execute();
  const cursorIds = async (on: Store) => {
    const rows = await on.selectFrom("cursors").select("chain_id").orderBy("chain_id").execute();
    return rows.map(({ chain_id }) => Number(chain_id));
  };

  const nested: Readonly<Record<string, () => Promise<unknown>>> = {
    "a connection": () => store.connection().execute(cursorIds),
    "a query": () => cursorIds(store),
    "a read-only transaction": () => store.transaction().setAccessMode("read only").execute(cursorIds),
    "a stream": async () => {
      for await (const row of store.selectFrom("cursors").selectAll().stream())
        expect(row).to.equal(undefined);
    },
    "a transaction": () => store.transaction().execute(cursorIds),
    "a transaction after a wait": async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return store.transaction().execute(cursorIds);
    },
  };
  for (const [what, use] of Object.entries(nested)) {
    it(`${what} on the store inside a transaction: throws at once, and the transaction is rolled back`, async () => {
      const error = await failureOf(
        store.transaction().execute(async (transaction) => {
          await insert(transaction, 1);
          await use();
        }),
      );
      expect(error).to.be.instanceOf(NestedQueryError);
      expect(await cursorIds(store)).to.deep.equal([]);
    });
  }

  it("a transaction with access mode and isolation level: guards its flow too", async () => {
    const builder = store.transaction().setIsolationLevel("serializable").setAccessMode("read write");
    expect(await failureOf(builder.execute(() => cursorIds(store)))).to.be.instanceOf(NestedQueryError);
  });

  it("queries on the transaction, and on the store by another flow: both succeed", async () => {
    let begun: () => void = () => undefined;
    const inside = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const other = inside.then(() => cursorIds(store));
    const within = await store.transaction().execute(async (transaction) => {
      begun();
      await insert(transaction, 2);
      return cursorIds(transaction);
    });
    expect(within).to.deep.equal([2]);
    expect(await other).to.satisfy((ids: number[]) => ids.length <= 1);
    await store.deleteFrom("cursors").execute();
  });

  it("work in the background that the transaction started: uses the store after its end, or outside it", async () => {
    let late: Promise<unknown> = Promise.resolve();
    let outside: Promise<unknown> = Promise.resolve();
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    await store.transaction().execute(async (transaction) => {
      late = ended.then(() => cursorIds(store));
      outside = outsideTransaction(() => store.transaction().execute(cursorIds));
      await insert(transaction, 3);
    });
    end();
    expect(await late).to.deep.equal([3]);
    await outside;
  });

  it("a transaction of another store inside: succeeds", async () => {
    const { store: second } = await open();
    await store
      .transaction()
      .execute(() => second.transaction().execute((transaction) => insert(transaction, 4)));
    expect(await cursorIds(second)).to.deep.equal([4]);
  });
});
