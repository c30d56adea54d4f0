import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { startEmulator } from "../../../emulator/index.ts";
import { BaseError } from "../../../src/errors/BaseError.ts";

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
