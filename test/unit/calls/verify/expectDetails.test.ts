import { expect } from "chai";
import { zeroAddress } from "viem";
import { Unmet } from "../../../../src/calls/verify/compareWhole.ts";
import { expectBounds, expectDetails } from "../../../../src/calls/verify/expected/expectDetails.ts";
import { boundOpenSeconds } from "../../../../src/calls/verify/expected/expectOrder.ts";
import { boundSeconds, chooseDeadline, contractOf } from "../../../../src/calls/verify/Terms.ts";
import { amountIn, attacker, depository, origin, router, termsOf, token } from "./support/terms.ts";

describe("expectBounds", () => {
  for (const [tradeType, bound] of [
    ["EXACT_INPUT", "minimumOutput"],
    ["EXACT_OUTPUT", "maximumInput"],
    ["EXPECTED_OUTPUT", "maximumInput"],
  ] as const) {
    it(`${tradeType} without a bound: needs ${bound}, or the word that any price is accepted`, () => {
      const given = { request: { tradeType }, terms: { bounds: { isBounded: false } as never } };
      const text = `${bound}, price, or bounds: "none"`;
      expect(expectBounds(termsOf(given))).to.deep.equal({
        [bound]: new Unmet(text, "QUOTE_BOUNDS", "none"),
      });
    });
  }
});

describe("expectDetails", () => {
  const detailsOf = ({
    shown = {},
    out = {},
    terms = {},
    request = {},
    top,
  }: Record<string, object | undefined>) => {
    const amount = (value: string, more: object = {}) => ({
      amount: value,
      amountFormatted: undefined,
      currency: { decimals: 6 },
      ...more,
    });
    const details = {
      currencyGasTopup: top,
      currencyIn: amount("5000", shown),
      currencyOut: amount("4900", out),
    };
    const given = {
      destination: { ...origin, chainId: 2 },
      policy: {},
      quote: { details },
      ...terms,
    };
    const bounds = { ceiling: undefined, floor: 4_800n };
    const asked = { destinationChainId: 2, originChainId: 1, tradeType: "EXACT_INPUT", ...request };
    return expectDetails(
      termsOf({ from: token, request: asked, terms: { bounds, ...given } as never }),
    ) as Record<string, Record<string, unknown>>;
  };

  for (const [amount, decimals, text, isShown] of [
    ["1500000", 6, "1.5", true],
    ["1500000", 6, "1.500000", true],
    ["1500000", 6, "1.5000000", true],
    ["1500000", 6, "1.50000001", false],
    ["1500000", 6, "1.49", false],
    ["1500000", 6, "15", false],
    ["1500000", 6, "1,5", false],
    ["1500000", 6, "x1.5", false],
    ["1500000", 6, "1.5x", false],
    ["1500000", 6, "", false],
    ["1509999", 6, "1.50", true],
    ["1500000", 6, "1.51", false],
    ["1500001", 6, "1.51", true],
    ["1999999", 6, "1", false],
    ["1009999", 6, "1", true],
    ["999999", 6, "1", true],
    ["990000", 6, "1", false],
    ["0", 6, "0", true],
    ["7", 0, "7", true],
    ["7", 0, "7.0", true],
    ["7", 0, "7.1", false],
    ["100", 2, "1.00", true],
  ] as const) {
    it(`${amount} of ${decimals} decimals is ${isShown ? "" : "not "}shown as "${text}"`, () => {
      const currency = { decimals };
      const { currencyIn } = detailsOf({ shown: { amount, amountFormatted: text, currency } });
      const expected = isShown ? text : new Unmet(`${amount} / 10^${decimals}`);
      expect(currencyIn?.["amountFormatted"]).to.deep.equal(expected);
    });
  }

  for (const [what, given, expected] of [
    [
      "the least with the slippage",
      { out: { minimumAmount: "4851" }, request: { slippageTolerance: "100" } },
      4_851n,
    ],
    [
      "less than that",
      { out: { minimumAmount: "4850" }, request: { slippageTolerance: "100" } },
      new Unmet("at least 4851"),
    ],
    [
      "the caller's floor",
      { out: { minimumAmount: "4850" }, terms: { bounds: { floor: 4_851n } } },
      new Unmet("at least 4851"),
    ],
    [
      "a slippage above the policy's",
      {
        out: { minimumAmount: "4801" },
        request: { slippageTolerance: "500" },
        terms: { policy: { maximumSlippage: 200 } },
      },
      new Unmet("at least 4802"),
    ],
    ["no minimum", {}, 4_900n],
  ] as const) {
    it(`a minimum output of ${what}: ${expected instanceof Unmet ? `must be ${expected.text}` : "is allowed"}`, () => {
      expect(detailsOf(given)["currencyOut"]?.["minimumAmount"]).to.deep.equal(expected);
    });
  }

  it("an output: is at least a fixed one, and at most what the order expects", () => {
    const outputOf = (asked: string, expectedAmount?: string) => {
      const request = { amount: asked, tradeType: "EXACT_OUTPUT" };
      const orderData = expectedAmount && { output: { payments: [{ expectedAmount }] } };
      const details = {
        currencyIn: { amount: "5000", currency: {} },
        currencyOut: { amount: "4900", currency: {} },
      };
      return detailsOf({ request, terms: { quote: { details, protocol: { v2: { orderData } } } } })[
        "currencyOut"
      ]?.["amount"];
    };
    expect(outputOf("4900")).to.equal(4_900n);
    expect(outputOf("4901")).to.deep.equal(new Unmet("at least 4901"));
    expect(outputOf("4900", "4900")).to.equal(4_900n);
    expect(outputOf("4900", "4899")).to.deep.equal(new Unmet("at most 4899, which the order expects"));
  });

  it("an input: is positive and at most the caller's ceiling", () => {
    const inputOf = (terms: object) => detailsOf({ terms })["currencyIn"]?.["amount"];
    expect(inputOf({ amountIn: 0n })).to.deep.equal(new Unmet("more than 0"));
    expect(inputOf({ bounds: { ceiling: amountIn, floor: 0n } })).to.equal(amountIn);
    expect(inputOf({ bounds: { ceiling: amountIn - 1n, floor: 0n } })).to.deep.equal(
      new Unmet("at most 4999"),
    );
  });

  it("native currency: has 18 decimals, and an untrusted chain no id", () => {
    const { currencyIn, currencyOut } = detailsOf({ terms: { destination: undefined } });
    expect(currencyIn?.["currency"]).to.deep.equal({ address: token, chainId: 1, decimals: 6 });
    expect(currencyOut?.["currency"]).to.deep.include({
      chainId: new Unmet("one of `trust` (1)", "QUOTE_UNKNOWN_CHAIN", "2"),
    });
    const native = detailsOf({ request: { originCurrency: zeroAddress } });
    expect(native["currencyIn"]?.["currency"]).to.include({ decimals: 18 });
  });

  it("a top-up: is paid if it was asked for, in native currency on the destination", () => {
    const top = { amount: "7", currency: { decimals: 18 } };
    const topupOf = (topupGas: boolean, shown?: object) =>
      detailsOf({ request: { topupGas }, top: shown })["currencyGasTopup"];
    expect(topupOf(true, top)).to.deep.include({ amount: "7" });
    expect(topupOf(true, top)?.["currency"]).to.deep.equal({
      address: zeroAddress,
      chainId: 2,
      decimals: 18,
    });
    expect(topupOf(false, top)).to.deep.equal({ amount: new Unmet("0") });
    expect(topupOf(true)).to.deep.equal({ amount: new Unmet("more than 0") });
    expect(topupOf(false, { ...top, amount: "0" })).to.deep.equal({ amount: "0" });
  });
});

