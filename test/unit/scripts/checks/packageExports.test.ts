import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { importPackages } from "../../../../scripts/build/workspace.ts";
import { reportApi } from "../../../../scripts/checks/apiReport.ts";
import { checkVersions } from "../../../../scripts/checks/packageExports.ts";
import type { Manifest } from "../../../../scripts/checks/packages.ts";

const manifest: Manifest = {
  name: "waybill",
  version: "1.2.3",
  engines: { node: ">=22.16" },
  exports: {},
  files: ["dist", "contracts"],
  dependencies: {},
  peerDependencies: {},
};
describe("the check of the package's promises", () => {
  it("finds a package that needs another version of one that is published with it, or brings a copy of its own", () => {
    const library = { folder: ".", manifest };
    const dependent = (needs: Partial<Manifest>) => ({
      folder: "emulator",
      manifest: { ...manifest, ...needs, name: "@waybill/emulator" },
    });
    expect(checkVersions([library, dependent({ peerDependencies: { waybill: "^1.2.3" } })])).to.deep.equal(
      [],
    );
    for (const [kind, waybill] of [
      ["peerDependencies", "^1.2.2"],
      ["dependencies", "^1.2.3"],
    ] as const) {
      const message = `needs the peer waybill ^1.2.3, and has ${waybill}`;
      const file = join("emulator", "package.json");
      expect(checkVersions([library, dependent({ [kind]: { waybill } })])).to.deep.equal([{ file, message }]);
    }
  });
});

describe("the report of a package's API", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "waybill-report-"));
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  });
  afterEach(() => rmSync(folder, { force: true, recursive: true }));

  const exports = { "./client": { default: "./index.js", types: "./index.d.ts" } };
  const report = (declarations: string): string => {
    writeFileSync(join(folder, "index.d.ts"), declarations);
    const published = { folder: ".", manifest: { ...manifest, exports } };
    return reportApi(published, folder, new Set(["amountSchema"])).text;
  };

  it("an exported function with a type that is not exported: has both declarations, without schemas of another file", () => {
    const text = report(`
type Options = { readonly amount: bigint };
export declare const amountSchema: string;
export declare function pay(options: Options): void;
export {};`);
    expect(text).to.match(/declare namespace waybill_client \{\s+export \{\s+pay,\s+amountSchema\s/);
    expect(text)
      .to.include("type Options = { readonly amount: bigint };")
      .and.include("function pay(options: Options): void;");
    expect(text).not.to.include("const amountSchema");
  }).timeout(30_000);
});

describe("the build of a package of the workspace", () => {
  it("imports other packages by their names, and its own files as they are", () => {
    const code = (library: string, own: string, emulator: string, testing: string) =>
      [
        `import { BaseError } from "${library}errors/BaseError.js";`,
        `export type Quote = import("${library}schema/quote.js").Quote;`,
        `const load = () => import("${library}client/index.js");`,
        `import "${library}side.js";`,
        `import { a } from "${own}store/src/a.js";`,
        `import { startEmulator } from "${emulator}";`,
        `import { startTestEmulator } from "${testing}";`,
      ].join("\n");
    const [emulator, testing] = ["../emulator/index.js", "../testing/index.js"];
    const built = code("../../src/", "./", emulator, testing).replace("BaseError.js", "BaseError.ts");
    const library = "waybill/internal/";
    expect(importPackages(built, ["emulator", "testing"])).to.equal(code(library, "./", emulator, testing));
    expect(importPackages(built, ["hardhat"])).to.equal(
      code(library, "./", "@waybill/emulator", "@waybill/emulator/testing"),
    );
  });
});
