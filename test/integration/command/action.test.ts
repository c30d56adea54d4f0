import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect } from "chai";
import { runWaybill } from "../../helpers/processes/runWaybill.ts";

const root = new URL("../../..", import.meta.url).pathname;
const action = readFileSync(join(root, "action", "action.yml"), "utf8");
const found = (pattern: RegExp) => [...action.matchAll(pattern)].map(([, ...groups]) => groups as string[]);
/** Inputs with their defaults, and the variables of the one step that get their values. */
const defaults = Object.fromEntries(found(/^ {2}([a-z-]+):\n {4}description: .+\n {4}default: "(.*)"$/gm));
const settings = found(/^ {8}(\w+): \$\{\{ inputs\.([a-z-]+) \}\}$/gm) as [string, string][];
const outputs = found(/^ {4}value: \$\{\{ steps\.start\.outputs\.([a-z-]+) \}\}$/gm).flat();
const [[command = ""] = []] = found(/^ {6}run: (.+)$/gm);

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

  /** Runs the action's step as a runner does, with `npx` as the command of this clone. */
  function start(inputs: Readonly<Record<string, string>>): Promise<{ code: unknown; out: string }> {
    const npx = `#!/usr/bin/env bash
echo "$*" >>"$RUNNER_TEMP/npx-arguments"
[[ $1 != --yes ]] || exec sleep 60
exec ${process.execPath} --disable-warning=ExperimentalWarning ${root}/cli/waybill.ts "\${@:3}"
`;
    writeFileSync(join(folder, "npx"), npx);
    chmodSync(join(folder, "npx"), 0o755);
    const values = { ...defaults, ...inputs };
    const env = {
      ...process.env,
      ...Object.fromEntries(settings.map(([name, input]) => [name, values[input]])),
      GITHUB_ACTION_PATH: join(root, "action"),
      GITHUB_ENV: join(folder, "env"),
      GITHUB_OUTPUT: join(folder, "output"),
      PATH: `${folder}${delimiter}${process.env["PATH"]}`,
      RUNNER_TEMP: folder,
    };
    const shell = ["--noprofile", "--norc", "-eo", "pipefail", "-c", command];
    return new Promise((resolve) => {
      execFile("bash", shell, { cwd: folder, env }, (error, out) => resolve({ code: error?.code ?? 0, out }));
    });
  }
  const value = (file: string, name: string) => new RegExp(`^${name}=(.+)$`, "m").exec(read(file))?.[1] ?? "";

  it("exports an address that answers, with the chains that its flags ask for, and all its outputs", async () => {
    const { code, out } = await start({ arguments: "--chain-ids 777001,777002" });
    expect(code, out).to.equal(0);
    const url = value("env", "WAYBILL_URL");
    const { chains } = (await (await fetch(`${url}/chains`)).json()) as { chains: { id: number }[] };
    expect(chains.map(({ id }) => id)).to.include.members([777001, 777002]);
    expect(outputs).to.have.members(["api-url", "info", "log"]);
    expect(value("output", "api-url")).to.equal(url);
    expect(value("output", "info")).to.equal(value("env", "WAYBILL_EMULATOR"));
    for (const name of ["info", "log"])
      expect(readFileSync(value("output", name), "utf8")).to.include(`"${url}"`);
    const env = { WAYBILL_EMULATOR: value("env", "WAYBILL_EMULATOR"), WAYBILL_URL: url };
    expect(await runWaybill(["fault", "list"], { env })).to.include({ code: 0, err: "" });
    expect(read("npx-arguments")).to.match(
      /^--no-install waybill emulator --port 0 --chain-ports 0,0 --out /,
    );
  }).timeout(60_000);

  it("version: fetches that version of the emulator, and ends it where it takes too long", async () => {
    const { code, out } = await start({ version: "9.9.9", "wait-seconds": "2" });
    expect(code).to.equal(1);
    expect(out).to.include("::error::The emulator did not serve within 2 s.");
    expect(read("npx-arguments")).to.match(/^--yes --package=@waybill\/emulator@9\.9\.9 waybill emulator /);
    expect([read("env"), read("output")]).to.deep.equal(["", ""]);
  }).timeout(60_000);

  it("fails with the command's own words when the emulator does not start", async () => {
    const { code, out } = await start({ arguments: "--prot 1" });
    expect(code).to.equal(1);
    expect(out).to.include("ended before it served").and.include("unknown option '--prot'");
    expect(read("env")).to.equal("");
  }).timeout(60_000);
});
