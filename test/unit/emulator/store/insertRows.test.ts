import { expect } from "chai";
import type { Insertable } from "kysely";
import { insertRows } from "../../../../emulator/store/insertRows.ts";
import type { Store } from "../../../../emulator/store/openStore.ts";
import type { RequestRow, RequestsTable } from "../../../../emulator/store/tables.ts";
import { failureOf } from "../../../helpers/failureOf.ts";
import { forEachStore } from "../../../helpers/processes/stores.ts";
import { requestRow } from "../support/requests.ts";

type NewRow = Insertable<RequestsTable>;

const idOf = (index: number) => `0x${index.toString(16).padStart(64, "0")}`;
const rowOf = (index: number, change: Partial<RequestRow> = {}): NewRow =>
  requestRow({ id: idOf(index), order_id: idOf(1_000 + index), referrer: `referrer ${index}`, ...change });

async function insert(store: Store, rows: readonly NewRow[]): Promise<void> {
  await store.transaction().execute((transaction) => insertRows(transaction, "requests", rows));
}

/** What two ways of storing the same rows have left in the database. */
async function storedIn(store: Store, insertAll: (rows: readonly NewRow[]) => Promise<void>) {
  await insertAll([rowOf(1)]);
  // As many rows as before with other values, and other numbers of rows in between.
  await insertAll([rowOf(2), rowOf(3)]);
  await insertAll([rowOf(4, { amount_usd: 7, details: null, referrer: null })]);
  await insertAll([rowOf(5, { referrer: "a\0b" }), rowOf(6)]);
  // Columns in another order, and some of them left out.
  const { id, referrer, ...rest } = rowOf(7);
  await insertAll([{ referrer, ...rest, id } as NewRow, rowOf(8)]);
  const { details: _, referrer: __, ...less } = rowOf(9, { details: "left out" });
  await insertAll([less, { ...rowOf(10), referrer: undefined } as unknown as NewRow]);
  return store.selectFrom("requests").selectAll().orderBy("id").execute();
}

forEachStore("inserting rows by statements that are kept", (kind) => {
  it("stores exactly what statements do that are built for them", async () => {
    const [kept, built] = [(await kind.open()).store, (await kind.open()).store];
    const expected = await storedIn(built, async (rows) => {
      await built.insertInto("requests").values(rows).execute();
    });
    expect(await storedIn(kept, (rows) => insert(kept, rows))).to.deep.equal(expected);
    expect(expected).to.have.length(10);
    expect(expected[4]?.referrer).to.equal("a\uFFFDb");
  });

  it("fails as they do, and stores nothing then", async () => {
    const { store } = await kind.open();
    await insert(store, [rowOf(1), rowOf(2)]);
    expect(await failureOf(insert(store, [rowOf(3), rowOf(1)]))).to.be.instanceOf(Error);
    expect(await store.selectFrom("requests").select("id").orderBy("id").execute()).to.deep.equal([
      { id: idOf(1) },
      { id: idOf(2) },
    ]);
  });
});
