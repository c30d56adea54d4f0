import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import type { EmulatorInfo } from "../../../emulator/index.ts";
import { readOut, type SpawnedEmulator, spawnEmulator } from "../../helpers/processes/spawnEmulator.ts";

describe("the emulator command's settings", function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), "waybill-"));
  const running: SpawnedEmulator[] = [];
  after(async () => {
    for (const { child, exited } of running.splice(0)) {
      child.kill("SIGKILL");
      await exited;
    }
    rmSync(folder, { force: true, recursive: true });
  });

  async function start(name: string, flags: readonly string[]): Promise<EmulatorInfo> {
    const file = join(folder, `${name}.json`);
    const emulator = spawnEmulator(["--port", "0", "--chain-ports", "0,0", "--out", file, ...flags]);
    running.push(emulator);
    return readOut(file, emulator);
  }

  async function refusalOf(flags: readonly string[]): Promise<string> {
    const emulator = spawnEmulator(["--port", "0", "--chain-ports", "0,0", ...flags]);
    running.push(emulator);
    expect(await emulator.exited).to.equal(2);
    return emulator.output().stderr;
  }

  it("flags of the command reach the control, and keys follow from the seed", async () => {
    const flags = [
      "--seed",
      "42",
      "--router-version",
      "v2.1",
      "--capacity",
      "123.5",
      "--rate-limits",
      "--requests-v2-sunset",
      "2027-01-31",
      "--reorgs",
    ];
    const [first, second] = await Promise.all([start("first", flags), start("second", ["--seed", "42"])]);
    expect(first.adminKey).to.equal(second.adminKey);
    expect(first.apiKeys).to.deep.equal(second.apiKeys);
    const configOf = async ({ adminKey, apiUrl }: EmulatorInfo) =>
      (await fetch(`${apiUrl}/admin/config`, { headers: { "x-admin-key": adminKey } })).json();
    expect(await configOf(first)).to.deep.equal({
      advancePerKey: "50000",
      advancePerRequest: "10000",
      allowRemoteWebhooks: false,
      capacityPerRequest: "123.5",
      rateLimits: true,
      reorgs: true,
      requestsV2Sunset: "2027-01-31T00:00:00.000Z",
      routerVersion: "v2.1",
    });
    expect(await configOf(second)).to.deep.equal({
      advancePerKey: "50000",
      advancePerRequest: "10000",
      allowRemoteWebhooks: false,
      capacityPerRequest: "10000000",
      rateLimits: false,
      reorgs: false,
      requestsV2Sunset: "2026-11-24T00:00:00.000Z",
      routerVersion: "v3",
    });
  });

  it("--now sets the clock by a date or unix seconds, and chains have the named ids", async () => {
    const ids = ["--chain-ids", "777001,777002"];
    const [dated, counted] = await Promise.all([
      start("dated", ["--now", "2027-12-24", ...ids]),
      start("counted", ["--now", "1830000000"]),
    ]);
    const clockOf = async ({ adminKey, apiUrl }: EmulatorInfo) => {
      const answer = await fetch(`${apiUrl}/admin/clock`, { headers: { "x-admin-key": adminKey } });
      return ((await answer.json()) as { now: number }).now;
    };
    expect(await clockOf(dated)).to.be.within(Date.UTC(2027, 11, 24), Date.UTC(2027, 11, 24, 0, 1));
    expect(await clockOf(counted)).to.be.within(1_830_000_000_000, 1_830_000_060_000);
    expect((await fetch(`${dated.apiUrl}/requests/v2`)).status).to.equal(410);
    expect(dated.chains.map(({ id, name }) => [id, name])).to.deep.equal([
      [777_001, "alpha"],
      [777_002, "beta"],
    ]);
  });

  it("pages of the named origins read answers, and no others", async () => {
    const { apiUrl } = await start("cors", ["--cors", "http://localhost:3000,https://shop.example"]);
    const allowed = async (origin: string) =>
      (await fetch(`${apiUrl}/chains`, { headers: { origin } })).headers.get("access-control-allow-origin");
    expect(await allowed("http://localhost:3000")).to.equal("http://localhost:3000");
    expect(await allowed("https://shop.example")).to.equal("https://shop.example");
    expect(await allowed("https://other.example")).to.equal(null);
  });

  it("invalid settings are rejected with a sentence", async () => {
    expect(await refusalOf(["--router-version", "v4"])).to.include("Allowed choices are v3, v2.1");
    expect(await refusalOf(["--cors", "localhost"])).to.include("An origin is scheme, host and port");
    for (const wrong of ["soon", "2026-13-01", "1"]) {
      expect(await refusalOf(["--requests-v2-sunset", wrong])).to.include("A sunset is never, or a date");
    }
    for (const wrong of ["soon", "2026-02-30", "2026-12-01T10:00", "1830000000000", "-1"]) {
      expect(await refusalOf([`--now=${wrong}`]), wrong).to.include("A time is a date");
    }
    expect(await refusalOf(["--chain-ids", "1,1"])).to.include("two of them are 1");
    expect(await refusalOf(["--chain-ids", "7,8,9", "--chains", "2"])).to.include(
      "there are 2 chains, and 3 ids",
    );
    expect(await refusalOf(["--chain-ids", "7,x"])).to.include("A chain id is a whole number");
    for (const wrong of ["0", "-1", "many"]) {
      expect(await refusalOf([`--capacity=${wrong}`])).to.include("a decimal number above zero");
    }
  });

  it("the help lists every flag", async () => {
    const emulator = spawnEmulator(["--help"]);
    running.push(emulator);
    expect(await emulator.exited).to.equal(0);
    const { stdout } = emulator.output();
    for (const flag of [
      ...["--port", "--host", "--chain-ports", "--chain ", "--db", "--reset", "--seed", "--router-version"],
      ...[
        "--capacity",
        "--rate-limits",
        "--requests-v2-sunset",
        "--reorgs",
        "--now",
        "--chain-ids",
        "--cors",
        "--allow-remote-webhooks",
        "--out",
        "--json",
        "--quiet",
      ],
    ]) {
      expect(stdout).to.include(flag);
    }
    expect(stdout).to.include("Examples:");
  });
});
