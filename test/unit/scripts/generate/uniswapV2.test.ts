import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { keccak256 } from "viem";
import { root } from "../../../../scripts/checks/runTool.ts";
import { uniswapCode } from "../../../../scripts/generate/uniswapV2.ts";
import { publishedPairCodeHash, uniswapArtifact } from "../../../helpers/contracts/uniswapV2.ts";

describe("the code of Uniswap v2 that the emulator deploys", () => {
  const pair = "0x60016002";
  const hash = keccak256(pair).slice(2);
  const factory = "0xaa60016002bb" as const;
  const router = `0xcc${hash}dd` as const;

  it("names the hash of the pairs that the factory makes and the router looks for", () => {
    expect(uniswapCode({ factory, pair, router })).to.deep.equal({
      factory,
      pairInitHash: `0x${hash}`,
      router,
    });
  });

  it("refuses a factory of other pairs, and a router that looks for other pairs", () => {
    const message = "do not belong together";
    expect(() => uniswapCode({ factory: "0xaabb", pair, router })).to.throw(message);
    expect(() => uniswapCode({ factory, pair, router: "0xccdd" })).to.throw(message);
  });

  it("is the published code, with its licence and where its source is", () => {
    const folder = join(root, "artifacts");
    const written = JSON.parse(readFileSync(join(folder, "UniswapV2.json"), "utf8"));
    expect(written.factory).to.equal(`0x${uniswapArtifact("v2-core/build/UniswapV2Factory.json").bytecode}`);
    expect(written.pairInitHash).to.equal(publishedPairCodeHash());
    expect(written.license).to.equal("GPL-3.0-or-later");
    expect(written.sources).to.have.length(2);
    expect(existsSync(join(folder, written.licenseFile))).to.equal(true);
  });
});
