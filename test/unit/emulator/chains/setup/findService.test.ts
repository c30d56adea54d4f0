import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import type { RunningChain } from "../../../../../emulator/chains/Chain.ts";
import { connectChain } from "../../../../../emulator/chains/evm/connectChain.ts";
import { type StartedChains, startChains } from "../../../../../emulator/chains/local/startChains.ts";
import {
  findOrDeployService,
  ServiceMissingError,
} from "../../../../../emulator/chains/setup/findService.ts";
import type { Store } from "../../../../../emulator/store/tables.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";
import { accounts } from "../../support/liveChain.ts";
import { emptyStore } from "../../support/requests.ts";

/** Starts a node in front of another one, with standard methods only: no websocket and no unlocked account. */
async function startPlainNode(url: string): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const body = Buffer.concat(parts).toString();
      const { id, method } = JSON.parse(body) as { id: number; method: string };
      const isPlain = /^(?:eth|net|web3)_/.test(method) && method !== "eth_sendTransaction";
      const error = { code: -32_601, message: `the method ${method} does not exist` };
      response.setHeader("content-type", "application/json");
      response.end(
        isPlain
          ? await (await fetch(url, { body, method: "POST" })).text()
          : JSON.stringify({ error, id, jsonrpc: "2.0" }),
      );
      // Malformed and aborted requests get no answer.
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    close: () => {
      server.close();
      server.closeAllConnections();
    },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
}

/** A chain outside the emulator, started for each test. */
type Elsewhere = {
  /** The chain itself. */
  first(): RunningChain;
  /** Connects to its node, or to another one. */
  connect(rpcUrl?: string): Promise<RunningChain>;
  /** Connects to it through a node with standard methods only. */
  connectPlain(): Promise<RunningChain>;
  /** Opens an empty database. */
  store(): Promise<Store>;
};

/** Call it in a suite's declaration; every chain ends with its test. */
function useElsewhere(): Elsewhere {
  let started: StartedChains;
  const closers: (() => unknown)[] = [];
  beforeEach(async () => {
    started = await startChains({ chainCount: 1, chainPorts: [0] });
    closers.push(() => started.close());
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  const tools: Elsewhere = {
    connect: async (rpcUrl = tools.first().rpcUrl) => {
      const chain = await connectChain({ id: 31_337, rpcUrl });
      closers.push(chain.close);
      return chain;
    },
    connectPlain: async () => {
      const node = await startPlainNode(tools.first().rpcUrl);
      closers.push(node.close);
      return tools.connect(node.url);
    },
    first: () => {
      const [chain] = started.chains;
      if (chain === undefined) throw new Error("no chain");
      return chain;
    },
    store: async () => {
      const store = await emptyStore();
      closers.push(() => store.destroy());
      return store;
    },
  };
  return tools;
}

describe("findOrDeployService", function () {
  this.timeout(60_000);
  const { connect, first, store: open } = useElsewhere();

  it("recorded code that the chain lacks, then another genesis block: throws ServiceMissingError", async () => {
    const store = await open();
    const start = await first().rpc("evm_snapshot");
    const find = async () => findOrDeployService(await connect(), accounts, store);
    await find();
    await first().rpc("evm_revert", [start]);
    const gone = await failureOf(find());
    const genesis_hash = `0x${"12".repeat(32)}`;
    await store.updateTable("chains").set({ genesis_hash }).execute();
    const other = await failureOf(find());
    for (const [error, reason] of [
      [gone, /nothing is at 0x/],
      [other, /another block/],
    ] as const) {
      expect(error).to.be.instanceOf(ServiceMissingError).with.property("message").that.matches(reason);
    }
  });
});
