import { expect } from "chai";
import { readBounds } from "../../../../src/calls/verify/readBounds.ts";
import type { QuoteIntent } from "../../../../src/calls/verify/VerifyQuoteParameters.ts";

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
});
