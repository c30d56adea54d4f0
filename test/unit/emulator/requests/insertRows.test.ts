import { expect } from "chai";
import type { Insertable } from "kysely";
import { insertRows } from "../../../../emulator/requests/insertRequest.ts";
import type { Store } from "../../../../emulator/store/openStore.ts";
import type { RequestRow, RequestsTable } from "../../../../emulator/store/tables.ts";
import { failureOf } from "../../../helpers/failureOf.ts";
import { forEachStore } from "../../../helpers/processes/stores.ts";
import { idOf, readAll, requestRow } from "../support/requests.ts";

type NewRow = Insertable<RequestsTable>;

const rowOf = (index: number, change: Partial<RequestRow> = {}): NewRow =>
  requestRow({ id: idOf(index), order_id: idOf(1_000 + index), referrer: `referrer ${index}`, ...change });

const insert = (store: Store, rows: readonly NewRow[]) =>
  store.transaction().execute((transaction) => insertRows(transaction, "requests", rows));

/** Batches that share statements, and batches that must not. */
function batches(): readonly (readonly NewRow[])[] {
  const { id, referrer, ...rest } = rowOf(7);
  const { details: _, referrer: __, ...less } = rowOf(9, { details: "left out" });
  return [
    [rowOf(1)],
    [rowOf(2), rowOf(3)],
    [rowOf(4, { amount_usd: 7, details: null, referrer: null })],
    [rowOf(5, { referrer: "a\0b" }), rowOf(6)],
    // Columns in another order, and two of them left out.
    [{ referrer, ...rest, id } as NewRow, rowOf(8)],
    [less as NewRow, { ...rowOf(10), referrer: undefined } as unknown as NewRow],
  ];
}

forEachStore("insertRows", (kind) => {
  it("batches of the same and of other columns: stores what statements built for each batch store", async () => {
    const [{ store: kept }, { store: built }] = [await kind.open(), await kind.open()];
    for (const rows of batches()) {
      await insert(kept, rows);
      await built.insertInto("requests").values(rows).execute();
    }
    const expected = await readAll(built, "requests", "id");
    expect(await readAll(kept, "requests", "id")).to.deep.equal(expected);
    expect(expected).to.have.length(10);
    expect(expected[4]?.referrer).to.equal("a\uFFFDb");
  });

  it("a batch with a stored id: rejects, and stores none of its rows", async () => {
    const { store } = await kind.open();
    await insert(store, [rowOf(1), rowOf(2)]);
    expect(await failureOf(insert(store, [rowOf(3), rowOf(1)]))).to.be.instanceOf(Error);
    expect((await readAll(store, "requests", "id")).map(({ id }) => id)).to.deep.equal([idOf(1), idOf(2)]);
  });
});
