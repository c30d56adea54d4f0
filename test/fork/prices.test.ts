import { expect } from "chai";
import { erc20Abi, parseAbi, parseUnits } from "viem";
import { type EmulatorFixture, startFixture } from "../helpers/emulatorFixture.ts";
import { quoteFor } from "../helpers/quotes/intents.ts";
import { mainnet } from "./replica/addresses.ts";
import { createBuilder, builder as owner } from "./replica/createBuilder.ts";
import type { ReplicaNode } from "./replica/openNode.ts";
import { startReplica } from "./replica/startReplica.ts";
import { keepCacheApart } from "./support/keepCacheApart.ts";

const swapAbi = parseAbi([
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[])",
]);

describe("prices of an emulator with a fork", () => {
  let replica: ReplicaNode;
  let fixture: EmulatorFixture;
  keepCacheApart();

  before("start a replica whose pool sells ether at 3,600 dollars, and fork it", async () => {
    replica = await startReplica();
    // The pool holds 25 million dollars: a fifth more raises the price by 1.2².
    const amount = parseUnits("5000000", 6);
    const { uniswapV2, usdc, weth } = mainnet;
    const { send } = createBuilder(replica.rpc);
    const approval = [uniswapV2.router, amount];
    await send({ abi: erc20Abi, address: usdc, args: approval, functionName: "approve" });
    await send({
      abi: swapAbi,
      address: uniswapV2.router,
      args: [amount, 0n, [usdc, weth], owner, 10n ** 12n],
      functionName: "swapExactTokensForTokens",
    });
    fixture = await startFixture({ forks: [{ id: 1, rpcUrl: replica.url }] });
  });
  after("stop both", async () => {
    await fixture.stop();
    await replica.close();
  });

  it("the table has the fork's price of ether", () => {
    expect(Number(fixture.emulator.control.prices.list()["ETH"])).to.be.within(3_590, 3_600);
  });

  it("a quote swaps at that price on the local chain and on the fork", async () => {
    const outbound = { ...fixture, alpha: fixture.beta, beta: fixture.alpha };
    for (const way of [fixture, outbound]) {
      const quote = await quoteFor(way, { amount: 10n ** 18n, from: "ETH", to: "USDC" });
      // A pool keeps 0.3%.
      expect(Number(quote.details?.currencyOut.amount) / 10 ** 6).to.be.within(3_560, 3_600);
    }
  });
});
