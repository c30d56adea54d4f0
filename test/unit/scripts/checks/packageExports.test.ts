import { join } from "node:path";
import { expect } from "chai";
import { importPackages } from "../../../../scripts/build/workspace.ts";
import { checkManifest, checkVersions } from "../../../../scripts/checks/packageExports.ts";
import type { Manifest } from "../../../../scripts/checks/readPackages.ts";

const manifest: Manifest = {
  name: "waybill",
  version: "1.2.3",
  exports: {
    ".": { types: "./dist/src/index.d.ts", default: "./dist/src/index.js" },
    "./contracts/*": "./contracts/*",
    "./package.json": "./package.json",
  },
  bin: { waybill: "dist/cli/waybill.js" },
  files: ["dist", "contracts"],
  dependencies: {},
  peerDependencies: {},
};
const built = [
  "dist/src/index.d.ts",
  "dist/src/index.js",
  "contracts",
  "package.json",
  "dist/cli/waybill.js",
];

describe("the check of the package's promises", () => {
  it("accepts a manifest whose every target is built and published", () => {
    expect(checkManifest({ folder: "emulator", manifest }, (path) => built.includes(path))).to.deep.equal([]);
  });

  it("finds a target that is not built", () => {
    const found = checkManifest(
      { folder: "emulator", manifest },
      (path) => built.includes(path) && !path.endsWith(".d.ts"),
    );
    expect(found.map(({ message }) => message)).to.deep.equal([
      'exports["."] points at ./dist/src/index.d.ts, which is not built',
    ]);
  });

  it("finds a command that is not built", () => {
    expect(
      checkManifest({ folder: "emulator", manifest }, (path) => path !== "dist/cli/waybill.js")[0]?.message,
    ).to.contain("bin.waybill");
  });

  it("finds a target that would not be published", () => {
    const found = checkManifest({ folder: ".", manifest: { ...manifest, files: ["dist"] } }, () => true);
    expect(found.map(({ message }) => message)).to.deep.equal([
      'exports["./contracts/*"] points at ./contracts/*, which "files" leaves out',
    ]);
  });

  it("finds a package that depends on another version of one that is published with it", () => {
    const library = { folder: ".", manifest };
    const dependent = (waybill: string) => ({
      folder: "emulator",
      manifest: { ...manifest, dependencies: { waybill }, name: "@waybill/emulator" },
    });
    expect(checkVersions([library, dependent("1.2.3")])).to.deep.equal([]);
    expect(checkVersions([library, dependent("^1.2.3")])).to.deep.equal([
      { file: join("emulator", "package.json"), message: "depends on waybill ^1.2.3; here it is 1.2.3" },
    ]);
  });
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
