import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { build } from "esbuild";
import { listEntryPoints } from "../../../scripts/checks/entryPoints.ts";

/** A browser's bundle of an entry point, minified: its compressed size in bytes, what is in it, and what it loads. */
async function bundle(source: string, external: string[]) {
  const { metafile, outputFiles } = await build({
    bundle: true,
    entryPoints: [new URL(`../../../${source}`, import.meta.url).pathname],
    external,
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
  const imports = (output?.imports ?? []).map(({ path }) => path);
  return { imports, inputs, size: gzipSync(code, { level: 9 }).byteLength };
}

/** The compressed bytes that a page loads with an entry point: chunks that are imported later do not count. */
async function sizeAtFirst(source: string): Promise<number> {
  const { metafile, outputFiles } = await build({
    bundle: true,
    entryPoints: [new URL(`../../../${source}`, import.meta.url).pathname],
    external: PEERS,
    format: "esm",
    logLevel: "silent",
    metafile: true,
    minify: true,
    outdir: "out",
    platform: "browser",
    splitting: true,
    write: false,
  });
  const outputs = Object.entries(metafile.outputs);
  const loaded = new Set(
    outputs.flatMap(([path, { entryPoint }]) => (entryPoint?.endsWith(source) ? [path] : [])),
  );
  for (const path of loaded) {
    for (const { external, kind, path: imported } of metafile.outputs[path]?.imports ?? []) {
      if (external !== true && kind === "import-statement") loaded.add(imported);
    }
  }
  const code = [...loaded].flatMap((path) => outputFiles.filter((file) => file.path.endsWith(path)));
  return gzipSync(Buffer.concat(code.map(({ contents }) => contents)), { level: 9 }).byteLength;
}

const PEERS = ["ethers", "viem", "viem/*"];

/** Most bytes, without peers, of everything that an entry point may load. */
const limits: Readonly<Record<string, number>> = {
  waybill: 20_000,
  "waybill/abi": 23_000,
  "waybill/client": 35_000,
  "waybill/execute": 46_500,
  "waybill/perps": 20_000,
  "waybill/svm": 6_000,
  "waybill/webhooks": 13_000,
};

describe("the entry points in a browser", () => {
  // What stands on Node says so by being outside of the library.
  const entries = listEntryPoints().filter(({ source }) => source.startsWith("src/"));

  it("all have a limit", () => {
    expect(Object.keys(limits)).to.have.members(entries.map(({ specifier }) => specifier));
  });

  it("would not be bundled with a module of Node in them", async () => {
    const stdin = { contents: 'import { readFileSync } from "node:fs"; console.log(readFileSync);' };
    const bundled = build({ bundle: true, logLevel: "silent", platform: "browser", stdin, write: false });
    const failed = await bundled.then(
      () => false,
      () => true,
    );
    expect(failed).to.equal(true);
  });

  it("load at most 40,000 bytes with waybill/execute; what few quotes need comes later", async () => {
    expect(await sizeAtFirst("src/execute/index.ts"))
      .to.be.greaterThan(2_000)
      .and.at.most(40_000);
  }).timeout(20_000);

  for (const { source, specifier } of entries) {
    const limit = limits[specifier] ?? 0;

    it(`keep ${specifier} under ${limit} bytes, without classic zod and its language packs`, async () => {
      const { inputs, size } = await bundle(source, PEERS);
      expect(size).to.be.greaterThan(2_000).and.be.lessThan(limit);
      // The packs themselves: their empty list stays where a bundle holds code that is loaded later.
      const packs = /zod\/v4\/(?:classic\/|locales\/(?!index\.js$))/;
      expect(inputs.filter((path) => packs.test(path))).to.deep.equal([]);
    }).timeout(20_000);

    it(`need nothing of Node for ${specifier}, peers and all`, async () => {
      expect((await bundle(source, [])).imports).to.deep.equal([]);
    }).timeout(30_000);
  }
});
