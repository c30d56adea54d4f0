import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { type Emulator, startEmulator } from "../../../emulator/index.ts";
import { BaseError } from "../../../src/errors/BaseError.ts";
import { expectTypedFailures, nearly } from "../../helpers/invalidArguments.ts";

const account = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const native = "0x0000000000000000000000000000000000000000";
const balance = { account, amount: 5n, chainId: 31337, currency: native };

/** Valid arguments of each function of the handle, in the place of its parameters. */
type Calls = Readonly<Record<string, readonly [parameters: object, act: (given: never) => unknown]>>;

type Given = Readonly<Record<string, never>>;

function callsOf(emulator: Emulator, keyId: string): Calls {
  const { control, webhooks } = emulator;
  return {
    "balances.get": [balance, (given: never) => control.balances.get(given)],
    "balances.set": [balance, (given: never) => control.balances.set(given)],
    "chains.health": [{ chainId: 31337 }, ({ chainId }: Given) => control.chains.health(chainId as never)],
    "chains.reorg": [
      { blocks: 1, chainId: 31337, returns: true },
      (given: never) => control.chains.reorg(given),
    ],
    "chains.setHealth": [
      { change: { blockProductionLagging: false, disabled: false, partialDisableLimit: 5 }, chainId: 31337 },
      ({ chainId, change }: Given) => control.chains.setHealth(chainId as never, change as never),
    ],
    "clock.advance": [{ by: 1 }, ({ by }: Given) => control.clock.advance(by as never)],
    "clock.set": [{ to: Date.now() + 10 ** 7 }, ({ to }: Given) => control.clock.set(to as never)],
    "config.set": [
      { capacityPerRequest: "5", rateLimits: false, requestsV2Sunset: "never", routerVersion: "v3" },
      (given: never) => control.config.set(given),
    ],
    "faults.add": [{ kind: "slow-fill", ms: 5, times: 1 }, (given: never) => control.faults.add(given)],
    "faults.remove": [{ id: "fault-0" }, ({ id }: Given) => control.faults.remove(id as never)],
    "keys.create": [{ name: "a key" }, (given: never) => control.keys.create(given)],
    "keys.revoke": [{ id: "none" }, ({ id }: Given) => control.keys.revoke(id as never)],
    log: [{ after: 0, limit: 5 }, (given: never) => control.log(given)],
    "prices.repegPools": [
      { chainId: 31337 },
      ({ chainId }: Given) => control.prices.repegPools(chainId as never),
    ],
    "prices.set": [{ ETH: "2500", USDC: "1" }, (given: never) => control.prices.set(given)],
    restore: [{ id: "snapshot-0" }, ({ id }: Given) => control.restore(id as never)],
    "webhooks.deliveries": [
      { filter: { kind: "event", limit: 5, state: "failed", status: "success" }, keyId },
      ({ filter, keyId: id }: Given) => webhooks.deliveries(id as never, filter as never),
    ],
    "webhooks.get": [{ keyId }, ({ keyId: id }: Given) => webhooks.get(id as never)],
    "webhooks.remove": [{ keyId }, ({ keyId: id }: Given) => webhooks.remove(id as never)],
    "webhooks.resend": [
      { id: 1, keyId },
      ({ id, keyId: key }: Given) => webhooks.resend(key as never, id as never),
    ],
    "webhooks.set": [
      { keyId, settings: { headers: { "x-own": "1" }, isEnabled: false, url: "http://127.0.0.1:1/" } },
      ({ keyId: id, settings }: Given) => webhooks.set(id as never, settings as never),
    ],
    "webhooks.test": [
      { keyId, status: "success" },
      ({ keyId: id, status }: Given) => webhooks.test(id as never, status as never),
    ],
  };
}

describe("the handle of a running emulator", () => {
  let emulator: Emulator;
  let calls: Calls;
  before("starting", async () => {
    emulator = await startEmulator({ chainPorts: [0, 0], port: 0, reorgs: true });
    calls = callsOf(emulator, emulator.info.apiKeys[0]?.id ?? "");
  });
  after("stopping", () => emulator.stop());

  for (const name of Object.keys(callsOf({ control: {}, webhooks: {} } as never, ""))) {
    it(`${name} with arbitrary arguments throws typed errors only`, async () => {
      const [parameters = {}, act = () => undefined] = calls[name] ?? [];
      await expectTypedFailures(nearly(parameters), act, 60);
    }).timeout(30_000);
  }

  it("an invalid fault, price, condition or setting: the error names the field", async () => {
    const { control } = emulator;
    const wrong: readonly [string, () => Promise<unknown>][] = [
      ["kind", () => control.faults.add({ kind: "none" } as never)],
      ["ETH", () => control.prices.set({ ETH: 5 as never })],
      ["disabled", () => control.chains.setHealth(31337, { disabled: "yes" as never })],
      ["routerVersion", () => control.config.set({ routerVersion: "v9" as never })],
    ];
    for (const [parameter, act] of wrong) {
      const error = await act().catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(BaseError).and.include({ code: "INVALID_PARAMETER", parameter });
    }
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
