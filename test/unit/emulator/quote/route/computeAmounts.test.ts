import { expect } from "chai";
import fc from "fast-check";
import type { LocalCurrency } from "../../../../../emulator/chains/Chain.ts";
import { QuoteError } from "../../../../../emulator/errors/refusals.ts";
import { defaultSlippageBps, oneUsd } from "../../../../../emulator/money/prices.ts";
import {
  type Amounts,
  type AmountsInput,
  computeAmounts,
} from "../../../../../emulator/quote/route/computeAmounts.ts";
import { isSwap, legInput, legOutput, noLeg, type SwapLeg } from "../../../../../emulator/router/SwapLeg.ts";
import { ether, usdc, usdt, wrappedEther } from "../../support/fakeChains.ts";

/** Prices as fractions: an amount times the first number is dollars times the second. */
const dollars: Readonly<Record<string, bigint>> = { ETH: 2500n, USDC: 1n, USDT: 1n, WETH: 2500n };

function rate({ decimals, symbol }: LocalCurrency): readonly [bigint, bigint] {
  return [dollars[symbol] ?? 0n, 10n ** BigInt(decimals)];
}

const reserve = fc.bigInt({ max: 10n ** 27n, min: 10n ** 6n });
const pool = fc.record({ reserveIn: reserve, reserveOut: reserve });

/** A leg between two currencies, through up to two pools. */
function leg(from: fc.Arbitrary<LocalCurrency>, to: fc.Arbitrary<LocalCurrency>): fc.Arbitrary<SwapLeg> {
  const swap = fc
    .record({ from, pools: fc.array(pool, { maxLength: 2, minLength: 1 }), to })
    .map((parts) => ({ ...parts, path: [parts.from, parts.to] }));
  return fc.oneof(from.map(noLeg), swap);
}

/** Both sides of the bridge are the same currency; the chains may count it in other units. */
const bridged = fc.constantFrom(usdc, ether).chain((currency) => {
  const decimals = fc.constantFrom(currency.decimals, 6, 18, 24);
  return fc
    .record({ there: decimals.map((count) => ({ ...currency, decimals: count })) })
    .chain(({ there }) =>
      fc.record({
        destination: leg(fc.constant(there), fc.constantFrom(usdt, wrappedEther)),
        origin: leg(fc.constantFrom(usdt, wrappedEther), fc.constant(currency)).map((each) =>
          isSwap(each) ? each : noLeg(currency),
        ),
      }),
    );
});

const amount = fc.oneof(
  fc.bigInt({ max: 10n ** 24n, min: 1n }),
  fc.bigInt({ max: 10n ** 9n, min: 1n }),
  fc.bigInt({ max: 2n ** 256n - 1n, min: 1n }),
);
const bps = fc.bigInt({ max: 10_000n, min: 0n });
const input: fc.Arbitrary<Omit<AmountsInput, "tradeType">> = fc
  .record({
    amount,
    appFeesBps: fc.array(fc.bigInt({ max: 2_000n, min: 0n }), { maxLength: 4 }),
    executionFee: fc.bigInt({ max: 1_000n * oneUsd, min: 0n }),
    legs: bridged,
    serviceFeeBps: fc.constantFrom(0n, 1n, 6n),
    slippageBps: bps,
  })
  .map(({ legs, ...rest }) => ({ ...rest, ...legs }));

/** The amounts, or the code of the refusal. */
function amountsOf(parameters: AmountsInput): Amounts | string {
  try {
    return computeAmounts(parameters);
  } catch (error) {
    if (error instanceof QuoteError) return error.errorCode;
    throw error;
  }
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, each) => total + each, 0n);
}

