import { expect } from "chai";
import * as z from "zod";
import { parseStoredQuote, serializeStoredQuote } from "../../../../emulator/requests/StoredQuote.ts";

const appFee = {
  amount: "5",
  amountFormatted: "0.000005",
  amountUsd: "0.000005",
  bps: "10",
  recipient: "0x",
};
const currency = { address: "0x01", chainId: 31337, decimals: 6, name: "USD Coin", symbol: "USDC" };
const stored = { appFeeCurrency: currency, appFees: [appFee], details: {}, fees: {} };

describe("parseStoredQuote", () => {
  it("reads what serializeStoredQuote wrote, fields that only the answer has included", () => {
    const quote = { ...stored, details: { rate: "1", sender: "0x" }, protocol: { v2: {} } };
    const json = serializeStoredQuote(quote as never);
    expect(parseStoredQuote(json)).to.deep.equal(quote);
  });

  it("throws for an app fee that is no whole number, a currency without decimals, and no details", () => {
    const { decimals: _, ...withoutDecimals } = currency;
    for (const wrong of [
      { ...stored, appFees: [{ ...appFee, amount: "0.5" }] },
      { ...stored, appFeeCurrency: withoutDecimals },
      { ...stored, details: undefined },
      { ...stored, fees: "none" },
    ]) {
      expect(() => parseStoredQuote(JSON.stringify(wrong)), JSON.stringify(wrong)).to.throw(z.core.$ZodError);
    }
  });
});
