import { expect } from "chai";
import { quoteRequestSchema } from "../../../../src/schema/quote/quoteRequest.ts";
import { native, token, user } from "../../client/support/samples.ts";
import { issueOf, keeps } from "../support/schemaChecks.ts";

describe("quoteRequestSchema", () => {
  const request = {
    amount: "1",
    destinationChainId: 31338,
    destinationCurrency: native,
    originChainId: 31337,
    originCurrency: native,
    tradeType: "EXACT_INPUT",
    user,
  };
  const required = Object.keys(request);

  for (const field of required) {
    // @spec quote-request/user quote-request/chains quote-request/currencies quote-request/amount
    // @spec quote-request/trade-type
    it(`refuses a body without ${field}, and with null or an object in its place`, () => {
      for (const value of [undefined, null, {}, []]) {
        expect(issueOf(quoteRequestSchema, { ...request, [field]: value }).path).to.equal(field);
      }
    });
  }

  it("refuses every optional field of another type", () => {
    const optional = Object.keys(quoteRequestSchema.shape).filter((field) => !required.includes(field));
    expect(optional.length).to.be.greaterThan(40);
    for (const field of optional) {
      // No field takes a function of JSON: null is neither text, number, flag, list nor object here.
      expect(issueOf(quoteRequestSchema, { ...request, [field]: null }).path).to.equal(field);
    }
  });

  // @spec quote-request/origin-sources quote-request/max-route-length quote-request/protocol-version
  // @spec quote-request/referrer quote-request/refund-to quote-request/recipient quote-request/txs
  // @spec quote-request/external-liquidity
  it("takes each documented optional field, and refuses another type of it", () => {
    for (const [field, value, wrong] of [
      ["includedOriginSwapSources", ["uniswap-v2"], "uniswap-v2"],
      ["maxRouteLength", 4, "4"],
      ["protocolVersion", "v2", 2],
      ["referrer", "app", 7],
      ["refundTo", user, 7],
      ["recipient", user, 7],
      ["txs", [{ data: "0x12", to: token, value: "7" }], { to: token }],
      ["useExternalLiquidity", true, "true"],
    ] as const) {
      keeps(quoteRequestSchema, [{ ...request, [field]: value }]);
      expect(issueOf(quoteRequestSchema, { ...request, [field]: wrong }).path, field).to.equal(field);
    }
  });

  it("refuses more calls than the limit", () => {
    const txs = Array.from({ length: 257 }, () => ({ to: token }));
    expect(issueOf(quoteRequestSchema, { ...request, txs }).path).to.equal("txs");
  });
});
