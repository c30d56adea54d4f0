import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";
import { sql } from "kysely";
import { failureOf } from "../../../../helpers/failureOf.ts";
import { emptyStore } from "../../support/requests.ts";

const run = promisify(execFile);
const sqlite = new URL("../../../../../emulator/store/dialect/sqlite.ts", import.meta.url);

/** Opens two databases in a process that warns before, between and after. */
const program = `
const warn = (text) => process.emitWarning(text, "ExperimentalWarning");
const { sqliteDialect } = await import(${JSON.stringify(sqlite.href)});
warn("before");
sqliteDialect(":memory:");
warn("between");
sqliteDialect(":memory:");
warn("after");`;

describe("sqliteDialect", () => {
  it("opened by plain node, suppresses the warning about SQLite and no other", async () => {
    const { stderr } = await run(process.execPath, ["--input-type=module", "--eval", program]);
    expect(stderr.match(/ExperimentalWarning: .*/g)).to.deep.equal([
      "ExperimentalWarning: before",
      "ExperimentalWarning: between",
      "ExperimentalWarning: after",
    ]);
  });

  it("a full disk: the transaction that fills it fails with that cause and is undone; the next one succeeds", async () => {
    const store = await emptyStore();
    const insert = (name: string, value: string) =>
      store.transaction().execute(async (transaction) => {
        await transaction.insertInto("secrets").values({ name, value }).execute();
      });
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(store);
    await sql`pragma max_page_count = ${sql.lit((rows[0]?.page_count ?? 0) + 2)}`.execute(store);
    expect(String(await failureOf(insert("large", "x".repeat(1_000_000))))).to.match(/full/);
    await insert("small", "x");
    expect(await store.selectFrom("secrets").select("name").execute()).to.deep.equal([{ name: "small" }]);
    await store.destroy();
  });
});
