import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { toHex } from "viem";
import { ForkUpstreamError } from "../../emulator/chains/fork/askUpstream.ts";
import { openUpstream, type UpstreamParameters } from "../../emulator/chains/fork/openUpstream.ts";
import { startEmulator } from "../../emulator/index.ts";
import { failureOf } from "../helpers/failureOf.ts";
import { mainnet } from "./replica/addresses.ts";
import type { ReplicaNode } from "./replica/openNode.ts";
import { startReplica } from "./replica/startReplica.ts";
import { moveCache } from "./support/keepCacheApart.ts";
import { startTroubledUpstream, type TroubledUpstream } from "./support/troubledUpstream.ts";
import { useInstalledAnvil } from "./support/useInstalledAnvil.ts";

const block = 200;
const code = ["eth_getCode", [mainnet.usdc, toHex(block)]] as const;
const attempts = 5;

describe("upstreams of forks", () => {
  let node: ReplicaNode;
  let upstream: TroubledUpstream;
  let cacheFolder: string;
  let newest: number;

  before("start the replica", async () => {
    node = await startReplica();
    newest = Number(await node.rpc("eth_blockNumber"));
  });
  after("stop the replica", () => node.close());
  beforeEach("start a proxy and an empty cache", async () => {
    upstream = await startTroubledUpstream(node.url);
    cacheFolder = mkdtempSync(join(tmpdir(), "waybill-fork-cache-"));
  });
  afterEach("stop the proxy", async () => {
    await upstream.close();
    rmSync(cacheFolder, { force: true, recursive: true });
  });

  /** Opens the block, with short pauses. */
  const open = (limits: UpstreamParameters = {}, at: number | undefined = block) => {
    const fork = { id: 1, rpcUrl: upstream.url, ...(at !== undefined && { block: at }) };
    return openUpstream(fork, { cacheFolder, pauseMs: 1, timeoutMs: 300, ...limits });
  };
  const ask = async (url: string, [method, params]: readonly [string, readonly unknown[]]) => {
    const body = JSON.stringify({ id: 1, jsonrpc: "2.0", method, params });
    const answer = await fetch(url, { body, method: "POST" });
    return (await answer.json()) as { result?: unknown; error?: { message: string } };
  };
  /** Opens an upstream that must fail, and returns the message. */
  const refusal = async () => {
    const error = await failureOf(open());
    expect(error).to.be.instanceOf(ForkUpstreamError);
    const { chainId, shortMessage } = error as ForkUpstreamError;
    expect([chainId, (error as ForkUpstreamError).block]).to.deep.equal([1, block]);
    expect(shortMessage).to.match(/^The fork of chain 1 cannot read block 200 from its upstream: /);
    expect(shortMessage).to.not.contain(upstream.url);
    return shortMessage;
  };

  it("a flaky upstream, of which two answers fail, is asked again and serves the state", async () => {
    const failures = [{ cut: true }, { status: 503 }] as const;
    upstream.trouble(({ count }) => failures[count - 1]);
    const opened = await open();
    const { result } = await ask(opened.url, code);
    expect(result).to.equal(await node.rpc(...code));
    expect(upstream.requests.filter((method) => method === "eth_getCode")).to.have.length(3);
    await opened.close();
  });

  it("an upstream that keeps failing is given up after five attempts, by chain and block", async () => {
    upstream.trouble(() => ({ cut: true }));
    expect(await refusal()).to.contain("no node answers (eth_chainId)");
    expect(upstream.requests).to.have.length(attempts);
  });

  it("a slow upstream is given up after the time limit of each attempt", async () => {
    upstream.trouble(() => ({ pauseMs: 1_000 }));
    expect(await refusal()).to.contain("it does not answer in time");
  });

  for (const [name, limit] of [
    ["status 429", { status: 429 }],
    ["a JSON-RPC error", { error: { code: -32_005, message: "limit exceeded" } }],
  ] as const) {
    it(`an upstream that limits requests by ${name} is asked again, and named when it never stops`, async () => {
      upstream.trouble(({ count }) => (count < attempts ? limit : undefined));
      await (await open()).close();
      upstream.trouble(() => limit);
      cacheFolder = join(cacheFolder, "other");
      expect(await refusal()).to.contain("it limits requests");
    });
  }

  it("an upstream without the state of the block is refused at once, with the remedy", async () => {
    upstream.trouble(({ method }) =>
      method === "eth_getBalance"
        ? { error: { code: -32_000, message: "missing trie node 0a1b" } }
        : undefined,
    );
    expect(await refusal()).to.contain("use an archive node, or a newer block");
    expect(upstream.requests.filter((method) => method === "eth_getBalance")).to.have.length(1);
  });

  it("a refused key is not tried again", async () => {
    upstream.trouble(() => ({ status: 401 }));
    expect(await refusal()).to.contain("HTTP status 401");
    expect(upstream.requests).to.have.length(1);
  });

  it("a block that the upstream does not have, and an upstream of another chain, are refused", async () => {
    const missing = await failureOf(open({}, 10 ** 9));
    expect(String(missing)).to.contain("block 1000000000").and.to.contain("it has no such block");
    const other = await failureOf(openUpstream({ block, id: 10, rpcUrl: upstream.url }, { cacheFolder }));
    expect(String(other)).to.contain("the upstream of chain 10 is a node of chain 1");
  });

  it("without a block, the newest one is forked", async () => {
    const opened = await openUpstream({ id: 1, rpcUrl: upstream.url }, { cacheFolder });
    expect(opened.block).to.equal(newest);
    await opened.close();
  });

  describe("with a cache", () => {
    const warm = async () => {
      const opened = await open();
      const { result } = await ask(opened.url, code);
      await opened.close();
      upstream.requests.splice(0);
      return result;
    };
    const cacheFile = () => join(cacheFolder, readdirSync(cacheFolder)[0] ?? "");

    it("a second start asks the upstream nothing that it has answered", async () => {
      const first = await warm();
      const opened = await open();
      expect((await ask(opened.url, code)).result).to.equal(first);
      expect(upstream.requests).to.deep.equal([]);
      await opened.close();
    });

    it("a second start works without the upstream, for what was read before", async () => {
      const first = await warm();
      upstream.trouble(() => ({ cut: true }));
      const opened = await open();
      expect((await ask(opened.url, code)).result).to.equal(first);
      const { error } = await ask(opened.url, ["eth_getCode", [mainnet.weth, toHex(block)]]);
      expect(error?.message).to.contain("chain 1").and.to.contain("block 200");
      expect(opened.failure()).to.be.instanceOf(ForkUpstreamError);
      await opened.close();
    });

    it("a file that a crash cut short loses its last answer alone", async () => {
      const first = await warm();
      const size = readFileSync(cacheFile()).length;
      truncateSync(cacheFile(), size - 10);
      const opened = await open();
      expect((await ask(opened.url, code)).result).to.equal(first);
      await opened.close();
      // The answer was appended after the broken line.
      upstream.trouble(() => ({ cut: true }));
      const again = await open();
      expect((await ask(again.url, code)).result).to.equal(first);
      await again.close();
    });

    it("the file's name and content do not contain the URL", async () => {
      await warm();
      const port = new URL(upstream.url).port;
      expect(cacheFile()).to.not.contain(port);
      expect(readFileSync(cacheFile(), "utf8")).to.not.contain(upstream.url);
    });

    for (const engine of ["hardhat", "anvil"] as const) {
      it(`a cached fork by ${engine} starts an emulator without the upstream in under three seconds`, async () => {
        useInstalledAnvil();
        const restore = moveCache();
        try {
          const forks = [{ block: newest, engine, id: 1, rpcUrl: upstream.url }];
          const start = () => startEmulator({ chainPorts: [0, 0], forks, port: 0 });
          await (await start()).stop();
          upstream.trouble(() => ({ cut: true }));
          const begin = performance.now();
          const emulator = await start();
          expect(performance.now() - begin).to.be.lessThan(3_000);
          expect(emulator.info.chains.map(({ id }) => id)).to.deep.equal([31_337, 1]);
          await emulator.stop();
        } finally {
          restore();
        }
      });
    }
  });

  for (const engine of ["hardhat", "anvil"] as const) {
    it(`an emulator whose upstream fails during the start of a fork by ${engine} names chain and block`, async () => {
      useInstalledAnvil();
      const restore = moveCache();
      try {
        upstream.trouble(({ method }) =>
          method === "eth_getCode" ? { error: { code: 1, message: "broken" } } : undefined,
        );
        const forks = [{ block: newest, engine, id: 1, rpcUrl: upstream.url }];
        const error = await failureOf(startEmulator({ chainPorts: [0, 0], forks, port: 0 }));
        expect(error).to.be.instanceOf(ForkUpstreamError);
        expect(String(error))
          .to.contain("chain 1")
          .and.to.contain(`block ${newest}`)
          .and.to.contain("broken");
      } finally {
        restore();
      }
    });
  }
});
