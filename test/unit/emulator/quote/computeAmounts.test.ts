import { expect } from "chai";
import fc from "fast-check";
import type { LocalCurrency } from "../../../../emulator/chains/Chain.ts";
import {
  type Amounts,
  type AmountsInput,
  computeAmounts,
  defaultSlippageBps,
} from "../../../../emulator/quote/computeAmounts.ts";
import { oneUsd } from "../../../../emulator/quote/prices.ts";
import { QuoteError } from "../../../../emulator/quote/QuoteError.ts";
import { ether, usdc, usdt, wrappedEther } from "../support/fakeChains.ts";

const dollars: Readonly<Record<string, bigint>> = { ETH: 2500n, USDC: 1n, USDT: 1n, WETH: 2500n };

/** A price is a fraction: an amount times the first number is dollars times the second. */
function rate({ decimals, symbol }: LocalCurrency): readonly [bigint, bigint] {
  return [dollars[symbol] ?? 0n, 10n ** BigInt(decimals)];
}

/** Whether `a` of a currency is worth at least `b` of another, compared exactly. */
function isWorth(a: bigint, currencyA: LocalCurrency, b: bigint, currencyB: LocalCurrency): boolean {
  const [dollarsA, unitsA] = rate(currencyA);
  const [dollarsB, unitsB] = rate(currencyB);
  return a * dollarsA * unitsB >= b * dollarsB * unitsA;
}

/** The service's fee in basis points, by the published table. */
function feeBps({ currencyIn, currencyOut }: AmountsInput): bigint {
  const kind = ({ symbol }: LocalCurrency) => (dollars[symbol] === 1n ? "stable" : "ether");
  if (currencyIn.symbol === currencyOut.symbol) return 0n;
  if (kind(currencyIn) !== kind(currencyOut)) return 6n;
  return kind(currencyIn) === "stable" ? 1n : 0n;
}

const currency = fc
  .record({
    base: fc.constantFrom(ether, wrappedEther, usdc, usdt),
    decimals: fc.option(fc.nat(24), { nil: undefined }),
  })
  .map(({ base, decimals }): LocalCurrency => ({ ...base, decimals: decimals ?? base.decimals }));
const amount = fc.oneof(
  fc.bigInt({ max: 10n ** 30n, min: 1n }),
  fc.bigInt({ max: 10n ** 9n, min: 1n }),
  fc.bigInt({ max: 2n ** 256n - 1n, min: 1n }),
);
const input: fc.Arbitrary<Omit<AmountsInput, "tradeType">> = fc.record({
  amount,
  currencyIn: currency,
  currencyOut: currency,
  gasCost: fc.bigInt({ max: 1_000n * oneUsd, min: 0n }),
  slippageBps: fc.bigInt({ max: 10_000n, min: 0n }),
});

/** The amounts, or `undefined` when too little goes in. */
function amountsOf(parameters: AmountsInput): Amounts | undefined {
  try {
    return computeAmounts(parameters);
  } catch (error) {
    if (error instanceof QuoteError && error.errorCode === "AMOUNT_TOO_LOW") return undefined;
    throw error;
  }
}

/** What holds for every quote, whichever side was fixed. */
function expectSound(parameters: AmountsInput, amounts: Amounts): void {
  const { currencyIn, currencyOut, gasCost, slippageBps } = parameters;
  const { amountIn, amountOut, minimumOut, netIn, relayerGas, relayerService } = amounts;
  const [price, units] = rate(currencyIn);
  const fee = oneUsd / 50n + gasCost;
  expect(netIn + relayerGas + relayerService, "the sum").to.equal(amountIn);
  expect(isWorth(netIn, currencyIn, amountOut, currencyOut), "no more value comes out than goes in").to.equal(
    true,
  );
  expect(relayerGas * price * oneUsd >= fee * units, "gas is covered").to.equal(true);
  expect((relayerGas - 1n) * price * oneUsd < fee * units, "gas is not charged twice").to.equal(true);
  expect(relayerService * 10_000n >= amountIn * feeBps(parameters), "the service is paid").to.equal(true);
  expect(minimumOut >= 0n && minimumOut <= amountOut, "the minimum is below the output").to.equal(true);
  if (parameters.tradeType === "EXACT_OUTPUT") expect(minimumOut).to.equal(amountOut);
  else
    expect(minimumOut * 10_000n >= amountOut * (10_000n - slippageBps), "slippage is bounded").to.equal(true);
}

