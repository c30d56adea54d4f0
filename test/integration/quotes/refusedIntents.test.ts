import { expect } from "chai";
import { type Address, parseEther, parseUnits } from "viem";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { carryOut, quoteFor, recipient, refusalOf, type Wanted } from "../../helpers/quotes/intents.ts";

describe("rejected intents", () => {
  const fixture = useEmulator();
  const refusal = (wanted: Wanted) => refusalOf(fixture, wanted);

  it("rejects a same-chain swap of less than five cents, but no wrap, no send and no call", async () => {
    const amount = parseUnits("0.049999", 6);
    expect(await refusal({ amount, from: "USDC", sameChain: true, to: "USDT" })).to.equal("AMOUNT_TOO_LOW");
    await quoteFor(fixture, { amount: amount + 1n, from: "USDC", sameChain: true, to: "USDT" });
    await quoteFor(fixture, { amount: 1n, from: "ETH", sameChain: true, to: "WETH" });
    await quoteFor(fixture, { amount: 1n, from: "USDT", sameChain: true, to: "USDT" });
    const txs = [{ to: recipient, value: 0n }];
    await quoteFor(fixture, { amount, from: "USDC", sameChain: true, to: "USDT", txs });
  });

  // @spec quote-request/origin-sources
  it("finds no route where every swap source is excluded, on the side that needs one", async () => {
    const nothing = ["some-other-aggregator"];
    for (const limits of [
      { includedSwapSources: nothing },
      { includedOriginSwapSources: nothing },
      { excludedSwapSources: ["uniswap-v2"] },
      { disableOriginSwaps: true },
      { excludedSwapSources: ["uniswap-v2"], includedSwapSources: ["uniswap-v2"] },
    ]) {
      expect(await refusal({ ...limits, from: "USDT", to: "USDC" }), JSON.stringify(limits)).to.equal(
        "NO_SWAP_ROUTES_FOUND",
      );
      expect(await refusal({ ...limits, from: "ETH", sameChain: true, to: "USDC" })).to.equal(
        "NO_SWAP_ROUTES_FOUND",
      );
      // A request without a swap needs no source.
      await quoteFor(fixture, { ...limits, from: "USDC", to: "USDC" });
      await quoteFor(fixture, { ...limits, from: "WETH", to: "ETH" });
      await quoteFor(fixture, { ...limits, from: "ETH", sameChain: true, to: "WETH" });
    }
    for (const limits of [
      { includedDestinationSwapSources: nothing },
      { excludedSwapSources: ["uniswap-v2"] },
      { includedSwapSources: nothing },
    ]) {
      expect(await refusal({ ...limits, from: "USDC", to: "USDT" }), JSON.stringify(limits)).to.equal(
        "NO_INTERNAL_SWAP_ROUTES_FOUND",
      );
    }
  });

  // @spec quote-request/origin-sources
  it("prefers the swap sources of one side over those for both", async () => {
    const mixed = { includedOriginSwapSources: ["uniswap-v2"], includedSwapSources: ["another"] };
    await quoteFor(fixture, { ...mixed, from: "USDT", to: "USDC" });
    expect(await refusal({ ...mixed, from: "USDC", to: "USDT" })).to.equal("NO_INTERNAL_SWAP_ROUTES_FOUND");
    const two = ["another", "uniswap-v2"];
    await quoteFor(fixture, { from: "USDT", includedSwapSources: two, to: "USDT" });
  });

  it("rejects a swap that loses too much, unless the request allows it", async () => {
    // A third of the pool's reserves.
    const wanted = {
      amount: parseUnits("900000000", 6),
      from: "USDC",
      sameChain: true,
      to: "WETH",
    } as const;
    expect(await refusal(wanted)).to.equal("SWAP_IMPACT_TOO_HIGH");
    const { details } = await quoteFor(fixture, { ...wanted, overridePriceImpact: true });
    expect(Number(details.swapImpact?.percent)).to.be.below(-15);
  });

  // @spec quote-request/external-liquidity
  it("caps lending per request, lifts the cap with external liquidity, never exceeds the solver's balance", async () => {
    const lends = { amount: parseUnits("10000000", 6), from: "USDC", to: "USDC" } as const;
    await quoteFor(fixture, { ...lends, tradeType: "EXACT_OUTPUT" });
    const tooMuch = { ...lends, amount: lends.amount + 1n, tradeType: "EXACT_OUTPUT" } as const;
    expect(await refusal(tooMuch)).to.equal("INSUFFICIENT_LIQUIDITY");
    await quoteFor(fixture, { ...tooMuch, useExternalLiquidity: true });
    const native = { amount: parseEther("4000"), from: "ETH", to: "ETH", tradeType: "EXACT_OUTPUT" } as const;
    expect((await carryOut(fixture, await quoteFor(fixture, native))).status).to.equal("success");
    const all = { ...tooMuch, amount: parseUnits("1000000001", 6), useExternalLiquidity: true };
    expect(await refusal(all)).to.equal("INSUFFICIENT_LIQUIDITY");
  });

  it("names the available liquidity, in the words that clients of the service match", async () => {
    const huge = parseEther("100000000");
    for (const wanted of [
      { amount: huge, from: "USDC", sameChain: true, to: "WETH", tradeType: "EXACT_OUTPUT" },
      { amount: parseUnits("10000001", 6), from: "USDC", to: "USDC", tradeType: "EXACT_OUTPUT" },
      { amount: huge, from: "ETH", to: "ETH", tradeType: "EXACT_OUTPUT", useExternalLiquidity: true },
    ] as const) {
      const error = await failureOf(quoteFor(fixture, wanted));
      expect(error).to.have.property("errorCode", "INSUFFICIENT_LIQUIDITY");
      expect(String(error)).to.include("Amount is higher than the available liquidity");
    }
  });

  it("rejects unsupported parameters by name instead of ignoring them", async () => {
    const address: Address = recipient;
    const cases: Partial<Wanted>[] = [
      { sponsoredFeeComponents: ["execution"] },
      { maxSubsidizationAmount: "1000000" },
      { recoveryAddress: address },
    ];
    for (const asked of cases) {
      expect(await refusal({ from: "ETH", to: "ETH", ...asked }), JSON.stringify(asked)).to.equal(
        "UNSUPPORTED_EXECUTION_TYPE",
      );
    }
    // The parameter is present and switched off.
    await quoteFor(fixture, {
      explicitDeposit: true,
      from: "ETH",
      sponsoredFeeComponents: [],
      subsidizeFees: false,
      to: "ETH",
      topupGas: false,
      topupGasAmount: "0",
      useDepositAddress: false,
    });
  });

  // @spec quote-request/amount-of-calls
  it("compares a fixed native output with the sum of the calls' values", async () => {
    const value = parseEther("0.01");
    const txs = [value, value].map((each) => ({ to: recipient, value: each }));
    const wanted = { from: "USDC", to: "ETH", tradeType: "EXACT_OUTPUT", txs } as const;
    for (const amount of [value, 2n * value - 1n, 2n * value + 1n]) {
      expect(await refusal({ ...wanted, amount }), amount.toString()).to.equal("INVALID_EXTRA_TXS");
    }
    const before = await fixture.beta.balanceOf(fixture.beta.currency("ETH"), recipient);
    await carryOut(fixture, await quoteFor(fixture, { ...wanted, amount: 2n * value }));
    const after = await fixture.beta.balanceOf(fixture.beta.currency("ETH"), recipient);
    expect(after - before).to.equal(2n * value);
    // For a token, the amount is the token's. For a fixed input, the output is unknown.
    await quoteFor(fixture, { from: "ETH", to: "USDC", tradeType: "EXACT_OUTPUT", txs: [{ to: recipient }] });
    await quoteFor(fixture, { from: "ETH", to: "ETH", txs: [{ to: recipient, value: 1n }] });
  });

  it("rejects app fees above the whole amount, and invalid recipients", async () => {
    const fees = (...shares: string[]) => shares.map((fee) => ({ fee, recipient }));
    expect(await refusal({ appFees: fees("9000", "1001"), from: "ETH", to: "ETH" })).to.equal(
      "AMOUNT_TOO_LOW",
    );
    expect(await refusal({ appFees: fees("10000"), from: "ETH", to: "ETH" })).to.equal("AMOUNT_TOO_LOW");
    expect(await refusal({ appFees: [{ fee: "1", recipient: "0x12" }], from: "ETH", to: "ETH" })).to.equal(
      "INVALID_ADDRESS",
    );
  });
});
