import { expect } from "chai";
import { amountOf, type GetQuoteParameters, getPrice, getQuote } from "../../../src/client/index.ts";
import { fakeService, json, rejectionOf } from "./support/fakeService.ts";
import { intent as anIntent, bridgeQuote, token } from "./support/samples.ts";

const intent = { ...anIntent, amount: 10n ** 16n };
const call = { data: "0x12", to: token };
const { details } = bridgeQuote();
const quoteWith = (amount: unknown) => {
  const currencyIn = { ...details.currencyIn, amount };
  return { ...bridgeQuote(), brandNew: 1, details: { ...details, currencyIn } };
};

describe("getQuote", () => {
  const refused: readonly [what: string, parameter: string, fields: object][] = [
    ["a negative amount", "amount", { amount: -1n }],
    ["an amount beyond a uint256", "amount", { amount: 2n ** 256n }],
    ["an amount with an exponent", "amount", { amount: "1e18" }],
    ["an amount in floating point", "amount", { amount: 0.1 }],
    ["an unknown trade type", "tradeType", { tradeType: "EXACT" }],
    ["a chain id that is a string", "originChainId", { originChainId: "31337" }],
    ["a chain id that is not whole", "destinationChainId", { destinationChainId: 1.5 }],
    ["no user", "user", { user: undefined }],
    ["an empty currency", "originCurrency", { originCurrency: "" }],
    ["a recipient with white space", "recipient", { recipient: "0x12 34" }],
    ["a call to a short address", "txs.0.to", { txs: [{ to: "0x1234" }] }],
    ["a call with half a byte", "txs.1.data", { txs: [{ to: token }, { data: "0x123", to: token }] }],
    ["a call with a negative value", "txs.0.value", { txs: [{ to: token, value: -1n }] }],
    ["an option of another type", "useExternalLiquidity", { useExternalLiquidity: "yes" }],
  ];
  for (const [what, parameter, fields] of refused) {
    it(`refuses ${what} and names ${parameter}`, async () => {
      const { calls, client } = fakeService([json(bridgeQuote())]);
      const parameters = { ...intent, ...fields } as GetQuoteParameters;
      expect(await rejectionOf(getQuote(client, parameters))).to.include({
        code: "INVALID_PARAMETER",
        parameter,
      });
      expect(calls).to.deep.equal([]);
    });
  }

  for (const [parameter, fields] of [
    ["amount", { amount: 1 }],
    ["amount", { amount: undefined }],
    ["txs.0.value", { txs: [{ ...call, value: 1 }] }],
  ] as const) {
    it(`given ${JSON.stringify(fields)}, asks for a bigint or a decimal string, as getPrice does`, async () => {
      for (const ask of [getQuote, getPrice]) {
        const { client } = fakeService([json({})]);
        const error = await rejectionOf(ask(client, { ...intent, ...fields } as never));
        expect(error).to.include({ code: "INVALID_PARAMETER", parameter });
        expect(error).to.have.property("message").which.includes("neither a bigint nor a decimal string");
      }
    });
  }

  it("posts whole calls, and none of its own options", async () => {
    const { calls, client } = fakeService([json(bridgeQuote())]);
    const value = 2n ** 255n;
    await getQuote(client, { ...intent, retryCount: 0, timeout: 1_000, txs: [{ to: token, value }] });
    expect(calls[0]?.body).to.deep.equal({
      ...intent,
      amount: "10000000000000000",
      includeProtocolData: true,
      txs: [{ data: "0x", to: token, value: value.toString() }],
    });
  });

  it("returns the wire as it came, unknown fields included, with exact amounts", async () => {
    const answer = quoteWith((2n ** 256n - 1n).toString());
    const { client } = fakeService([json(answer)]);
    const returned = await getQuote(client, intent);
    expect(returned).to.deep.equal(answer);
    expect(amountOf(returned.details.currencyIn)).to.equal(2n ** 256n - 1n);
  });

  for (const amount of [1e22, "1e22", "0x10", "10.0", (2n ** 256n).toString(), ""]) {
    it(`refuses an answer with the inexact amount ${JSON.stringify(amount)}`, async () => {
      const { client } = fakeService([json(quoteWith(amount))]);
      const error = await rejectionOf(getQuote(client, intent));
      expect(error).to.include({ code: "RESPONSE_INVALID", path: "details.currencyIn.amount" });
    });
  }
});
