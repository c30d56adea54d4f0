import { expect } from "chai";
import { oneUsd } from "../../../../../emulator/money/prices.ts";
import { sponsoredAmounts } from "../../../../../emulator/quote/route/computeAmounts.ts";
import { fixedAmounts, ratedAmounts } from "../../../../../emulator/quote/route/fixedAmounts.ts";
import { sponsoredComponents } from "../../../../../emulator/quote/sponsorship/allotSponsorship.ts";
import { noLeg, type SwapLeg } from "../../../../../emulator/router/SwapLeg.ts";
import { ether, usdc, usdt } from "../../support/fakeChains.ts";

const [input, output] = ["EXACT_INPUT", "EXACT_OUTPUT"] as const;
/** 100 USDC on another chain, for an execution of two cents and an app fee of one percent. */
const bridge = {
  amount: 100_000_000n,
  appFeesBps: [100n],
  destination: noLeg(usdc),
  executionFee: oneUsd / 50n,
  origin: noLeg(usdc),
  serviceFeeBps: 6n,
  slippageBps: 200n,
  tradeType: input as typeof input | typeof output,
};

/** A leg from USDC to ether through a pool of a thousand ether. */
const throughPool = (price: bigint): SwapLeg => ({
  from: usdc,
  path: [usdc, ether],
  pools: [{ reserveIn: price * 10n ** 9n, reserveOut: 10n ** 21n }],
  to: ether,
});
const fair = throughPool(2_500n);
const shallow: SwapLeg = { ...fair, pools: [{ reserveIn: 1n, reserveOut: 1n }] };
const isSwapped: SwapLeg = { from: usdt, path: [usdt, usdc], pools: [], to: usdc };
const codeOf = (act: () => unknown) => {
  try {
    return act();
  } catch (error) {
    return (error as { errorCode?: string }).errorCode ?? error;
  }
};

describe("fixedAmounts", () => {
  const fixed = { ...bridge, spread: 30n };
  const worked = {
    amountIn: 100_000_000n,
    amountOut: 98_683_060n,
    appFees: [1_000_000n],
    deposit: 100_000_000n,
    expectedIn: 100_000_000n,
    inventory: 98_683_060n,
    maximumInventory: 98_683_060n,
    minimumDeposit: 100_000_000n,
    minimumOut: 98_683_060n,
    netIn: 98_683_060n,
    relayerGas: 20_000n,
    relayerService: 296_940n,
  };

  it("100 USDC less 1 % for an app, two cents and 30 basis points: gives 98.68306", () => {
    expect(fixedAmounts(fixed)).to.deep.equal(worked);
    expect(fixedAmounts({ ...fixed, executionFee: 1n })).to.include({ relayerGas: 1n });
  });

  it("an output of 98.68306 USDC: costs 100, and one unit more costs the least input that covers it", () => {
    const asked = { ...fixed, amount: 98_683_060n, tradeType: output };
    expect(fixedAmounts(asked)).to.deep.equal(worked);
    expect(fixedAmounts({ ...asked, amount: 98_683_061n })).to.include({ deposit: 100_000_003n });
  });

  it("an output in ether: costs the least input that is worth as much", () => {
    const bare = {
      ...fixed,
      appFeesBps: [],
      destination: fair,
      executionFee: 0n,
      spread: 0n,
      tradeType: output,
    };
    for (const [amount, amountIn] of [
      [400_000_000n, 1n],
      [400_000_001n, 2n],
    ] as const) {
      const legs = { destination: { ...fair, pools: [] }, origin: noLeg(usdc) };
      expect(fixedAmounts({ ...bare, ...legs, amount })).to.include({ amountIn });
    }
  });

  it("a pool: is paid for by the service up to one percent above the oracle's price, and no further", () => {
    expect(fixedAmounts({ ...fixed, destination: fair })).to.deep.equal({
      ...worked,
      amountOut: 39_473_224n * 10n ** 9n,
      inventory: 98_983_908n,
      maximumInventory: 99_969_800n,
      minimumOut: 39_473_224n * 10n ** 9n,
      netIn: 98_983_908n,
      relayerService: -3_908n,
    });
    expect(codeOf(() => fixedAmounts({ ...fixed, destination: throughPool(2_600n) }))).to.equal(
      "SWAP_IMPACT_TOO_HIGH",
    );
  });

  for (const [what, more, code] of [
    ["an input that the fees take", { amount: 20_202n }, "AMOUNT_TOO_LOW"],
    ["an input below the fees", { amount: 10_000n }, "AMOUNT_TOO_LOW"],
    ["an app fee of all", { appFeesBps: [4_000n, 6_000n], tradeType: output }, "AMOUNT_TOO_LOW"],
    ["a spread that leaves no unit", { amount: 20_203n, spread: 9_999n }, "AMOUNT_TOO_LOW"],
    ["more than the pool holds", { destination: shallow }, "INSUFFICIENT_LIQUIDITY"],
    ["an input that must be swapped", { origin: isSwapped }, "UNSUPPORTED_EXECUTION_TYPE"],
  ] as const) {
    it(`${what}: throws ${code}`, () => {
      expect(codeOf(() => fixedAmounts({ ...fixed, ...more }))).to.equal(code);
    });
  }
});

