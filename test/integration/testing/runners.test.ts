import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";

const root = new URL("../../..", import.meta.url).pathname;
const mocha = join(root, "node_modules", "mocha", "bin", "mocha.js");

/** Runs a test file in a folder of its own. @returns The exit code, or null if it had to be killed. */
async function run(
  args: readonly string[],
  source: string,
): Promise<{ code: number | null; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), "waybill-runner-"));
  try {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
    writeFileSync(join(folder, "payment.test.ts"), source);
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(HARDHAT|NODE)_/.test(name)),
    );
    const child = spawn(process.execPath, [...args, "payment.test.ts"], { cwd: folder, env });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk));
    const kill = setTimeout(() => child.kill("SIGKILL"), 50_000);
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    clearTimeout(kill);
    return { code, output };
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
}

describe("a test emulator that no test stops", () => {
  const runners = {
    mocha: { args: [mocha, "--timeout", "30000"], imports: "" },
    "node --test": { args: ["--test"], imports: 'import { after, before, describe, it } from "node:test";' },
  };
  for (const [runner, { args, imports }] of Object.entries(runners)) {
    for (const stop of ["", "after(() => emulator.stop());"]) {
      it(`${runner} ${stop === "" ? "without" : "with"} a stop: ends by itself`, async () => {
        const { code, output } = await run(
          args,
          `${imports}
import { startTestEmulator } from ${JSON.stringify(join(root, "testing", "index.ts"))};
describe("an emulator", () => {
  let emulator;
  before(async () => { emulator = await startTestEmulator(); });
  ${stop}
  it("answers", async () => {
    if ((await fetch(emulator.info.apiUrl + "/chains")).status !== 200) throw new Error("no answer");
  });
  it("still answers in the next test", async () => {
    if ((await fetch(emulator.info.apiUrl + "/chains")).status !== 200) throw new Error("no answer");
  });
});
`,
        );
        expect(code, output).to.equal(0);
        expect(output).to.match(/2 passing|pass 2\b/);
      }).timeout(60_000);
    }
  }
});
