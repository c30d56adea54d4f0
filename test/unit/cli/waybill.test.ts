import { execFile } from "node:child_process";
import { expect } from "chai";

const cli = new URL("../../../cli/waybill.ts", import.meta.url).pathname;

/** Runs the command by plain `node`, with modules that are loaded before it. */
async function run(
  args: readonly string[],
  ...before: readonly string[]
): Promise<{ code: unknown; err: string; out: string }> {
  const preloads = before.flatMap((code) => ["--import", `data:text/javascript,${encodeURIComponent(code)}`]);
  return new Promise((resolve) => {
    execFile(process.execPath, [...preloads, cli, ...args], (error, out, err) => {
      resolve({ code: error?.code ?? 0, err, out });
    });
  });
}

const asNode = (version: string) =>
  `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`;

/** Records every requested module. */
const listed = `
  import { registerHooks } from "node:module";
  const seen = [];
  registerHooks({ resolve: (name, context, next) => { const found = next(name, context); seen.push(found.url); return found; } });
  process.on("exit", () => console.log("loaded " + seen.join(" ")));`;

describe("the command", () => {
  for (const version of ["20.20.2", "18.0.0", "22.15.1"]) {
    it(`on Node ${version}, says which Node it needs and loads nothing`, async () => {
      const { code, err, out } = await run(["emulator"], asNode(version), listed);
      expect(code).to.equal(1);
      expect(err).to.equal(`waybill needs Node 22.16 or newer; this is Node ${version}.\n`);
      expect(out.match(/\S+\.ts/g)).to.have.length(1);
    }).timeout(20_000);
  }

  for (const version of ["22.16.0", "24.0.0", "100.0.0"]) {
    it(`on Node ${version}, runs`, async () => {
      const { code, err, out } = await run(["--version"], asNode(version));
      expect({ code, err }).to.deep.equal({ code: 0, err: "" });
      expect(out).to.match(/^\d+\.\d+\.\d+\n$/);
    }).timeout(20_000);
  }

  it("given a flag that does not exist, loads nothing but itself and its parser", async () => {
    const { code, err, out } = await run(["emulator", "--prot", "1"], listed);
    expect(code).to.equal(2);
    expect(err).to.include("--prot").and.include("--port");
    const urls = out.split(" ").filter((url) => url.startsWith("file:"));
    expect(urls).to.have.length.greaterThan(5);
    const own =
      /\/cli\/|\/node_modules\/(?:commander|@commander-js)\/|\/src\/(?:deployment\/contracts|errors\/\w+|internal\/(?:assertKeyStaysPrivate|table))\.ts$|\/package\.json/;
    expect(urls.filter((url) => !own.test(url))).to.deep.equal([]);
    expect(out).to.not.include("node:sqlite");
  }).timeout(20_000);

  const mistakes: readonly [args: string, message: string][] = [
    ["--prot 1", "error: unknown option '--prot': see waybill --help\n"],
    ["emulatr", "error: unknown command 'emulatr' (Did you mean emulator?)\n"],
    [
      "emulator --port x",
      "error: option '--port <port>' argument 'x' is invalid. A port is a number from 0 to 65535.\n",
    ],
  ];
  for (const [args, message] of mistakes) {
    it(`given ${args}, names the mistake without printing the help`, async () => {
      expect(await run(args.split(" "))).to.deep.equal({ code: 2, err: message, out: "" });
    }).timeout(20_000);
  }

  it("run by plain node with a chain that is not there, loads SQLite without a warning and lets other warnings pass", async () => {
    const late = `setTimeout(() => process.emitWarning("old thing", "DeprecationWarning"), 100);`;
    const args = ["emulator", "--port", "0", "--chain", "31337=http://127.0.0.1:1"];
    const { code, err } = await run(args, listed, late);
    expect(code).to.equal(3);
    expect(err).to.include("old thing").and.include("Chain 31337 cannot be used");
    expect(err).to.not.include("ExperimentalWarning");
  }).timeout(20_000);
});