describe("ratedAmounts", () => {
  const all = { cap: undefined, components: new Set(sponsoredComponents), isWhole: false };
  const rated = (more: object, out = 1n, asked: Parameters<typeof ratedAmounts>[1] = all) =>
    ratedAmounts({ ...bridge, ratio: { in: 1n, out }, ...more }, asked);
  const flat = { destination: noLeg(usdc) };

  it("one for one: the sponsor pays all fees, and the recipient gets the input", () => {
    const { allotment, ...amounts } = rated(flat);
    expect(amounts).to.deep.equal({
      amountIn: 100_000_000n,
      amountOut: 100_000_000n,
      appFees: [1_000_000n],
      deposit: 100_000_000n,
      expectedIn: 100_000_000n,
      inventory: 100_000_000n,
      maximumInventory: 100_000_000n,
      minimumDeposit: 100_000_000n,
      minimumOut: 100_000_000n,
      netIn: 100_000_000n,
      relayerGas: 20_000n,
      relayerService: 60_000n,
    });
    const rounded = rated({ ...flat, amount: 100_000_001n, executionFee: 1n });
    expect(rounded).to.include({ relayerGas: 1n, relayerService: 60_001n });
    const sponsored = { app: 1_000_000n, execution: 20_000n, relay: 60_000n, rent: 0n, swap: 0n };
    expect(allotment).to.deep.include({ capHit: false, sponsored, total: 1_080_000n, totals: sponsored });
  });

  it("a rate above the price: the sponsor pays the difference too, within its cap", () => {
    const asked = { ...flat, amount: 202_000_000n, tradeType: output };
    const amounts = rated(asked, 2n);
    expect(amounts).to.include({ amountIn: 101_000_000n, amountOut: 202_000_000n, netIn: 202_000_000n });
    expect(amounts.allotment?.sponsored.swap).to.equal(101_000_000n);
    expect(amounts.relayerService).to.equal(60_600n);
    const total = amounts.allotment?.total ?? 0n;
    expect(total).to.equal(101_000_000n + 20_000n + 60_600n + 1_010_000n);
    expect(rated(asked, 2n, { ...all, cap: total }).allotment?.total).to.equal(total);
    expect(codeOf(() => rated(asked, 2n, { ...all, cap: total - 1n }))).to.equal(
      "UNSUPPORTED_EXECUTION_TYPE",
    );
  });

  it("a rate below the price: the sponsor pays nothing, and the service keeps the rest", () => {
    const amounts = rated({ ...flat, ratio: { in: 100n, out: 98n } });
    expect(amounts).to.include({ amountOut: 98_000_000n, relayerService: 980_000n });
    expect(amounts.allotment).to.include({ capHit: false, total: 0n });
  });

  it("a rate below the price that leaves less than the fees: the sponsor pays what is missing", () => {
    const amounts = rated({ ...flat, ratio: { in: 1_000n, out: 999n } });
    expect(amounts).to.include({ amountOut: 99_900_000n, relayerService: 60_000n });
    expect(amounts.allotment).to.include({ total: 980_000n });
  });

  it("an output between two units of the input: costs the higher", () => {
    const amounts = rated({ ...flat, amount: 3n, tradeType: output }, 2n);
    expect(amounts).to.include({ amountIn: 2n, amountOut: 3n });
  });

  it("a pool: takes up to one percent more than quoted", () => {
    const amounts = rated({ destination: fair, ratio: { in: 2_500n, out: 1n } });
    expect(amounts).to.include({ amountOut: 4n * 10n ** 16n, inventory: 100_304_915n, netIn: 100_304_915n });
    expect(amounts.maximumInventory).to.equal(101_307_964n);
  });

  for (const [what, more, code] of [
    ["an input below a unit of the output", { amount: 1n, ratio: { in: 2n, out: 1n } }, "AMOUNT_TOO_LOW"],
    ["more than the pool holds", { destination: shallow }, "INSUFFICIENT_LIQUIDITY"],
    ["an input that must be swapped", { origin: isSwapped }, "UNSUPPORTED_EXECUTION_TYPE"],
  ] as const) {
    it(`${what}: throws ${code}`, () => {
      expect(codeOf(() => rated({ ...flat, ...more }))).to.equal(code);
    });
  }
});

