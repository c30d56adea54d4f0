import { expect } from "chai";
import fc from "fast-check";
import { zeroAddress } from "viem";
import { QuoteError } from "../../../../emulator/errors/refusals.ts";
import { oneUsd } from "../../../../emulator/money/prices.ts";
import {
  type Amounts,
  type AmountsInput,
  computeAmounts,
} from "../../../../emulator/quote/route/computeAmounts.ts";
import { planDelivery } from "../../../../emulator/router/planDelivery.ts";
import { noLeg } from "../../../../emulator/router/SwapLeg.ts";
import { usdc, usdt } from "../support/fakeChains.ts";

type Promised = Parameters<typeof planDelivery>[0];

/** A fixed output of 900 for a deposit of 1,000, of which a pool may take up to 918. */
function promised(changes: Partial<Promised> & { readonly through?: "pool" } = {}): Promised {
  const { through, ...rest } = changes;
  return {
    deposit: { amount: 1_000n, decimals: 6, minimumAmount: 1_000n },
    destination: { amount: 900n, chainId: 31_338, currency: usdc.address, minimumAmount: 900n },
    fill: {
      amount: 900n,
      currency: zeroAddress,
      decimals: 6,
      maximumAmount: through === "pool" ? 918n : 900n,
      path: through === "pool" ? [zeroAddress, usdc.address] : [],
    },
    tradeType: "EXACT_OUTPUT",
    ...rest,
  };
}

describe("planDelivery", () => {
  it("a fixed output paid as quoted: exactly the output, and nothing beyond it", () => {
    expect(planDelivery(promised(), 1_000n)).to.deep.equal({
      inventory: 900n,
      output: { exactly: 900n },
      surplus: 0n,
    });
  });

  it("a fixed output paid by one unit more, or twice: all of that on top, less no fee", () => {
    for (const more of [1n, 1_000n]) {
      expect(planDelivery(promised(), 1_000n + more)).to.deep.equal({
        inventory: 900n + more,
        output: { exactly: 900n + more },
        surplus: more,
      });
    }
  });

  it("a fixed output from a pool: the surplus is separate, and the solver reserves what it added for slippage", () => {
    const intent = promised({ through: "pool" });
    const plan = { inventory: 918n, output: { exactly: 900n }, reserve: 18n, surplus: 0n };
    expect(planDelivery(intent, 1_000n)).to.deep.equal(plan);
    expect(planDelivery(intent, 1_300n)).to.deep.equal({ ...plan, inventory: 1_218n, surplus: 300n });
  });

  it("a deposit below the price of a fixed output, by one unit or by half: no delivery, with and without a pool", () => {
    for (const intent of [promised(), promised({ through: "pool" })]) {
      for (const deposited of [0n, 1n, 500n, 999n]) {
        const plan = planDelivery(intent, deposited);
        expect(plan).to.deep.equal({ minimumAmount: 900n, output: 0n });
      }
    }
  });

  it("a true exact output: the solver keeps savings of a pool, and no surplus of a payer", () => {
    const plain = promised({ trueExactOutput: true });
    expect(planDelivery(plain, 1_001n)).to.include({ inventory: 901n, surplus: 1n });
    expect(planDelivery(promised({ through: "pool", trueExactOutput: true }), 1_000n)).to.not.have.property(
      "reserve",
    );
  });

  it("chains that count a currency in other units: the surplus in the inventory's units, rounded down", () => {
    const { deposit, fill } = promised();
    const coarser = promised({ deposit: { ...deposit, decimals: 8 }, fill: { ...fill, decimals: 6 } });
    expect(planDelivery(coarser, 1_199n)).to.include({ inventory: 901n, surplus: 1n });
    const finer = promised({ deposit: { ...deposit, decimals: 6 }, fill: { ...fill, decimals: 8 } });
    expect(planDelivery(finer, 1_001n)).to.include({ inventory: 1_000n, surplus: 100n });
  });

  it("an output that varies, paid twice: twice as much, and twice the promise", () => {
    expect(planDelivery(promised({ tradeType: "EXACT_INPUT" }), 2_000n)).to.deep.equal({
      inventory: 1_800n,
      output: { exactly: 1_800n },
    });
    expect(planDelivery(promised({ through: "pool", tradeType: "EXPECTED_OUTPUT" }), 2_000n)).to.deep.equal({
      inventory: 1_800n,
      output: { atLeast: 1_800n },
    });
  });
});

