import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { type EmulatorInfo, startEmulator } from "../../../emulator/index.ts";
import { BaseError } from "../../../src/errors/BaseError.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { runWaybill } from "../../helpers/processes/runWaybill.ts";
import { useSpawnedEmulators } from "../../helpers/processes/spawnEmulator.ts";
import { useCommandFolder } from "../../helpers/processes/useCommandFolder.ts";

describe("the emulator command's settings", function () {
  this.timeout(60_000);
  const { start } = useSpawnedEmulators();
  const read = async ({ adminKey, apiUrl }: EmulatorInfo, path: string) =>
    (await fetch(`${apiUrl}${path}`, { headers: { "x-admin-key": adminKey } })).json();

  it("flags of the command reach the control, and keys follow from the seed", async () => {
    const flags = [
      ...["--seed", "42", "--router-version", "v2.1", "--rate-limits", "--reorgs", "--lenient"],
      ...["--requests-v2-sunset", "2027-01-31"],
    ];
    const [{ info: first }, { info: second }] = await Promise.all([start(flags), start(["--seed", "42"])]);
    expect(first.adminKey).to.equal(second.adminKey);
    expect(first.apiKeys).to.deep.equal(second.apiKeys);
    expect(await read(first, "/admin/config")).to.deep.equal({
      advancePerKey: "50000",
      advancePerRequest: "10000",
      allowRemoteWebhooks: false,
      capacityPerRequest: "10000000",
      lenient: true,
      rateLimits: true,
      reorgs: true,
      requestsV2Sunset: "2027-01-31T00:00:00.000Z",
      routerVersion: "v2.1",
    });
    expect(await read(second, "/admin/config")).to.include({
      lenient: false,
      requestsV2Sunset: "2026-11-24T00:00:00.000Z",
      routerVersion: "v3",
    });
  });

  it("--now sets the clock by a date or unix seconds, and chains have the named ids", async () => {
    const ids = ["--chain-ids", "777001,777002"];
    const [{ info: dated }, { info: counted }] = await Promise.all([
      start(["--now", "2027-12-24", ...ids]),
      start(["--now", "1830000000"]),
    ]);
    const clockOf = async (info: EmulatorInfo) => (await read(info, "/admin/clock")).now;
    expect(await clockOf(dated)).to.be.within(Date.UTC(2027, 11, 24), Date.UTC(2027, 11, 24, 0, 1));
    expect(await clockOf(counted)).to.be.within(1_830_000_000_000, 1_830_000_060_000);
    expect((await fetch(`${dated.apiUrl}/requests/v2`)).status).to.equal(410);
    expect(dated.chains.map(({ id, name }) => [id, name])).to.deep.equal([
      [777_001, "alpha"],
      [777_002, "beta"],
    ]);
  });

  it("pages of the named origins read answers, and no others", async () => {
    const { info } = await start(["--cors", "http://localhost:3000,https://shop.example"]);
    const { apiUrl } = info;
    const allowed = async (origin: string) =>
      (await fetch(`${apiUrl}/chains`, { headers: { origin } })).headers.get("access-control-allow-origin");
    expect(await allowed("http://localhost:3000")).to.equal("http://localhost:3000");
    expect(await allowed("https://shop.example")).to.equal("https://shop.example");
    expect(await allowed("https://other.example")).to.equal(null);
  });
});

describe("commands that control an emulator", () => {
  const fixture = useEmulator();
  const { emulatorFile } = useCommandFolder(fixture);
  const run = (...args: readonly string[]) => runWaybill([...args, "--emulator", emulatorFile]);

  it("fault add, list and clear: the emulator has the fault with its fields, and then none", async () => {
    const added = await run("fault", "add", "fill-fails", "failReason=SLIPPAGE", "count=2");
    expect(added).to.include({ code: 0, err: "" });
    const [fault] = fixture.emulator.control.faults.list();
    expect(fault?.spec).to.include({ count: 2, failReason: "SLIPPAGE", kind: "fill-fails" });
    expect(added.out).to.equal(
      `${fault?.id}  fill-fails  failReason=SLIPPAGE  count=2  probability=1  fired 0\n`,
    );
    expect(JSON.parse((await run("fault", "list", "--json")).out).faults).to.have.length(1);
    expect(await run("fault", "clear", fault?.id ?? "")).to.include({ code: 0 });
    expect(await run("fault", "list")).to.include({ code: 0, out: "No fault can fire.\n" });
  });

  it("WAYBILL_EMULATOR names the emulator as --emulator does, and a flag wins", async () => {
    const by = (file: string, ...args: readonly string[]) =>
      runWaybill(["clock", "--json", ...args], { env: { WAYBILL_EMULATOR: file } });
    expect(await by(emulatorFile)).to.include({ code: 0, err: "" });
    expect(await by("none.json")).to.include({ code: 2, out: "" });
    expect(await by("none.json", "--emulator", emulatorFile)).to.include({ code: 0, err: "" });
  });

  it("clock: advances, freezes and resumes the clock, and refuses a time before it", async () => {
    const before = fixture.emulator.control.clock.read().now;
    const { code, out } = await run("clock", "--advance", "3600", "--freeze", "--json");
    expect(code).to.equal(0);
    expect(JSON.parse(out)).to.deep.equal(fixture.emulator.control.clock.read());
    expect(JSON.parse(out).now - before).to.be.greaterThan(3_599_999);
    expect((await run("clock", "--resume")).out).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}running\n$/);
    expect(await run("clock", "--set", "2001-01-01")).to.include({ code: 1, out: "" });
  });
});

describe("startEmulator", () => {
  const settings: readonly [string, object][] = [
    ["chainCount", { chainCount: 1.5 }],
    ["chainPorts", { chainPorts: "8545" }],
    ["chains", { chains: [{ id: "31337" }] }],
    ["port", { port: "4000" }],
    ["capacityPerRequest", { capacityPerRequest: 5 }],
    ["requestsV2Sunset", { requestsV2Sunset: "tomorrow" }],
    ["routerVersion", { routerVersion: "v9" }],
    ["rateLimits", { rateLimits: "yes" }],
    ["database", { database: 5 }],
    ["hostname", { hostname: 5 }],
    ["log", { log: "console" }],
    ["now", { now: "2026-11-24" }],
    ["chainIds", { chainIds: ["31337"] }],
    ["seed", { seed: 5 }],
  ];
  for (const [parameter, setting] of settings) {
    it(`startEmulator with a ${parameter} of another type names it and starts nothing`, async () => {
      const started = startEmulator({ chainPorts: [0, 0], port: 0, ...setting } as never);
      const error = await started.then(
        (running) => running.stop().then(() => "started"),
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(BaseError).and.include({ code: "INVALID_PARAMETER" });
      expect(error)
        .to.have.property("parameter")
        .which.matches(new RegExp(`^${parameter}`));
    }).timeout(20_000);
  }

  it("startEmulator with a node that answers everything but its chain id with an object rejects with a typed error", async () => {
    const server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString("utf8");
      const { id, method } = JSON.parse(body) as { id: number; method: string };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ id, jsonrpc: "2.0", result: method === "eth_chainId" ? "0x7a69" : {} }));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const started = startEmulator({ chains: [{ id: 31337, rpcUrl }], port: 0 });
      const error = await started.catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(BaseError).and.include({ code: "START_FAILED" });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }).timeout(20_000);
});
