import { readFileSync } from "node:fs";
import { expect } from "chai";
import { type EntryPoint, readEntryPoints } from "../../../scripts/checks/entryPoints.ts";

describe("what the entry points export", () => {
  let entries: EntryPoint[];
  before("reading", function () {
    this.timeout(30_000);
    entries = readEntryPoints();
  });

  it("is what a program finds there when it runs", async () => {
    for (const { exports, source } of entries) {
      const module: object = await import(new URL(`../../../${source}`, import.meta.url).href);
      const values = exports.flatMap(({ kind, name }) => (kind === "type" ? [] : [name]));
      expect(Object.keys(module).sort(), source).to.deep.equal(values);
    }
  }).timeout(30_000);

  it("is used by the example of entry points, each by its name", () => {
    const program = new URL("../../../examples/entry-points/entryPoints.test.ts", import.meta.url);
    const text = readFileSync(program, "utf8");
    for (const { specifier } of entries) expect(text).to.contain(`from "${specifier}"`);
  });

  it("is the same thing under the same name, wherever that name is exported", () => {
    const declared = new Map<string, string>();
    for (const { name, file } of entries.flatMap(({ exports }) => exports)) {
      expect(declared.get(name) ?? file, name).to.equal(file);
      declared.set(name, file);
    }
  });
});