/** Checks rules of every quote, of any trade type. */
function expectSound(parameters: AmountsInput, amounts: Amounts): void {
  const { appFeesBps, destination, executionFee, origin, serviceFeeBps, slippageBps } = parameters;
  const { appFees, deposit, inventory, netIn, relayerGas, relayerService } = amounts;
  const [price, units] = rate(origin.to);
  expect(netIn + relayerGas + relayerService + sum(appFees), "the sum").to.equal(deposit);
  if (parameters.tradeType === "EXACT_OUTPUT") {
    const room = isSwap(origin) ? (amounts.expectedIn * slippageBps) / 10_000n : 0n;
    expect(legInput(origin, deposit), "the origin leg takes what is expected").to.equal(amounts.expectedIn);
    expect(amounts.amountIn - amounts.expectedIn, "the payment includes the slippage").to.equal(room);
    expect(amounts.minimumDeposit, "the solver covers no shortfall").to.equal(deposit);
  } else {
    expect(legOutput(origin, amounts.amountIn), "the origin leg gives the deposit").to.equal(deposit);
    expect(amounts.amountIn).to.equal(amounts.expectedIn);
  }
  expect(legOutput(destination, inventory) >= amounts.amountOut, "the output is covered").to.equal(true);
  expect(
    netIn * 10n ** BigInt(destination.from.decimals) >= inventory * 10n ** BigInt(origin.to.decimals),
    "no more crosses than was paid for",
  ).to.equal(true);
  expect(relayerGas * price * oneUsd >= executionFee * units, "gas is covered").to.equal(true);
  const isLeast = relayerGas === 0n || (relayerGas - 1n) * price * oneUsd < executionFee * units;
  expect(isLeast, "gas is not charged twice").to.equal(true);
  expect(relayerService * 10_000n >= deposit * serviceFeeBps, "the service is paid").to.equal(true);
  const shares = appFeesBps.map((share) => (deposit * share) / 10_000n);
  expect(appFees, "apps get their share, rounded down").to.deep.equal(shares);
  const limits = [
    [amounts.minimumOut, amounts.amountOut],
    [amounts.minimumDeposit, deposit],
  ] as const;
  for (const [minimum, expected] of limits) {
    expect(minimum >= 0n && minimum <= expected, "a minimum is below what is expected").to.equal(true);
    expect(minimum * 10_000n >= expected * (10_000n - slippageBps), "slippage is bounded").to.equal(true);
  }
  if (!isSwap(origin)) expect(amounts.minimumDeposit).to.equal(deposit);
}

const plain = {
  appFeesBps: [],
  executionFee: oneUsd / 50n,
  serviceFeeBps: 0n,
  slippageBps: defaultSlippageBps,
} as const;
const usdcBridge = { ...plain, destination: noLeg(usdc), origin: noLeg(usdc) } as const;

/** Checks the amounts of random inputs of a trade type, of which some are refused with a code. */
function checkAmounts(
  tradeType: AmountsInput["tradeType"],
  refusal: string,
  numRuns: number,
  check: (amounts: Amounts, parameters: AmountsInput) => void,
): void {
  fc.assert(
    fc.property(input, (rest) => {
      const parameters = { ...rest, tradeType };
      const amounts = amountsOf(parameters);
      if (typeof amounts === "string") expect(amounts).to.equal(refusal);
      else check(amounts, parameters);
    }),
    { numRuns },
  );
}

