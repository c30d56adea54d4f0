import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";

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
});
