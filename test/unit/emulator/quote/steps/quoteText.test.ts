import { expect } from "chai";
import { quoteText } from "../../../../../emulator/quote/storedAppFees.ts";
import { serializeStoredQuote } from "../../../../../emulator/requests/StoredQuote.ts";
import { bridgeQuote } from "../../../client/support/samples.ts";

const { details, fees, protocol, steps } = bridgeQuote();
const appFeeCurrency = details.currencyIn.currency;
const appFees = [
  { amount: "1", amountFormatted: "0.1", amountUsd: "0.100000", bps: "10", recipient: 'quoted "name" é' },
];

describe("quoteText", () => {
  // @spec quote/shape
  it("writes a quote byte by byte as JSON has it, for the answer and for the record", () => {
    const quote = { details, fees, protocol, steps };
    expect(quoteText(quote, { appFeeCurrency, appFees })).to.deep.equal({
      answer: JSON.stringify({ details, fees, steps, protocol }),
      stored: serializeStoredQuote({ appFeeCurrency, appFees, details, fees, protocol }),
    });
  });

  it("leaves the protocol out where there is none", () => {
    for (const quote of [
      { details, fees, steps },
      { details, fees, protocol: undefined, steps },
    ]) {
      expect(quoteText(quote, { appFeeCurrency, appFees: [] })).to.deep.equal({
        answer: JSON.stringify({ details, fees, steps }),
        stored: serializeStoredQuote({ appFeeCurrency, appFees: [], details, fees, protocol: undefined }),
      });
    }
  });
});
