import { expect } from "chai";
import {
  amountOf,
  type GetQuoteParameters,
  getQuote,
  InvalidParameterError,
} from "../../../src/client/index.ts";
import { fakeService, json, rejectionOf } from "./support/fakeService.ts";
import { intent as anIntent, bridgeQuote, token } from "./support/samples.ts";

const intent = { ...anIntent, amount: 10n ** 16n };
describe("getQuote", () => {
  const refused: [string, Record<string, unknown>, string][] = [
    ["a negative amount", { amount: -1n }, "amount"],
    ["an amount beyond a uint256", { amount: 2n ** 256n }, "amount"],
    ["an amount that is not a number", { amount: "1e18" }, "amount"],
    ["an amount in floating point", { amount: 0.1 }, "amount"],
    ["a trade type that does not exist", { tradeType: "EXACT" }, "tradeType"],
    ["a chain id that is a string", { originChainId: "31337" }, "originChainId"],
    ["a chain id that is not whole", { destinationChainId: 1.5 }, "destinationChainId"],
    ["no user", { user: undefined }, "user"],
    ["an empty currency", { originCurrency: "" }, "originCurrency"],
    ["a recipient with white space", { recipient: "0x12 34" }, "recipient"],
    ["a call to a short address", { txs: [{ to: "0x1234" }] }, "txs.0.to"],
    ["a call with half a byte", { txs: [{ to: token }, { data: "0x123", to: token }] }, "txs.1.data"],
    ["a call with a negative value", { txs: [{ to: token, value: -1n }] }, "txs.0.value"],
    ["an option of another type", { useExternalLiquidity: "yes" }, "useExternalLiquidity"],
  ];
  for (const [what, fields, parameter] of refused) {
    it(`refuses ${what} and names ${parameter}`, async () => {
      const { calls, client } = fakeService([json(bridgeQuote())]);
      const parameters = { ...intent, ...fields } as GetQuoteParameters;
      const error = await rejectionOf(getQuote(client, parameters));
      expect(error).to.be.instanceOf(InvalidParameterError);
      expect(error).to.have.property("parameter", parameter);
      expect(calls).to.deep.equal([]);
    });
  }

  it("posts decimal strings, whole calls and fields it does not know, and none of its own options", async () => {
    const { calls, client } = fakeService([json(bridgeQuote())]);
    const more = { brandNew: { nested: true } };
    await getQuote(client, {
      ...intent,
      ...more,
      retryCount: 0,
      timeout: 1_000,
      txs: [{ to: token, value: 2n ** 255n }],
    });
    expect(calls[0]).to.deep.include({ method: "POST", pathname: "/quote/v2" });
    expect(calls[0]?.headers.get("content-type")).to.equal("application/json");
    expect(calls[0]?.body).to.deep.equal({
      ...intent,
      ...more,
      amount: "10000000000000000",
      includeProtocolData: true,
      txs: [{ data: "0x", to: token, value: (2n ** 255n).toString() }],
    });
  });

  it("returns the wire as it came, unknown fields included, with exact amounts", async () => {
    const largest = (2n ** 256n - 1n).toString();
    const quote = bridgeQuote();
    const answer = {
      ...quote,
      brandNew: 1,
      details: { ...quote.details, currencyIn: { ...quote.details.currencyIn, amount: largest } },
    };
    const { client } = fakeService([json(answer)]);
    const returned = await getQuote(client, intent);
    expect(returned).to.deep.equal(answer);
    expect(amountOf(returned.details.currencyIn)).to.equal(2n ** 256n - 1n);
  });

  it("refuses an answer whose amount lost its exactness on the way", async () => {
    const quote = bridgeQuote();
    for (const amount of [1e22, "1e22", "0x10", "10.0", (2n ** 256n).toString(), ""]) {
      const currencyIn = { ...quote.details.currencyIn, amount };
      const { client } = fakeService([json({ ...quote, details: { ...quote.details, currencyIn } })]);
      const error = await rejectionOf(getQuote(client, intent));
      expect(error, String(amount)).to.include({
        code: "RESPONSE_INVALID",
        path: "details.currencyIn.amount",
      });
    }
  });

  it("is repeated like a read: it has no side effect", async () => {
    const unavailable = json({ errorCode: "SERVICE_UNAVAILABLE", message: "try later" }, 503);
    const { calls, client } = fakeService([unavailable, json(bridgeQuote())]);
    await getQuote(client, intent);
    expect(calls).to.have.length(2);
    expect(calls[1]?.body).to.deep.equal(calls[0]?.body);
  });

  it("tells having no route from being rate limited", async () => {
    const { client } = fakeService([
      json({ errorCode: "NO_SWAP_ROUTES_FOUND", message: "No routes found" }, 400),
    ]);
    const error = await rejectionOf(getQuote(client, intent));
    expect(error).to.include({ errorCode: "NO_SWAP_ROUTES_FOUND", name: "HttpError", retryable: false });
  });
});
