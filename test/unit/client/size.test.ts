import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { build } from "esbuild";
import { listEntryPoints } from "../../../scripts/checks/entryPoints.ts";

/**
 * A browser's bundle of an entry point, minified: the compressed size in bytes of what is loaded with it, what is in it, and
 * what it loads. Chunks that are imported later, when something needs them, do not count.
 */
async function bundle(source: string, external: string[]) {
  const { metafile, outputFiles } = await build({
    bundle: true,
    entryPoints: [new URL(`../../../${source}`, import.meta.url).pathname],
    external,
    format: "esm",
    logLevel: "silent",
    metafile: true,
    minify: true,
    outdir: "out",
    platform: "browser",
    splitting: true,
    write: false,
  });
  const [entry] = Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint?.endsWith(source) ? [path] : [],
  );
  const loaded = new Set([entry ?? ""]);
  const imports: string[] = [];
  for (const path of loaded) {
    for (const each of metafile.outputs[path]?.imports ?? []) {
      if (each.external) imports.push(each.path);
      else if (each.kind === "import-statement") loaded.add(each.path);
    }
  }
  const inputs = [...loaded].flatMap((path) =>
    Object.entries(metafile.outputs[path]?.inputs ?? {}).flatMap(([input, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [input] : [],
    ),
  );
  const code = [...loaded].flatMap((path) => outputFiles.filter((file) => file.path.endsWith(path)));
  const size = gzipSync(Buffer.concat(code.map(({ contents }) => contents)), { level: 9 }).byteLength;
  return { imports, inputs, size };
}

const PEERS = ["ethers", "viem", "viem/*"];

/** Most bytes, without peers. */
const limits: Readonly<Record<string, number>> = {
  waybill: 20_000,
  "waybill/abi": 23_000,
  "waybill/client": 35_000,
  "waybill/execute": 40_000,
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

  for (const { source, specifier } of entries) {
    const limit = limits[specifier] ?? 0;

    it(`keep ${specifier} under ${limit} bytes, without classic zod and its language packs`, async () => {
      const { inputs, size } = await bundle(source, PEERS);
      expect(size).to.be.greaterThan(2_000).and.be.lessThan(limit);
      expect(inputs.filter((path) => /zod\/v4\/(?:classic|locales)\//.test(path))).to.deep.equal([]);
    }).timeout(20_000);

    it(`need nothing of Node for ${specifier}, peers and all`, async () => {
      expect((await bundle(source, [])).imports).to.deep.equal([]);
    }).timeout(30_000);
  }
});