describe("sponsoredAmounts", () => {
  const swap = { ...bridge, destination: fair };
  const all = { cap: undefined, components: new Set(sponsoredComponents), isWhole: false };

  it("all fees and the loss in the pool: are the sponsor's, and the input crosses whole", () => {
    const { allotment, ...amounts } = sponsoredAmounts(swap, all);
    const sponsored = { app: 1_000_000n, execution: 20_000n, relay: 60_000n, rent: 0n, swap: 300_650n };
    expect(allotment).to.deep.include({ capHit: false, sponsored, total: 1_380_650n, totals: sponsored });
    expect(amounts).to.include({ deposit: 100_000_000n, netIn: 100_300_650n, relayerService: 60_000n });
  });

  it("a cap in micro-dollars, or an unselected fee: is left to the user", () => {
    const capped = sponsoredAmounts(swap, { ...all, cap: 50_000n });
    expect(capped).to.include({ netIn: 98_920_000n + 50_000n });
    expect(capped.allotment).to.include({ capHit: true, total: 50_000n });
    const app = sponsoredAmounts(swap, { ...all, components: new Set(["app"]) });
    expect(app).to.include({ netIn: 99_920_000n });
  });

  it("a fixed output: costs what crosses and the fees that no sponsor pays", () => {
    const bridged = { ...bridge, destination: noLeg(usdc), tradeType: output };
    const cost = (asked: Parameters<typeof sponsoredAmounts>[1]) => sponsoredAmounts(bridged, asked).amountIn;
    expect(cost(undefined)).to.equal(101_091_571n);
    expect(cost(all)).to.equal(100_000_000n);
    expect(cost({ ...all, components: new Set(["execution"]) })).to.equal(101_071_357n);
    expect(cost({ ...all, components: new Set(["app", "relay"]) })).to.equal(100_020_000n);
    expect(cost({ ...all, cap: 20_000n })).to.equal(101_071_357n);
    const { allotment } = sponsoredAmounts(bridged, all);
    expect(allotment).to.include({ total: 20_000n + 60_000n + 1_000_000n });
  });

  it("a fixed output through a pool: costs the oracle's price, as its sponsor pays the loss", () => {
    const amount = 4n * 10n ** 16n;
    const amounts = sponsoredAmounts({ ...swap, amount, tradeType: output }, all);
    expect(amounts).to.include({ amountIn: 100_000_000n, netIn: 100_304_915n });
    expect(amounts.allotment?.sponsored.swap).to.equal(304_915n);
  });

  it("a pool that is cheaper than the oracle's price: leaves its sponsor no loss", () => {
    const { allotment } = sponsoredAmounts({ ...bridge, destination: throughPool(2_400n) }, all);
    expect(allotment?.sponsored.swap).to.equal(0n);
  });

  it("an amount that only the sponsor makes possible: has no loss to pay", () => {
    const dust = { ...swap, amount: 10_000n };
    expect(codeOf(() => sponsoredAmounts(dust, undefined))).to.equal("AMOUNT_TOO_LOW");
    expect(sponsoredAmounts(dust, all).allotment?.sponsored.swap).to.equal(0n);
    expect(
      codeOf(() => sponsoredAmounts({ ...swap, destination: shallow, tradeType: output }, all)),
    ).to.equal("INSUFFICIENT_LIQUIDITY");
  });
});
