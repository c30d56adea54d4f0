import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { build } from "esbuild";

/** A browser's bundle of an entry point without peers: its size in bytes, minified and compressed, and what is in it. */
async function bundle(entry: string) {
  const { metafile, outputFiles } = await build({
    bundle: true,
    entryPoints: [new URL(`../../../src/${entry}`, import.meta.url).pathname],
    external: ["ethers", "viem", "viem/*"],
    format: "esm",
    logLevel: "silent",
    metafile: true,
    minify: true,
    platform: "browser",
    write: false,
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  const [output] = Object.values(metafile.outputs);
  const inputs = Object.entries(output?.inputs ?? {}).flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 ? [path] : [],
  );
  return { inputs, size: gzipSync(code, { level: 9 }).byteLength };
}

describe("the size of the entry points in a browser", () => {
  const limits: [string, number][] = [
    ["index.ts", 20_000],
    ["client/index.ts", 35_000],
    ["execute/index.ts", 36_000],
    ["perps/index.ts", 20_000],
    ["svm/index.ts", 6_000],
    ["webhooks/index.ts", 13_000],
  ];
  for (const [entry, limit] of limits) {
    it(`of ${entry} is under ${limit} bytes, without classic zod and its language packs`, async () => {
      const { inputs, size } = await bundle(entry);
      expect(size).to.be.greaterThan(2_000).and.be.lessThan(limit);
      expect(inputs.filter((path) => /zod\/v4\/(?:classic|locales)\//.test(path))).to.deep.equal([]);
    }).timeout(20_000);
  }
});
