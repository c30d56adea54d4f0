import { expect } from "chai";
import { AnvilMissingError, startAnvil } from "../../emulator/chains/fork/startAnvil.ts";
import { startChains, startEmulator } from "../../emulator/index.ts";
import { type EmulatorFixture, startFixture } from "../helpers/emulatorFixture.ts";
import { failureOf } from "../helpers/failureOf.ts";
import { gained } from "../helpers/localChain.ts";
import { carryOut, quoteFor } from "../helpers/quotes/intents.ts";
import { mainnet } from "./replica/addresses.ts";
import type { ReplicaNode } from "./replica/openNode.ts";
import { startReplica } from "./replica/startReplica.ts";
import { keepCacheApart } from "./support/keepCacheApart.ts";
import { useInstalledAnvil } from "./support/useInstalledAnvil.ts";

const recipient = "0x00000000000000000000000000000000000a11ce";

describe("anvil", () => {
  let replica: ReplicaNode;
  keepCacheApart();
  before("start the replica", async () => {
    useInstalledAnvil();
    replica = await startReplica();
  });
  after("stop it", () => replica.close());

  /** Pays USDC in both directions, and asserts that the quoted amounts arrive. */
  const payBothWays = async (fixture: EmulatorFixture) => {
    for (const way of [fixture, { ...fixture, alpha: fixture.beta, beta: fixture.alpha }]) {
      const quote = await quoteFor(way, { from: "USDC", recipient, to: "WETH" });
      const got = await gained(way.beta, way.beta.currency("WETH"), recipient, () => carryOut(way, quote));
      expect(got.toString()).to.equal(quote.details?.currencyOut.amount);
    }
  };

  it("a fork by anvil keeps its tokens and pools, and is paid both ways", async () => {
    const fixture = await startFixture({ forks: [{ engine: "anvil", id: 1, rpcUrl: replica.url }] });
    try {
      const { contracts, currencies, name } = fixture.beta.info;
      expect([name, contracts.uniswapV2Router]).to.deep.equal(["ethereum", mainnet.uniswapV2.router]);
      expect(currencies.map(({ address }) => address)).to.include.members([mainnet.usdc, mainnet.usdt]);
      await payBothWays(fixture);
    } finally {
      await fixture.stop();
    }
  });

  it("a fork that runs elsewhere, by `anvil --fork-url`, is used as an external chain with what stands on it", async () => {
    const fork = await startAnvil([
      ...["--fork-url", replica.url, "--port", "0", "--hardfork", "prague", "--no-storage-caching"],
      ...["--accounts", "10", "--chain-id", "1"],
    ]);
    const local = await startChains({ chainCount: 1, chainPorts: [0] });
    const [alpha] = local.chains;
    if (alpha === undefined) throw new Error("no chain runs");
    const chains = [
      { id: 31_337, rpcUrl: alpha.rpcUrl },
      { id: 1, rpcUrl: fork.rpcUrl },
    ];
    const fixture = await startFixture({ chainPorts: undefined, chains });
    try {
      const { contracts, currencies, name } = fixture.beta.info;
      expect([name, contracts.permit2]).to.deep.equal(["ethereum", mainnet.permit2]);
      expect(contracts.uniswapV2Router).to.equal(mainnet.uniswapV2.router);
      expect(currencies.map(({ address }) => address)).to.include.members([mainnet.usdc, mainnet.weth]);
      await payBothWays(fixture);
    } finally {
      await fixture.stop();
      await local.close();
      await fork.close();
    }
  });

  it("the clock advances a fork by anvil, and a reorganisation takes its newest blocks back", async () => {
    const forks = [{ engine: "anvil", id: 1, rpcUrl: replica.url }] as const;
    const fixture = await startFixture({ forks, reorgs: true });
    try {
      const { control } = fixture.emulator;
      const before = await fixture.beta.reader.getBlock();
      await control.clock.advance(3_600_000);
      const later = await fixture.beta.reader.getBlock();
      expect(Number(later.timestamp - before.timestamp)).to.be.within(3_600, 3_660);
      await payBothWays(fixture);
      const last = await fixture.beta.reader.getBlock();
      await control.chains.reorg({ blocks: 1, chainId: 1 });
      const replaced = await fixture.beta.reader.getBlock({ blockNumber: last.number });
      expect(replaced.hash).to.not.equal(last.hash);
    } finally {
      await fixture.stop();
    }
  });

  it("without its package, a fork by anvil is refused with the command that installs it", async () => {
    const path = process.env["PATH"];
    process.env["PATH"] = "";
    try {
      const forks = [{ engine: "anvil", id: 1, rpcUrl: replica.url }] as const;
      const error = await failureOf(startEmulator({ chainPorts: [0, 0], forks, port: 0 }));
      expect(error).to.be.instanceOf(AnvilMissingError).with.property("code", "ANVIL_MISSING");
      expect(String(error)).to.contain("npm install --save-dev @foundry-rs/anvil");
    } finally {
      process.env["PATH"] = path;
    }
  });
});