const components = ["app", "execution", "relay", "swap"] as const;

const reserve = fc.bigInt({ max: 10n ** 20n, min: 10n ** 9n });

const pool = fc.record({ reserveIn: reserve, reserveOut: reserve });

const sponsorship = fc.record({
  cap: fc.option(fc.bigInt({ max: 10n ** 8n, min: 0n }), { nil: undefined }),
  components: fc.subarray([...components]).map((each) => new Set(each)),
  swapCost: fc.bigInt({ max: 10n ** 6n, min: 0n }),
});

const input: fc.Arbitrary<AmountsInput> = fc.record({
  amount: fc.bigInt({ max: 10n ** 12n, min: 1n }),
  appFeesBps: fc.array(fc.bigInt({ max: 1_000n, min: 0n }), { maxLength: 3 }),
  destination: fc.oneof(
    fc.constant(noLeg(usdc)),
    pool.map((each) => ({ from: usdc, path: [usdc, usdt], pools: [each], to: usdt })),
  ),
  executionFee: fc.bigInt({ max: 10n * oneUsd, min: 0n }),
  origin: pool.map((each) => ({ from: usdt, path: [usdt, usdc], pools: [each], to: usdc })),
  serviceFeeBps: fc.constantFrom(0n, 1n, 6n),
  slippageBps: fc.oneof(fc.constantFrom(0n, 200n, 5_000n, 10_000n), fc.bigInt({ max: 10_000n, min: 0n })),
  sponsorship: fc.option(sponsorship, { nil: undefined }),
  topup: fc.constantFrom(0n, 2n * oneUsd),
  tradeType: fc.constantFrom("EXACT_INPUT", "EXACT_OUTPUT", "EXPECTED_OUTPUT"),
});

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, each) => total + each, 0n);
}

/** The terms that a quote stores for the solver. */
function promisedBy(
  { destination, tradeType }: AmountsInput,
  amounts: Amounts,
): Parameters<typeof planDelivery>[0] {
  const shares = sum(amounts.appFees) + amounts.relayerService;
  return {
    deposit: { amount: amounts.deposit, decimals: 6, minimumAmount: amounts.minimumDeposit },
    destination: {
      amount: amounts.amountOut,
      chainId: 31_338,
      currency: destination.to.address,
      minimumAmount: amounts.minimumOut,
    },
    fill: {
      amount: amounts.inventory,
      currency: usdc.address,
      decimals: 6,
      gas: amounts.relayerGas,
      maximumAmount: amounts.maximumInventory,
      path: destination.path.length > 1 ? destination.path.map(({ address }) => address) : [],
    },
    ...(amounts.allotment && { sponsorship: { amount: amounts.allotment.total, shares } }),
    ...(amounts.topup !== undefined && { topup: { amount: amounts.topup, shares } }),
    tradeType,
  };
}

describe("the solver's worth", () => {
  it("any accepted deposit after an origin swap: covers the largest spending, the app fees and all of the gas, at the quoted prices", () => {
    let delivered = 0;
    fc.assert(
      fc.property(input, fc.bigInt({ max: 10_000n, min: 0n }), fc.boolean(), (parameters, part, isMore) => {
        let amounts: Amounts;
        try {
          amounts = computeAmounts(parameters);
        } catch (error) {
          if (error instanceof QuoteError) return;
          throw error;
        }
        const { deposit, minimumDeposit } = amounts;
        const span = isMore ? deposit : deposit - minimumDeposit;
        const deposited = (isMore ? deposit : minimumDeposit) + (span * part) / 10_000n;
        const plan = planDelivery(promisedBy(parameters, amounts), deposited);
        if (!("inventory" in plan)) return;
        delivered++;
        const isExact = parameters.tradeType === "EXACT_OUTPUT";
        const isVariable = !isExact && amounts.allotment === undefined && amounts.topup === undefined;
        const apps = isVariable ? amounts.appFees.map((fee) => (fee * deposited) / deposit) : amounts.appFees;
        const gas = amounts.relayerGas + (amounts.topup ?? 0n);
        const income = deposited + (amounts.allotment?.total ?? 0n);
        const left = income - plan.inventory - sum(apps) - gas;
        expect(left >= 0n, `${left} is left of ${deposited}`).to.equal(true);
      }),
      { numRuns: 3_000 },
    );
    expect(delivered > 500, `${delivered} deliveries`).to.equal(true);
  });
});
