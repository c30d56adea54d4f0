import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import type { EmulatorInfo } from "../../../emulator/index.ts";
import { readOut, type SpawnedEmulator, spawnEmulator } from "../../helpers/processes/spawnEmulator.ts";

const anyPorts = ["--port", "0", "--chain-ports", "0,0"];

describe("the flags --record and --replay", () => {
  const folder = mkdtempSync(join(tmpdir(), "waybill-record-"));
  const running: SpawnedEmulator[] = [];
  afterEach(async () => {
    for (const { child, exited } of running.splice(0)) {
      child.kill("SIGKILL");
      await exited;
    }
  });
  after(() => rmSync(folder, { force: true, recursive: true }));

  const run = async (name: string, flags: readonly string[]) => {
    const out = join(folder, `${name}.json`);
    const emulator = spawnEmulator([...anyPorts, "--out", out, ...flags]);
    running.push(emulator);
    return { emulator, info: await readOut(out, emulator) };
  };
  const ask = async ({ adminKey, apiUrl }: EmulatorInfo, path: string, method = "GET") => {
    const answer = await fetch(`${apiUrl}${path}`, { headers: { "x-admin-key": adminKey }, method });
    return (await answer.json()) as Record<string, unknown>;
  };

  it("a run stopped by SIGINT: its replay has the same keys and history", async () => {
    const file = join(folder, "run.json");
    const first = await run("first", ["--record", file]);
    const result = await ask(first.info, "/admin/scenarios/refund/missing-revert-data/run", "POST");
    const path = `/admin/requests/${String(result["requestId"])}/events`;
    const history = await ask(first.info, path);
    first.emulator.child.kill("SIGINT");
    expect(await first.emulator.exited).to.equal(0);

    const second = await run("second", ["--replay", file]);
    expect(second.info.apiKeys).to.deep.equal(first.info.apiKeys);
    expect(await ask(second.info, path)).to.deep.equal(history);
    expect(history["failReason"]).to.equal("MISSING_REVERT_DATA");
  }).timeout(30_000);

  it("a replay with a flag that the recording has, or of no recording: is refused in a sentence", async () => {
    for (const [flags, sentence] of [
      [["--replay", "run.json", "--seed", "1"], /cannot be used with option/],
      [["--replay", join(folder, "nothing.json")], /the recording cannot be read/],
    ] as const) {
      const emulator = spawnEmulator([...anyPorts, ...flags]);
      running.push(emulator);
      expect(await emulator.exited).to.equal(2);
      expect(emulator.output().stderr).to.match(sentence);
      expect(emulator.output().stderr).not.to.match(/\n\s+at /);
    }
  }).timeout(30_000);
});