describe("deadlines", () => {
  it("must be after the least, and no later than the most and a minute", () => {
    const now = termsOf({ terms: { now: 1_000 } });
    for (const [deadline, expected] of [
      [1_000, new Unmet("after 1000", "QUOTE_DEADLINE")],
      [1_001, 1_001],
      [1_160, 1_160],
      [1_161, new Unmet("at most 1160", "QUOTE_DEADLINE")],
      ["1030", "1030"],
    ] as const) {
      expect(chooseDeadline(now, deadline, 100)).to.deep.equal(expected);
    }
    expect(chooseDeadline(now, 1_030, 100, 30)).to.deep.equal(new Unmet("after 1030", "QUOTE_DEADLINE"));
  });

  it("last as long as was asked for, and no longer than the policy allows", () => {
    expect([boundSeconds(9), boundSeconds(9, 7), boundSeconds(9, 7, 5), boundSeconds(9, 7, 8)]).to.deep.equal(
      [9, 7, 5, 7],
    );
    expect(boundSeconds(9, undefined, 8)).to.equal(8);
  });

  it("of an order leave a minute to deposit, or half of a short time", () => {
    expect(boundOpenSeconds()).to.deep.equal({ least: 60, most: 604_800 });
    expect(boundOpenSeconds(120)).to.deep.equal({ least: 60, most: 120 });
    expect(boundOpenSeconds(51)).to.deep.equal({ least: 25, most: 51 });
  });
});

describe("contractOf", () => {
  it("is the trusted contract that the quote names, or the first", () => {
    expect(contractOf("depository", [undefined, router, depository], depository)).to.equal(depository);
    expect(contractOf("depository", [undefined, router, depository], attacker)).to.equal(router);
    expect(contractOf("depository", [undefined], attacker)).to.deep.equal(
      new Unmet("a trusted depository", "QUOTE_UNKNOWN_ROLE", "none is known"),
    );
  });
});
