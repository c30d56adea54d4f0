import { expect } from "chai";
import { sql } from "kysely";
import { openStore } from "../../../../emulator/store/openStore.ts";
import { failureOf } from "../../../helpers/failureOf.ts";

describe("a SQLite database without room", () => {
  it("a transaction that fills it fails with that cause, is undone, and the next one is done", async () => {
    const { close, store } = await openStore(":memory:");
    const insert = (name: string, value: string) =>
      store.transaction().execute(async (transaction) => {
        await transaction.insertInto("secrets").values({ name, value }).execute();
      });
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(store);
    await sql`pragma max_page_count = ${sql.lit((rows[0]?.page_count ?? 0) + 2)}`.execute(store);
    expect(String(await failureOf(insert("large", "x".repeat(1_000_000))))).to.match(/full/);
    await insert("small", "x");
    expect(await store.selectFrom("secrets").select("name").execute()).to.deep.equal([{ name: "small" }]);
    await close();
  });
});
