import { expect } from "chai";
import { readBounds } from "../../../../src/calls/verify/readBounds.ts";
import { copyUsual } from "../../../../src/calls/verify/readQuote.ts";
import {
  type PriceQuestion,
  type QuoteIntent,
  readVerifyParameters,
} from "../../../../src/calls/verify/VerifyQuoteParameters.ts";
import { failureOf } from "../../../helpers/failureOf.ts";

const currency = `0x${"00".repeat(20)}`;
const request: QuoteIntent = {
  amount: "100",
  destinationChainId: 10,
  destinationCurrency: currency,
  originChainId: 1,
  originCurrency: currency,
  slippageTolerance: "9900",
  tradeType: "EXACT_INPUT",
  user: currency,
};
const price = () => 10_000n;

describe("readBounds", () => {
  it("P8: the policy bounds the slippage that a request asks for", async () => {
    const exact = { price, priceTolerance: 0 };
    expect(await readBounds(exact, request)).to.include({ floor: 9_000n });
    expect(await readBounds({ ...exact, maximumSlippage: 50 }, request)).to.include({ floor: 9_950n });
    const modest = { ...request, slippageTolerance: "30" };
    expect(await readBounds({ ...exact, maximumSlippage: 50 }, modest)).to.include({ floor: 9_970n });
    const bought = { ...request, tradeType: "EXACT_OUTPUT" } as const;
    expect(await readBounds({ price }, bought)).to.include({ ceiling: 11_000n });
  });

  it("a fair price allows fees of two percent before the slippage, and `priceTolerance` another share", async () => {
    const modest = { ...request, slippageTolerance: "100" };
    expect(await readBounds({ price }, modest)).to.include({ floor: 9_702n });
    expect(await readBounds({ price, priceTolerance: 1_000 }, modest)).to.include({ floor: 8_910n });
  });

  it("an output: has the requested amount as its floor, less the slippage if it is expected, or the higher bound", async () => {
    const asked = { ...request, slippageTolerance: "100" };
    const floorOf = async (tradeType: QuoteIntent["tradeType"], minimumOutput?: bigint) =>
      (await readBounds({ minimumOutput }, { ...asked, tradeType })).floor;
    expect(await floorOf("EXACT_OUTPUT")).to.equal(100n);
    expect(await floorOf("EXACT_OUTPUT", 99n)).to.equal(100n);
    expect(await floorOf("EXACT_OUTPUT", 101n)).to.equal(101n);
    expect(await floorOf("EXPECTED_OUTPUT")).to.equal(99n);
    expect(await floorOf("EXPECTED_OUTPUT", 98n)).to.equal(98n);
    expect(await floorOf("EXPECTED_OUTPUT", 101n)).to.equal(101n);
  });

  it("an input: has the lower of the caller's bound and the price, and is unbounded without both", async () => {
    const bought = { ...request, tradeType: "EXACT_OUTPUT" } as const;
    for (const [policy, ceiling, isBounded] of [
      [{ price }, 11_000n, true],
      [{ maximumInput: 10_999n, price }, 10_999n, true],
      [{ maximumInput: 11_001n, price }, 11_000n, true],
      [{ maximumInput: 7n }, 7n, true],
      [{}, undefined, false],
      [{ bounds: "none" }, undefined, true],
    ] as const) {
      expect(await readBounds(policy, bought)).to.include({ ceiling, isBounded });
    }
    expect(
      await readBounds({ maximumSlippage: 10_000, price }, { ...request, slippageTolerance: "10000" }),
    ).to.include({
      floor: 0n,
      isBounded: false,
    });
  });

  it("a price source: is asked for the open side of the route, and must answer a positive bigint", async () => {
    const asked: PriceQuestion[] = [];
    await readBounds({ price: (question) => BigInt(asked.push(question)) }, request);
    const { destinationChainId, destinationCurrency, originChainId, originCurrency, tradeType } = request;
    const route = { destinationChainId, destinationCurrency, originChainId, originCurrency };
    expect(asked).to.deep.equal([{ amount: 100n, side: "output", tradeType, ...route }]);
    for (const answer of [0n, -1n, 5, "5", undefined]) {
      const error = await failureOf(readBounds({ price: () => answer as bigint }, request));
      expect(error).to.include({ code: "INVALID_PARAMETER", parameter: "price" });
    }
  });
});

describe("readVerifyParameters", () => {
  for (const [parameter, given] of [
    ["minimumOutput", { minimumOutput: 0n }],
    ["minimumOutput", { minimumOutput: 5 }],
    ["reader", { reader: {} }],
    ["price", { price: 5n }],
    ["request.amount", { request: { ...request, amount: -1n } }],
    ["request.amount", { request: { ...request, amount: 5 } }],
  ] as const) {
    it(`rejects an invalid ${parameter}, ${Object.keys(given)}: ${typeof Object.values(given)[0]}`, () => {
      const read = () => readVerifyParameters({ quote: {}, request, ...given } as never);
      expect(read).to.throw().with.property("parameter", parameter);
    });
  }

  it("accepts an amount of zero, which no bound allows", () => {
    const given = { quote: {}, request: { ...request, amount: 0n } };
    expect(readVerifyParameters(given as never).request.amount).to.equal(0n);
  });
});

describe("copyUsual", () => {
  const nested = (levels: number) => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
  for (const [what, usual, tooLarge, limit] of [
    ["levels", nested(100), nested(101), "100 levels"],
    ["entries", Array(256).fill(1), Array(257).fill(1), "256 entries in a list"],
    ["values", Array(31).fill(Array(128).fill(1)), Array(32).fill(Array(128).fill(1)), "4000 values"],
    ["characters", "x".repeat(999_998), "x".repeat(999_999), "1000000 characters"],
  ] as const) {
    it(`bounds the ${what} of a quote`, () => {
      const value =
        what === "characters" ? [JSON.stringify(usual), JSON.stringify(tooLarge)] : [usual, tooLarge];
      expect(() => copyUsual(value[0])).to.not.throw();
      expect(() => copyUsual(value[1])).to.throw(`more than ${limit}`);
    });
  }
});
