import { expect } from "chai";
import { readBounds } from "../../../../src/calls/verify/readBounds.ts";
import type { QuoteIntent } from "../../../../src/calls/verify/readWanted.ts";

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
    expect(await readBounds({ price }, request)).to.include({ floor: 9_000n });
    expect(await readBounds({ maximumSlippage: 50, price }, request)).to.include({ floor: 9_950n });
    const modest = { ...request, slippageTolerance: "30" };
    expect(await readBounds({ maximumSlippage: 50, price }, modest)).to.include({ floor: 9_970n });
    const bought = { ...request, tradeType: "EXACT_OUTPUT" } as const;
    expect(await readBounds({ price }, bought)).to.include({ ceiling: 11_000n });
  });
});
