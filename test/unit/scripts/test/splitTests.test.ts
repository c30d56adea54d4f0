import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { splitTests } from "../../../../scripts/test/splitTests.ts";

describe("splitTests", () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "waybill-split-"));
  });

  afterEach(() => {
    rmSync(root, { recursive: true, force: true });
  });

  function write(...files: readonly string[]): void {
    for (const file of files) {
      mkdirSync(join(root, "test", dirname(file)), { recursive: true });
      writeFileSync(join(root, "test", file), "");
    }
  }

  const filesOf = (count: number) =>
    splitTests(root, count).map(({ files }) => files.map((file) => file.replaceAll("\\", "/")));

  it("gives each test file to one group, in order, and helpers to none", () => {
    write("unit/d.test.ts", "contracts/a.test.ts", "unit/c.test.ts", "helpers/b.ts", "integration/b.test.ts");
    expect(filesOf(3)).to.deep.equal([
      ["test/contracts/a.test.ts", "test/integration/b.test.ts"],
      ["test/unit/c.test.ts", "test/unit/d.test.ts"],
    ]);
    expect(filesOf(2)).to.deep.equal(filesOf(3));
    expect(filesOf(1)).to.deep.equal([filesOf(2).flat()]);
  });

  it("leaves out tests with packages of their own", () => {
    write("browser/a.test.ts", "fork/b.test.ts", "unit/browser/c.test.ts");
    expect(filesOf(4)).to.deep.equal([["test/unit/browser/c.test.ts"]]);
  });
});
