import { join } from "node:path";
import { expect } from "chai";
import { findUnused } from "../../../scripts/checks/package/checkConsumer.ts";
import { checkManifest, type Manifest } from "../../../scripts/checks/packageExports.ts";

const manifest: Manifest = {
  name: "waybill",
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
    expect(checkManifest(manifest, (path) => built.includes(path))).to.deep.equal([]);
  });

  it("finds a target that is not built", () => {
    const found = checkManifest(manifest, (path) => built.includes(path) && !path.endsWith(".d.ts"));
    expect(found.map(({ message }) => message)).to.deep.equal([
      'exports["."] points at ./dist/src/index.d.ts, which is not built',
    ]);
  });

  it("finds a command that is not built", () => {
    expect(checkManifest(manifest, (path) => path !== "dist/cli/waybill.js")[0]?.message).to.contain(
      "bin.waybill",
    );
  });

  it("finds a target that would not be published", () => {
    const found = checkManifest({ ...manifest, files: ["dist"] }, () => true);
    expect(found.map(({ message }) => message)).to.deep.equal([
      'exports["./contracts/*"] points at ./contracts/*, which "files" leaves out',
    ]);
  });

  it("finds an entry point of which the consumer uses nothing", () => {
    const text = 'import { approve } from "waybill";\n';
    expect(findUnused(text, ["waybill", "waybill/client"])).to.deep.equal([
      { file: join("scripts", "checks", "consumer", "index.ts"), message: "uses nothing of waybill/client" },
    ]);
  });
});
