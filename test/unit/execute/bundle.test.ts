import { expect } from "chai";
import { build } from "esbuild";

describe("a bundle of the executor", () => {
  it("never loads ethers, which signers are known without", async () => {
    const { metafile } = await build({
      bundle: true,
      entryPoints: [new URL("../../../src/execute/index.ts", import.meta.url).pathname],
      external: ["ethers", "viem", "viem/*"],
      format: "esm",
      logLevel: "silent",
      metafile: true,
      platform: "browser",
      write: false,
    });
    const loaded = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    expect(loaded).to.include("viem");
    expect(loaded.filter((path) => !/^viem(?:\/|$)/.test(path))).to.deep.equal([]);
    expect(Object.keys(metafile.inputs).filter((path) => path.includes("ethers/"))).to.deep.equal([]);
  }).timeout(20_000);
});
