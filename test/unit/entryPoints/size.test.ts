import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { type BuildOptions, build } from "esbuild";
import { listEntryPoints } from "../../../scripts/checks/entryPoints.ts";
import { rejectionOf } from "../client/support/fakeService.ts";

/** A browser's bundle, minified, in one file: its compressed size in bytes, its contents, and its imports. */
async function bundle(source: Pick<BuildOptions, "entryPoints" | "stdin">, external: string[]) {
  const { metafile, outputFiles } = await build({
    bundle: true,
    external,
    format: "esm",
    logLevel: "silent",
    metafile: true,
    minify: true,
    platform: "browser",
    write: false,
    ...source,
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  const [output] = Object.values(metafile.outputs);
  const inputs = Object.entries(output?.inputs ?? {}).flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 ? [path] : [],
  );
  const imports = (output?.imports ?? []).map(({ path }) => path);
  return { imports, inputs, size: gzipSync(code, { level: 9 }).byteLength };
}

const root = new URL("../../..", import.meta.url).pathname;
const PEERS = ["ethers", "viem", "viem/*"];

/** Most bytes, without peers, of everything that an entry point may load. */
const limits: Readonly<Record<string, number>> = {
  waybill: 24_600,
  "waybill/abi": 23_000,
  "waybill/client": 37_600,
  "waybill/execute": 40_300,
  "waybill/guard": 41_900,
  "waybill/perps": 28_420,
  "waybill/prove": 27_610,
  "waybill/svm": 6_000,
  "waybill/webhooks": 13_400,
};

describe("the entry points in a browser", () => {
  // Modules that need Node are outside of the library.
  const entries = listEntryPoints().filter(({ source }) => source.startsWith("src/"));

  it("all have a limit", () => {
    expect(Object.keys(limits)).to.have.members(entries.map(({ specifier }) => specifier));
  });

  it("would not be bundled with a module of Node in them", async () => {
    const stdin = { contents: 'import { readFileSync } from "node:fs"; console.log(readFileSync);' };
    const bundled = build({ bundle: true, logLevel: "silent", platform: "browser", stdin, write: false });
    expect(await rejectionOf(bundled)).to.have.property("errors");
  });

  it("add up to less than 46,500 bytes in an app that makes a client, asks for a quote and executes it", async () => {
    const contents = `
      export { createClient, getQuote } from "./src/client/index.ts";
      export { execute } from "./src/execute/index.ts";`;
    expect((await bundle({ stdin: { contents, resolveDir: root } }, PEERS)).size)
      .to.be.greaterThan(2_000)
      .and.be.lessThan(46_500);
  }).timeout(20_000);

  for (const { source, specifier } of entries) {
    const limit = limits[specifier] ?? 0;

    it(`keep ${specifier} under ${limit} bytes, without ethers, classic zod and its language packs`, async () => {
      const { imports, inputs, size } = await bundle({ entryPoints: [`${root}/${source}`] }, PEERS);
      expect(imports.filter((path) => !/^viem(?:\/|$)/.test(path))).to.deep.equal([]);
      expect(size).to.be.greaterThan(2_000).and.be.lessThan(limit);
      const packs = /zod\/v4\/(?:classic|locales)\//;
      expect(inputs.filter((path) => packs.test(path))).to.deep.equal([]);
    }).timeout(20_000);

    it(`need nothing of Node for ${specifier}, peers and all`, async () => {
      expect((await bundle({ entryPoints: [`${root}/${source}`] }, [])).imports).to.deep.equal([]);
    }).timeout(30_000);
  }
});
