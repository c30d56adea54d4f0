import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect } from "chai";

const root = new URL("../../..", import.meta.url).pathname;

describe("the action that starts an emulator", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "waybill-action-"));
  });
  afterEach(() => {
    const pid = /^pid=(\d+)$/m.exec(read("output"))?.[1];
    if (pid !== undefined) process.kill(-Number(pid), "SIGTERM");
    rmSync(folder, { force: true, maxRetries: 10, recursive: true });
  });

  function read(name: string): string {
    return readFileSync(join(folder, name), { encoding: "utf8", flag: "a+" });
  }

  /** Runs the action's script as a runner does, with `npx` as the command of this clone. */
  function start(settings: Readonly<Record<string, string>>): Promise<{ code: unknown; out: string }> {
    const npx = `#!/usr/bin/env bash\nexec ${process.execPath} --disable-warning=ExperimentalWarning ${root}/cli/waybill.ts "\${@:3}"\n`;
    writeFileSync(join(folder, "npx"), npx);
    chmodSync(join(folder, "npx"), 0o755);
    const env = {
      ...process.env,
      ...settings,
      GITHUB_ENV: join(folder, "env"),
      GITHUB_OUTPUT: join(folder, "output"),
      PATH: `${folder}${delimiter}${process.env["PATH"]}`,
      RUNNER_TEMP: folder,
    };
    return new Promise((resolve) => {
      execFile("bash", [join(root, "action", "start.sh")], { env }, (error, out) =>
        resolve({ code: error?.code ?? 0, out }),
      );
    });
  }

  it("exports an address that answers, with the chains that its flags ask for", async () => {
    const { code, out } = await start({ EMULATOR_ARGUMENTS: "--chain-ids 777001,777002" });
    expect(code, out).to.equal(0);
    const url = /^WAYBILL_EMULATOR=(.+)$/m.exec(read("env"))?.[1];
    expect(read("output")).to.include(`api-url=${url}`);
    const { chains } = (await (await fetch(`${url}/chains`)).json()) as { chains: { id: number }[] };
    expect(chains.map(({ id }) => id)).to.include.members([777001, 777002]);
  }).timeout(60_000);

  it("fails with the command's own words when the emulator does not start", async () => {
    const { code, out } = await start({ EMULATOR_ARGUMENTS: "--prot 1" });
    expect(code).to.equal(1);
    expect(out).to.include("ended before it served").and.include("unknown option '--prot'");
    expect(read("env")).to.equal("");
  }).timeout(60_000);
});