describe("computeAmounts", () => {
  it("gives the worked examples", () => {
    const base = { gasCost: 0n, slippageBps: defaultSlippageBps } as const;
    // 1 ETH less 0.02 $ and 6 basis points, at 2500 $.
    expect(
      computeAmounts({
        ...base,
        amount: 10n ** 18n,
        currencyIn: ether,
        currencyOut: usdc,
        tradeType: "EXACT_INPUT",
      }),
    ).to.deep.equal({
      amountIn: 10n ** 18n,
      amountOut: 2_498_480_000n,
      minimumOut: 2_448_510_400n,
      netIn: 999_392n * 10n ** 12n,
      relayerGas: 8n * 10n ** 12n,
      relayerService: 6n * 10n ** 14n,
    });
    // Bridging costs gas alone.
    expect(
      computeAmounts({
        amount: 5_000_000n,
        currencyIn: usdc,
        currencyOut: usdc,
        gasCost: oneUsd / 100n,
        slippageBps: 0n,
        tradeType: "EXACT_OUTPUT",
      }),
    ).to.deep.equal({
      amountIn: 5_030_000n,
      amountOut: 5_000_000n,
      minimumOut: 5_000_000n,
      netIn: 5_000_000n,
      relayerGas: 30_000n,
      relayerService: 0n,
    });
  });

  it("charges nothing for bridging, a basis point between stable currencies, six otherwise", () => {
    const serviceFee = (currencyIn: LocalCurrency, currencyOut: LocalCurrency) =>
      computeAmounts({
        amount: 10n ** 10n * 10n ** BigInt(currencyIn.decimals - 6),
        currencyIn,
        currencyOut,
        gasCost: 0n,
        slippageBps: 0n,
        tradeType: "EXACT_INPUT",
      }).relayerService /
      10n ** BigInt(currencyIn.decimals - 6);
    expect(serviceFee(ether, ether)).to.equal(0n);
    expect(serviceFee(ether, wrappedEther)).to.equal(0n);
    expect(serviceFee(wrappedEther, ether)).to.equal(0n);
    expect(serviceFee(usdt, usdt)).to.equal(0n);
    expect(serviceFee(usdc, usdt)).to.equal(10n ** 6n);
    expect(serviceFee(usdt, usdc)).to.equal(10n ** 6n);
    expect(serviceFee(ether, usdc)).to.equal(6n * 10n ** 6n);
    expect(serviceFee(usdt, wrappedEther)).to.equal(6n * 10n ** 6n);
  });

  it("takes exactly the input for EXACT_INPUT, and accounts for all of it", () => {
    fc.assert(
      fc.property(input, (parameters) => {
        const exactInput = { ...parameters, tradeType: "EXACT_INPUT" } as const;
        const amounts = amountsOf(exactInput);
        if (amounts === undefined) return;
        expect(amounts.amountIn).to.equal(parameters.amount);
        expect(amounts.amountOut > 0n && amounts.netIn > 0n).to.equal(true);
        expectSound(exactInput, amounts);
      }),
      { numRuns: 500 },
    );
  });

  it("gives exactly the output for EXACT_OUTPUT, and asks for enough and no more", () => {
    fc.assert(
      fc.property(input, (parameters) => {
        const exactOutput = { ...parameters, tradeType: "EXACT_OUTPUT" } as const;
        const { amountIn, amountOut, netIn, relayerService } = computeAmounts(exactOutput);
        expect(amountOut).to.equal(parameters.amount);
        expectSound(exactOutput, computeAmounts(exactOutput));
        expect((relayerService - 1n) * 10_000n < amountIn * feeBps(exactOutput)).to.equal(true);
        if (parameters.currencyOut.decimals > 18) return;
        expect(isWorth(netIn - 1n, parameters.currencyIn, amountOut, parameters.currencyOut)).to.equal(false);
      }),
      { numRuns: 500 },
    );
  });

  it("gives the output without a minimum below it only for EXACT_OUTPUT", () => {
    fc.assert(
      fc.property(input, (parameters) => {
        const expected = { ...parameters, tradeType: "EXPECTED_OUTPUT" } as const;
        const amounts = computeAmounts(expected);
        expectSound(expected, amounts);
        const exact = computeAmounts({ ...parameters, tradeType: "EXACT_OUTPUT" });
        expect({ ...amounts, minimumOut: exact.minimumOut }).to.deep.equal(exact);
      }),
      { numRuns: 200 },
    );
  });

  it("gives at least the asked output for the input that it asks for", () => {
    fc.assert(
      fc.property(input, (parameters) => {
        const { amountIn } = computeAmounts({ ...parameters, tradeType: "EXACT_OUTPUT" });
        const back = computeAmounts({ ...parameters, amount: amountIn, tradeType: "EXACT_INPUT" });
        expect(back.amountOut >= parameters.amount).to.equal(true);
      }),
      { numRuns: 500 },
    );
  });

  it("never gives less for more, nor asks less for more", () => {
    fc.assert(
      fc.property(input, fc.bigInt({ max: 10n ** 24n, min: 0n }), (parameters, more) => {
        const larger = { ...parameters, amount: parameters.amount + more };
        const [less, greater] = [parameters, larger].map((each) =>
          amountsOf({ ...each, tradeType: "EXACT_INPUT" }),
        );
        expect((greater?.amountOut ?? 0n) >= (less?.amountOut ?? 0n)).to.equal(true);
        const [small, big] = [parameters, larger].map((each) =>
          computeAmounts({ ...each, tradeType: "EXACT_OUTPUT" }),
        );
        expect((big?.amountIn ?? 0n) >= (small?.amountIn ?? 0n)).to.equal(true);
      }),
      { numRuns: 300 },
    );
  });

  it("never gives more when gas costs more", () => {
    fc.assert(
      fc.property(input, fc.bigInt({ max: 100n * oneUsd, min: 0n }), (parameters, more) => {
        const dearer = { ...parameters, gasCost: parameters.gasCost + more };
        const [cheap, dear] = [parameters, dearer].map((each) =>
          amountsOf({ ...each, tradeType: "EXACT_INPUT" }),
        );
        expect((dear?.amountOut ?? 0n) <= (cheap?.amountOut ?? 0n)).to.equal(true);
      }),
      { numRuns: 200 },
    );
  });

  it("refuses an input that does not cover the fees, by its code, and takes the next larger one", () => {
    const quote = (amountIn: bigint) =>
      computeAmounts({
        amount: amountIn,
        currencyIn: usdc,
        currencyOut: usdc,
        gasCost: oneUsd,
        slippageBps: 0n,
        tradeType: "EXACT_INPUT",
      });
    for (const amountIn of [1n, 1_000_000n, 1_019_999n, 1_020_000n]) {
      expect(() => quote(amountIn), amountIn.toString())
        .to.throw(QuoteError)
        .with.property("errorCode", "AMOUNT_TOO_LOW");
    }
    expect(quote(1_020_001n)).to.include({ amountOut: 1n, netIn: 1n });
  });

  it("refuses an input of which nothing would come out", () => {
    // One wei above the flat fee is worth far less than the smallest unit of USDC.
    const dust = { amount: 8n * 10n ** 12n + 10n ** 8n, currencyIn: ether, currencyOut: usdc } as const;
    expect(() => computeAmounts({ ...dust, gasCost: 0n, slippageBps: 0n, tradeType: "EXACT_INPUT" }))
      .to.throw(QuoteError)
      .with.property("errorCode", "AMOUNT_TOO_LOW");
  });
});
