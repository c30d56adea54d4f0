import type { Address } from "viem";
import type { ForkEngine } from "../../../emulator/chains/chainDefinitions.ts";
import { type EmulatorFixture, startFixture, type TestChain } from "../../helpers/emulatorFixture.ts";
import { startReplica } from "../replica/startReplica.ts";
import { moveCache } from "./keepCacheApart.ts";
import { useInstalledAnvil } from "./useInstalledAnvil.ts";

/** An emulator with a local chain and a fork of Ethereum. */
export type ForkFixture = EmulatorFixture & {
  /** The fork. */
  readonly ethereum: TestChain;
  readonly local: TestChain;
  /** The fixture whose payments start on the fork. */
  readonly outbound: EmulatorFixture;
  /** Sets the balance of an account on the fork. */
  give(currency: Address, account: Address, amount: bigint): Promise<void>;
  /** Asserts that accounts on the fork hold none of a token. */
  assertEmpty(token: Address, accounts: readonly Address[]): Promise<void>;
};

/** Program that runs the forks: `FORK_ENGINE`, by default Hardhat. */
const usualEngine: ForkEngine = process.env["FORK_ENGINE"] === "anvil" ? "anvil" : "hardhat";

type Upstream = { readonly name: string; readonly url: string; close(): Promise<void> };

/** The node of `ETHEREUM_RPC_URL`, or a replica. `ETHEREUM_BLOCK` pins the block of a node. */
async function openUpstream(): Promise<Upstream> {
  const given = process.env["ETHEREUM_RPC_URL"] ?? "";
  if (given !== "") {
    // The path may contain a key.
    return { close: async () => {}, name: `the node at ${new URL(given).host}`, url: given };
  }
  const { close, url } = await startReplica();
  const restore = moveCache();
  return {
    close: async () => {
      await close();
      restore();
    },
    name: "the replica",
    url,
  };
}

async function start(upstream: Upstream, engine: ForkEngine): Promise<ForkFixture> {
  const block = process.env["ETHEREUM_BLOCK"];
  const fork = { engine, id: 1, rpcUrl: upstream.url, ...(block !== undefined && { block: Number(block) }) };
  const fixture = await startFixture({ forks: [fork] });
  const { alpha: local, beta: ethereum, emulator } = fixture;
  return {
    ...fixture,
    assertEmpty: async (token, accounts) => {
      for (const account of accounts) {
        const held = await ethereum.balanceOf(token, account);
        if (held !== 0n) throw new Error(`${account} holds ${held} of ${token}`);
      }
    },
    ethereum,
    give: async (currency, account, amount) => {
      await emulator.control.balances.set({ account, amount, chainId: 1, currency });
    },
    local,
    outbound: { ...fixture, alpha: ethereum, beta: local },
  };
}

/** Starts the fork before a suite's tests, says which upstream it reads, and stops it afterwards. */
export function useFork({ engine = usualEngine }: { engine?: ForkEngine } = {}): ForkFixture {
  let started: ForkFixture | undefined;
  let upstream: Upstream | undefined;
  before("start a fork of Ethereum", async () => {
    useInstalledAnvil();
    upstream = await openUpstream();
    started = await start(upstream, engine);
    console.log(`    fork of Ethereum by ${engine} over ${upstream.name}`);
  });
  after("stop the fork", async () => {
    await started?.stop();
    await upstream?.close();
  });
  return new Proxy({} as ForkFixture, {
    get: (_, name) => {
      if (started === undefined) throw new Error("no fork runs");
      return started[name as keyof ForkFixture];
    },
  });
}
