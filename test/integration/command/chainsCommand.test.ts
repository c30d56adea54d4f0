import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { startEmulator } from "../../../emulator/index.ts";

const cli = new URL("../../../cli/waybill.ts", import.meta.url).pathname;

describe("the chains command", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "waybill-chains-"));
  });
  afterEach(() => rmSync(folder, { force: true, recursive: true }));

  it("runs the chains alone, for emulators that start and stop, and exits on SIGTERM with code 0", async () => {
    const out = join(folder, "chains.json");
    const flags = [
      "--disable-warning=ExperimentalWarning",
      cli,
      "chains",
      "--chain-ports",
      "0,0",
      "--out",
      out,
    ];
    const child = spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "inherit"] });
    let printed = "";
    let written = "";
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
    const exited = new Promise<number | NodeJS.Signals | null>((resolve) => {
      child.once("close", (code, signal) => resolve(code ?? signal));
    });
    try {
      while (!existsSync(out)) {
        if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      written = readFileSync(out, "utf8");
      const { chains } = JSON.parse(written) as {
        chains: { id: number; rpcUrl: string }[];
      };
      expect(chains.map(({ id }) => id)).to.deep.equal([31_337, 31_338]);
      for (let run = 0; run < 2; run++) {
        const emulator = await startEmulator({ chains, port: 0 });
        expect(emulator.info.chains.map(({ rpcUrl }) => rpcUrl)).to.deep.equal(
          chains.map(({ rpcUrl }) => rpcUrl),
        );
        await emulator.stop();
      }
    } finally {
      child.kill("SIGTERM");
    }
    expect(await exited).to.equal(0);
    expect(printed).to.equal(written);
  });

  it("rejects invalid ports, and chains without an address, in one sentence", async () => {
    for (const flags of [
      ["chains", "--chain-ports", "no"],
      ["emulator", "--chain", "31337"],
      ["emulator", "--chain", "x=http://127.0.0.1:1"],
      ["emulator", "--chain", "31337=ftp://127.0.0.1"],
    ]) {
      const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", cli, ...flags], {
        stdio: ["ignore", "ignore", "pipe"],
      });
      let said = "";
      child.stderr.on("data", (chunk: Buffer) => {
        said += chunk.toString();
      });
      const code = await new Promise((resolve) => child.once("close", resolve));
      expect(code, flags.join(" ")).to.equal(2);
      expect(said)
        .to.match(/A port is a number|A chain is its id/)
        .and.not.match(/\n\s+at /);
    }
  });
});
