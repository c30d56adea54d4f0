import { execFile } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { root } from "../scripts/checks/runTool.ts";
import { foundryLayouts, foundryProject } from "./support/foundryProject.ts";
import { installLibrary } from "./support/installLibrary.ts";

const run = promisify(execFile);
const require = createRequire(import.meta.url);
/** MIT or Apache-2.0. Its binary of 85 MB is installed here alone, from the registry. */
const FORGE = "@foundry-rs/forge@1.7.1";

/** Packages with a compiler that projects may have: the lowest of the receivers, that of the proxy, and the newest. */
const COMPILERS = [
  { compiler: "solc-lowest", skipped: ["--skip", "Proxy.t.sol", "--skip", "Kit.t.sol"], tests: 2 },
  { compiler: "solc-transient", skipped: [], tests: 5 },
  { compiler: "solc", skipped: [], tests: 5 },
] as const;

const npmConfiguration = `
[profile.default]
libs = ["node_modules"]
solc = "./solc"`;

/** A program that answers forge as the native solc does, by the compiler of an npm package. */
const solcProgram = (compiler: string): string => `#!${process.execPath}
const solc = require(${JSON.stringify(require.resolve(compiler))});
const asked = process.argv.includes("--standard-json");
console.log(asked ? solc.compile(require("node:fs").readFileSync(0, "utf8")) : "Version: " + solc.version());`;

/** Runs forge in a project and requires this many tests, all successful. */
async function forgeTest(project: string, forge: string, skipped: readonly string[], tests: number) {
  const flags = ["test", "--force", "--offline", "--json", ...skipped];
  const { stdout } = await run(forge, flags, { cwd: project });
  const suites: Record<string, { test_results: Record<string, { status: string }> }> = JSON.parse(stdout);
  const statuses = Object.values(suites).flatMap((suite) => Object.values(suite.test_results));
  expect(statuses.map(({ status }) => status)).to.deep.equal(Array(tests).fill("Success"));
}

function writeCompiler(project: string, compiler: string): void {
  writeFileSync(join(project, "solc"), solcProgram(compiler));
  chmodSync(join(project, "solc"), 0o755);
}

describe("the packed contracts in a Foundry project", () => {
  let project: string;
  let forge: string;
  before("packing and installing", async function () {
    this.timeout(300_000);
    project = await installLibrary({ ...foundryProject, "foundry.toml": npmConfiguration }, []);
    const folder = join(dirname(project), "foundry");
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder];
    await run("npm", ["install", ...flags, FORGE], { cwd: dirname(project) });
    forge = join(folder, "node_modules", ".bin", "forge");
  });

  after("removing the project", () => rmSync(dirname(project), { force: true, recursive: true }));

  for (const { compiler, skipped, tests } of COMPILERS) {
    it(`compiled by ${compiler}, are inherited from, deployed and paid`, async () => {
      writeCompiler(project, compiler);
      await forgeTest(project, forge, skipped, tests);
    }).timeout(120_000);
  }

  for (const [layout, folders] of Object.entries(foundryLayouts)) {
    it(`installed by ${layout}, with the remappings of the guide, pass the same tests`, async () => {
      const other = join(dirname(project), layout.replace(" ", "-"));
      for (const [path, text] of Object.entries(foundryProject)) {
        mkdirSync(dirname(join(other, path)), { recursive: true });
        writeFileSync(join(other, path), text);
      }
      for (const [name, folder] of Object.entries(folders)) {
        cpSync(join(project, "node_modules", name), join(other, folder), {
          dereference: true,
          recursive: true,
        });
      }
      const remappings = Object.entries(folders).map(([name, folder]) => `${name}/=${folder}/`);
      const guide = readFileSync(join(root, "docs", "start", "foundry.md"), "utf8");
      for (const remapping of remappings) expect(guide).to.include(`\n${remapping}\n`);
      writeFileSync(join(other, "remappings.txt"), remappings.join("\n"));
      writeFileSync(join(other, "foundry.toml"), '[profile.default]\nsolc = "./solc"\n');
      writeCompiler(other, "solc");
      await forgeTest(other, forge, [], 5);
    }).timeout(180_000);
  }
});
