import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { type EntryPoint, readEntryPoints } from "../../../scripts/checks/entryPoints.ts";

const SNAPSHOT = new URL("../../snapshots/exports.json", import.meta.url);

/** Kind of each name of an entry point: a class, a constant, a function or a type. */
const kindsOf = ({ exports }: EntryPoint) =>
  Object.fromEntries(exports.map(({ kind, name }) => [name, kind]));

describe("what the entry points export", () => {
  let entries: EntryPoint[];
  before("reading", function () {
    this.timeout(30_000);
    entries = readEntryPoints();
    if (process.env["UPDATE_SNAPSHOTS"] !== "1") return;
    const kinds = Object.fromEntries(entries.map((entry) => [entry.specifier, kindsOf(entry)]));
    writeFileSync(SNAPSHOT, `${JSON.stringify(kinds, null, 2)}\n`);
  });

  it("each entry point: exports the values and types of the snapshot", () => {
    const snapshot: Record<string, unknown> = JSON.parse(readFileSync(SNAPSHOT, "utf8"));
    expect(Object.keys(snapshot)).to.deep.equal(entries.map(({ specifier }) => specifier));
    for (const entry of entries) {
      expect(kindsOf(entry), entry.specifier).to.deep.equal(snapshot[entry.specifier]);
    }
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
