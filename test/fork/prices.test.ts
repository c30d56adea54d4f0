import { expect } from "chai";
import { encodeFunctionData, parseAbi, parseUnits } from "viem";
import { type EmulatorFixture, startFixture } from "../helpers/emulatorFixture.ts";
import { quoteFor } from "../helpers/quotes/intents.ts";
import { mainnet } from "./replica/addresses.ts";
import { keepCacheApart } from "./support/keepCacheApart.ts";
import { type OpenReplica, openReplica, usdc, weth } from "./support/openReplica.ts";

const swapAbi = parseAbi([
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[])",
]);

describe("prices of an emulator with a fork", () => {
  let replica: OpenReplica;
  let fixture: EmulatorFixture;
  keepCacheApart();

  before("start a replica whose pool sells ether at 3,600 dollars, and fork it", async () => {
    replica = await openReplica();
    // The pool holds 25 million dollars: a fifth more raises the price by 1.2².
    const amount = parseUnits("5000000", 6);
    const { router } = mainnet.uniswapV2;
    await replica.mint(usdc, replica.user, amount);
    await replica.approve(usdc, router, amount);
    const args = [amount, 0n, [usdc, weth], replica.user, 10n ** 12n] as const;
    const data = encodeFunctionData({ abi: swapAbi, args, functionName: "swapExactTokensForTokens" });
    await replica.sendAs(replica.user, { data, to: router });
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
