import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { build, type Plugin } from "esbuild";

/** Leaves out what is imported only when it is needed: a bundler that splits makes a file of its own of it. */
const loadedLater: Plugin = {
  name: "loaded later",
  setup: ({ onResolve }) => {
    onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { external: true, path } : undefined,
    );
  },
};

/** A browser's bundle of an entry point without peers: its size in bytes, minified and compressed, and what is in it. */
async function bundle(entry: string, plugins: Plugin[] = []) {
  const { metafile, outputFiles } = await build({
    bundle: true,
    entryPoints: [new URL(`../../../src/${entry}`, import.meta.url).pathname],
    external: ["ethers", "viem", "viem/*"],
    format: "esm",
    logLevel: "silent",
    metafile: true,
    minify: true,
    platform: "browser",
    plugins,
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
  const limits: [string, number, number][] = [
    // What proves quotes comes later, when the first of them is verified or executed.
    ["index.ts", 20_000, 24_000],
    ["client/index.ts", 35_000, 47_000],
    ["perps/index.ts", 20_000, 20_000],
    ["svm/index.ts", 6_000, 6_000],
    ["webhooks/index.ts", 13_000, 13_000],
  ];
  for (const [entry, limit, wholeLimit] of limits) {
    it(`of ${entry} is under ${limit} bytes, without classic zod and its language packs`, async () => {
      const { inputs, size } = await bundle(entry, [loadedLater]);
      expect(size).to.be.greaterThan(2_000).and.be.lessThan(limit);
      const { size: whole } = await bundle(entry);
      expect(whole).to.be.lessThan(wholeLimit);
      expect(inputs.filter((path) => /zod\/v4\/(?:classic|locales)\//.test(path))).to.deep.equal([]);
    }).timeout(20_000);
  }
});