describe("computeAmounts", () => {
  it("a swap with fees through a shallow pool, and a bridge with gas alone: give the worked amounts", () => {
    // 1 ETH less 0.02 $ at 2500 $, 6 basis points for the service and 50 for an app, through a pool without depth.
    const pools = [{ reserveIn: 10n ** 18n, reserveOut: 2_500_000_000n }];
    const swap = {
      ...plain,
      amount: 10n ** 18n,
      appFeesBps: [50n],
      destination: { from: ether, path: [ether, usdc], pools, to: usdc },
      origin: noLeg(ether),
      serviceFeeBps: 6n,
      tradeType: "EXACT_INPUT",
    } as const;
    expect(computeAmounts(swap)).to.deep.equal({
      amountIn: 10n ** 18n,
      amountOut: 1_244_607_350n,
      appFees: [5n * 10n ** 15n],
      deposit: 10n ** 18n,
      expectedIn: 10n ** 18n,
      inventory: 994_392n * 10n ** 12n,
      maximumInventory: 994_392n * 10n ** 12n,
      minimumDeposit: 10n ** 18n,
      minimumOut: 1_219_715_203n,
      netIn: 994_392n * 10n ** 12n,
      relayerGas: 8n * 10n ** 12n,
      relayerService: 6n * 10n ** 14n,
    });
    const bridge = {
      ...usdcBridge,
      amount: 5_000_000n,
      executionFee: (oneUsd * 3n) / 100n,
      tradeType: "EXACT_OUTPUT",
    } as const;
    expect(computeAmounts(bridge)).to.deep.equal({
      amountIn: 5_030_000n,
      amountOut: 5_000_000n,
      appFees: [],
      deposit: 5_030_000n,
      expectedIn: 5_030_000n,
      inventory: 5_000_000n,
      maximumInventory: 5_000_000n,
      minimumDeposit: 5_030_000n,
      minimumOut: 5_000_000n,
      netIn: 5_000_000n,
      relayerGas: 30_000n,
      relayerService: 0n,
    });
  });

  it("a swap before a bridge: pays no less than the slippage of what crosses, and gas whole", () => {
    const pools = [{ reserveIn: 10n ** 21n, reserveOut: 2_500_000_000_000n }];
    const swap = {
      ...usdcBridge,
      appFeesBps: [100n],
      origin: { from: ether, path: [ether, usdc], pools, to: usdc },
      serviceFeeBps: 6n,
    };
    const taken = computeAmounts({ ...swap, amount: 10n ** 18n, tradeType: "EXACT_INPUT" });
    expect(taken).to.include({
      deposit: 2_490_017_452n,
      minimumDeposit: 2_440_217_510n,
      minimumOut: 2_414_331_202n,
      netIn: 2_463_603_267n,
    });
    const given = { amount: 10n ** 9n, deposit: 1_010_733_779n };
    const expected = computeAmounts({ ...swap, amount: given.amount, tradeType: "EXPECTED_OUTPUT" });
    const expectedIn = 405_674_053_112_673_455n;
    expect(expected).to.include({
      amountIn: expectedIn,
      deposit: given.deposit,
      minimumDeposit: 990_519_510n,
    });
    const exact = computeAmounts({ ...swap, amount: given.amount, tradeType: "EXACT_OUTPUT" });
    const { deposit } = given;
    const amountIn = 413_787_534_174_926_924n;
    expect(exact).to.include({ amountIn, deposit, expectedIn, minimumDeposit: deposit });
  });

  it("a top-up of a dollar: is paid besides the gas, rounded up, and named", () => {
    const bridge = { ...usdcBridge, amount: 5_000_000n, tradeType: "EXACT_OUTPUT" } as const;
    expect(computeAmounts({ ...bridge, topup: oneUsd + 1n })).to.include({
      deposit: 6_020_001n,
      relayerGas: 20_000n,
      topup: 1_000_001n,
    });
    expect(computeAmounts({ ...bridge, executionFee: 1n })).to.include({ relayerGas: 1n });
    expect(computeAmounts(bridge)).to.not.have.property("topup");
  });

  it("an inventory in another currency: is worth what crosses, rounded for the solver", () => {
    const bridge = { ...usdcBridge, destination: noLeg(ether), executionFee: 0n };
    const bought = computeAmounts({ ...bridge, amount: 2_500_000_000n, tradeType: "EXACT_INPUT" });
    expect(bought).to.include({ amountOut: 10n ** 18n, netIn: 2_500_000_000n });
    const asked = computeAmounts({ ...bridge, amount: 10n ** 18n + 1n, tradeType: "EXACT_OUTPUT" });
    expect(asked).to.include({ amountIn: 2_500_000_001n });
  });

  it("EXACT_INPUT: takes exactly the input and accounts for all of it, or throws AMOUNT_TOO_LOW", () => {
    checkAmounts("EXACT_INPUT", "AMOUNT_TOO_LOW", 1_000, (amounts, parameters) => {
      expect(amounts.amountIn).to.equal(parameters.amount);
      expect(amounts.amountOut).to.equal(legOutput(parameters.destination, amounts.inventory));
      expect(amounts.amountOut > 0n && amounts.netIn > 0n).to.equal(true);
      expectSound(parameters, amounts);
    });
  });

  it("EXACT_OUTPUT: gives exactly the output, or throws INSUFFICIENT_LIQUIDITY if the pools hold less", () => {
    checkAmounts("EXACT_OUTPUT", "INSUFFICIENT_LIQUIDITY", 1_000, (amounts, parameters) => {
      const { amount, destination, slippageBps } = parameters;
      expect([amounts.amountOut, amounts.minimumOut]).to.deep.equal([amount, amount]);
      expectSound(parameters, amounts);
      const spare = amounts.maximumInventory - amounts.inventory;
      expect(spare >= 0n && spare * 10_000n <= amounts.inventory * slippageBps).to.equal(true);
      if (!isSwap(destination)) expect(spare).to.equal(0n);
    });
  });

  it("EXPECTED_OUTPUT: costs as much as EXACT_OUTPUT without its slippage, and gives what the pools give with a minimum below", () => {
    fc.assert(
      fc.property(input, (rest) => {
        const parameters = { ...rest, tradeType: "EXPECTED_OUTPUT" } as const;
        const amounts = amountsOf(parameters);
        const exact = amountsOf({ ...rest, tradeType: "EXACT_OUTPUT" });
        if (typeof amounts === "string" || typeof exact === "string") {
          expect(amounts).to.equal(exact);
          return;
        }
        expectSound(parameters, amounts);
        expect(amounts.amountOut).to.equal(legOutput(rest.destination, amounts.inventory));
        for (const name of ["expectedIn", "inventory", "netIn", "relayerGas"] as const) {
          expect(amounts[name], name).to.equal(exact[name]);
        }
        // All of the input is swapped; an exact output takes no more of it than it needs.
        expect(amounts.deposit >= exact.deposit).to.equal(true);
      }),
      { numRuns: 300 },
    );
  });

  it("the input of an EXACT_OUTPUT quote, as EXACT_INPUT: gives at least that output", () => {
    checkAmounts("EXACT_OUTPUT", "INSUFFICIENT_LIQUIDITY", 1_000, (asked, parameters) => {
      const back = computeAmounts({ ...parameters, amount: asked.expectedIn, tradeType: "EXACT_INPUT" });
      expect(back.amountOut >= parameters.amount).to.equal(true);
    });
  });

  it("an input up to the fees: throws AMOUNT_TOO_LOW; one unit more: gives one unit", () => {
    const executionFee = oneUsd + oneUsd / 50n;
    const bridge = { ...usdcBridge, executionFee, slippageBps: 0n, tradeType: "EXACT_INPUT" } as const;
    for (const amountIn of [1n, 1_000_000n, 1_019_999n, 1_020_000n]) {
      expect(amountsOf({ ...bridge, amount: amountIn }), amountIn.toString()).to.equal("AMOUNT_TOO_LOW");
    }
    expect(amountsOf({ ...bridge, amount: 1_020_001n })).to.include({ amountOut: 1n, netIn: 1n });
  });

  it("an input below the smallest unit of a pool's output: throws AMOUNT_TOO_LOW", () => {
    const pools = [{ reserveIn: 10n ** 24n, reserveOut: 2_500n * 10n ** 12n }];
    const destination = { from: ether, path: [ether, usdc], pools, to: usdc };
    const dust = { ...plain, amount: 10n ** 8n, destination, executionFee: 0n, origin: noLeg(ether) };
    expect(amountsOf({ ...dust, tradeType: "EXACT_INPUT" })).to.equal("AMOUNT_TOO_LOW");
  });

  it("an input that swaps to nothing, with a sponsored swap: throws AMOUNT_TOO_LOW", () => {
    const pools = [{ reserveIn: 10n ** 9n, reserveOut: 10n ** 9n }];
    const origin = { from: usdt, path: [usdt, usdc], pools, to: usdc };
    const sponsorship = { cap: undefined, components: new Set(["swap"] as const), swapCost: 1n };
    const dust = { ...usdcBridge, amount: 1n, executionFee: 0n, origin, slippageBps: 0n, sponsorship };
    expect(amountsOf({ ...dust, tradeType: "EXACT_INPUT" })).to.equal("AMOUNT_TOO_LOW");
  });

  it("an app fee of 100 % on a fixed output: throws AMOUNT_TOO_LOW", () => {
    const all = { ...usdcBridge, amount: 1n, appFeesBps: [10_000n] };
    expect(amountsOf({ ...all, tradeType: "EXACT_OUTPUT" })).to.equal("AMOUNT_TOO_LOW");
  });
});
