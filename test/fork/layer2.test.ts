import { createRequire } from "node:module";
import { join } from "node:path";
import { expect } from "chai";
import { encodeFunctionData, erc20Abi, getAddress, parseAbi } from "viem";
import { publicContracts, publicDefinition } from "../../emulator/chains/fork/publicChains.ts";
import { readArtifact } from "../../emulator/chains/setup/placeContracts.ts";
import { pairOf, uniswapFactoryAbi, uniswapPairAbi } from "../../emulator/chains/setup/uniswap.ts";
import { type EmulatorFixture, startFixture } from "../helpers/emulatorFixture.ts";
import { gained } from "../helpers/localChain.ts";
import { carryOut, quoteFor } from "../helpers/quotes/intents.ts";
import { createBuilder, builder as owner } from "./replica/createBuilder.ts";
import { openNode, type ReplicaNode } from "./replica/openNode.ts";
import { constructUniswapV2 } from "./replica/placeUniswap.ts";
import { initCode, protocolsFolder, published } from "./replica/publishedCode.ts";
import { replicaStart } from "./replica/startReplica.ts";
import { keepCacheApart } from "./support/keepCacheApart.ts";

const require = createRequire(join(protocolsFolder, "package.json"));
const recipient = "0x00000000000000000000000000000000000a11ce";
type AaveList = { readonly ASSETS: Readonly<Record<string, { readonly UNDERLYING: string }>> };
const layers = [
  { id: 10, list: "AaveV3Optimism", variable: "OPTIMISM_RPC_URL" },
  { id: 8_453, list: "AaveV3Base", variable: "BASE_RPC_URL" },
  { id: 42_161, list: "AaveV3Arbitrum", variable: "ARBITRUM_RPC_URL" },
] as const;
const tokenAbi = parseAbi(["function mint(address to, uint256 amount)", "function deposit() payable"]);

/** Starts a chain with the currencies and Uniswap v2 at a public chain's addresses, and a pool of 25 dollars at 250 for an ether. */
async function startStandIn(chainId: number): Promise<ReplicaNode> {
  const { uniswapV2, usdc, usdt, wrappedNative } = publicContracts(chainId);
  if (uniswapV2 === undefined || usdc === undefined || wrappedNative === undefined)
    throw new Error("no addresses");
  const node = await openNode(replicaStart(), chainId);
  const builder = createBuilder(node.rpc);
  await builder.construct(usdc, initCode(readArtifact("mocks/UsdcLikeToken"), [owner]));
  if (usdt !== undefined)
    await builder.construct(usdt, initCode(readArtifact("mocks/UsdtLikeToken"), [owner]));
  await builder.construct(wrappedNative, initCode(published("canonical-weth/build/contracts/WETH9")));
  await constructUniswapV2(builder, uniswapV2, wrappedNative);
  const { address, tokens } = pairOf(uniswapV2.factory, usdc, wrappedNative);
  await builder.send({
    abi: uniswapFactoryAbi,
    address: uniswapV2.factory,
    args: tokens,
    functionName: "createPair",
  });
  await builder.send({ abi: tokenAbi, address: usdc, args: [address, 25_000_000n], functionName: "mint" });
  await builder.send({ abi: tokenAbi, address: wrappedNative, functionName: "deposit", value: 10n ** 17n });
  const data = encodeFunctionData({ abi: erc20Abi, args: [address, 10n ** 17n], functionName: "transfer" });
  await node.rpc("eth_sendTransaction", [{ data, from: owner, to: wrappedNative }]);
  await builder.send({ abi: uniswapPairAbi, address, args: [owner], functionName: "mint" });
  await node.rpc("hardhat_mine", ["0x100", "0x2"]);
  return node;
}

for (const { id, list, variable } of layers) {
  const { displayName, name } = publicDefinition(id);
  describe(`a fork of ${displayName}`, () => {
    let fixture: EmulatorFixture;
    let standIn: ReplicaNode | undefined;
    keepCacheApart();
    before("start the fork", async () => {
      const given = process.env[variable] ?? "";
      if (given === "") standIn = await startStandIn(id);
      const rpcUrl = given === "" ? (standIn?.url ?? "") : given;
      fixture = await startFixture({ forks: [{ id, rpcUrl }] });
      console.log(`    over ${given === "" ? "a stand-in" : `the node at ${new URL(given).host}`}`);
    });
    after("stop the fork", async () => {
      await fixture.stop();
      await standIn?.close();
    });

    it("the addresses are those of the published lists", () => {
      const { uniswapV2, usdc, usdt, wrappedNative } = publicContracts(id);
      const uniswap = require("@uniswap/sdk-core") as Record<string, Record<number, string>>;
      expect(uniswapV2?.factory).to.equal(getAddress(uniswap["V2_FACTORY_ADDRESSES"]?.[id] ?? ""));
      expect(uniswapV2?.router).to.equal(getAddress(uniswap["V2_ROUTER_ADDRESSES"]?.[id] ?? ""));
      const aave = require("@bgd-labs/aave-address-book") as Record<string, AaveList>;
      const { USDC, USDCn = USDC, USDT, WETH } = aave[list]?.ASSETS ?? {};
      expect([usdc, usdt, wrappedNative]).to.deep.equal([USDCn, USDT, WETH].map((each) => each?.UNDERLYING));
    });

    it("uses the chain's currencies and Uniswap, and fills a pool of a few dollars up to the table's price", async () => {
      const { contracts, currencies, ...info } = fixture.beta.info;
      const known = publicContracts(id);
      expect([info.name, contracts.uniswapV2Router]).to.deep.equal([name, known.uniswapV2?.router]);
      const addresses = currencies.map(({ address }) => address);
      for (const token of [known.usdc, known.usdt, known.wrappedNative]) {
        if (token !== undefined) expect(addresses).to.include(token);
      }
      const quote = await quoteFor(fixture, { amount: 10n ** 18n, from: "ETH", to: "USDC" });
      const price = Number(fixture.emulator.control.prices.list()["ETH"]);
      expect(Number(quote.details?.currencyOut.amount) / 10 ** 6).to.be.within(price * 0.98, price);
    });

    it("is paid in both directions, to the unit", async () => {
      for (const way of [fixture, { ...fixture, alpha: fixture.beta, beta: fixture.alpha }]) {
        for (const [from, to] of [
          ["USDC", "WETH"],
          ["ETH", "USDT"],
        ] as const) {
          const quote = await quoteFor(way, { from, recipient, to });
          const got = await gained(way.beta, way.beta.currency(to), recipient, () => carryOut(way, quote));
          expect(got.toString()).to.equal(quote.details?.currencyOut.amount);
        }
      }
    });
  });
}
