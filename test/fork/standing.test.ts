import { expect } from "chai";
import { concatHex, type Hex } from "viem";
import { deriveAccounts } from "../../emulator/chains/accounts.ts";
import { publicContracts } from "../../emulator/chains/fork/publicChains.ts";
import { readArtifact } from "../../emulator/chains/setup/placeContracts.ts";
import { startChains, startEmulator } from "../../emulator/index.ts";
import { type EmulatorFixture, startFixture } from "../helpers/emulatorFixture.ts";
import { failureOf } from "../helpers/failureOf.ts";
import { carryOut, quoteFor } from "../helpers/quotes/intents.ts";
import { mainnet } from "./replica/addresses.ts";
import type { ReplicaNode } from "./replica/openNode.ts";
import { startReplica } from "./replica/startReplica.ts";
import { keepCacheApart } from "./support/keepCacheApart.ts";

const { depository, routerV3 } = publicContracts(1);

describe("contracts that stand on a forked chain", () => {
  let replica: ReplicaNode;
  let fixture: EmulatorFixture;
  keepCacheApart();
  const fork = () => ({ id: 1, rpcUrl: replica.url });

  before("start a replica with the service's router, and a thief's delegation of every account", async () => {
    replica = await startReplica();
    const { deployedBytecode } = readArtifact("service/RelayRouterV3");
    await replica.rpc("hardhat_setCode", [routerV3, deployedBytecode]);
    const delegation: Hex = concatHex(["0xef0100", mainnet.weth]);
    for (const { account } of deriveAccounts().users) {
      await replica.rpc("hardhat_setCode", [account.address, delegation]);
    }
    fixture = await startFixture({ forks: [fork()] });
  });
  after("stop both", async () => {
    await fixture.stop();
    await replica.close();
  });

  it("are used: the service's router, Multicall3, Permit2, tokens and pools", () => {
    const { contracts, currencies, id, name, wrappedNative } = fixture.beta.info;
    expect([id, name]).to.deep.equal([1, "ethereum"]);
    expect(contracts.v3.erc20Router).to.equal(routerV3);
    expect(contracts.multicall3).to.equal(mainnet.multicall3);
    expect(contracts.permit2).to.equal(mainnet.permit2);
    expect(contracts.uniswapV2Router).to.equal(mainnet.uniswapV2.router);
    expect(wrappedNative).to.equal(mainnet.weth);
    expect(currencies.map(({ address }) => address).slice(1)).to.deep.equal([
      mainnet.usdc,
      mainnet.usdt,
      mainnet.weth,
    ]);
  });

  it("are replaced where they do not stand: proxy and depository are deployed", async () => {
    const { contracts } = fixture.beta.info;
    expect(contracts.depository).to.not.equal(depository);
    for (const address of [contracts.depository, contracts.v3.approvalProxy, contracts.relayReceiver]) {
      expect(await fixture.beta.reader.getCode({ address })).to.match(/^0x[0-9a-f]{100}/);
    }
  });

  it("serve a payment through the standing router", async () => {
    const quote = await quoteFor(fixture, { from: "USDC", to: "WETH" });
    await carryOut(fixture, quote);
  });

  it("leave no code at the accounts", async () => {
    for (const { account } of deriveAccounts().users) {
      expect(await fixture.beta.reader.getCode({ address: account.address })).to.equal(undefined);
    }
  });

  it("are deployed without exception on a fork of a chain that has none", async () => {
    const { chains, close } = await startChains({ chainIds: [8_453], chainPorts: [0] });
    const [base] = chains;
    if (base === undefined) throw new Error("no chain runs");
    const forked = await startFixture({ forks: [{ id: 8_453, rpcUrl: base.rpcUrl }] });
    try {
      expect(forked.beta.info.name).to.equal("base");
      await carryOut(forked, await quoteFor(forked, { from: "USDC", to: "ETH" }));
      await carryOut(
        { ...forked, alpha: forked.beta, beta: forked.alpha },
        await quoteFor({ ...forked, alpha: forked.beta, beta: forked.alpha }, { from: "WETH", to: "USDT" }),
      );
    } finally {
      await forked.stop();
      await close();
    }
  });

  it("a fork beside external chains, a second one of a chain, and one of a later block are refused", async () => {
    const chains = [{ id: 31_337, rpcUrl: "http://127.0.0.1:1" }];
    for (const [parameters, said] of [
      [{ chains, forks: [fork()] }, /forks/],
      [{ forks: [fork(), fork()] }, /two chains have the id 1/],
      [{ forks: [fork()], now: Date.UTC(2025, 0, 1) }, /its time does not go back/],
    ] as const) {
      const error = await failureOf(startEmulator({ port: 0, ...parameters }));
      expect(String(error)).to.match(said);
    }
  });
});
