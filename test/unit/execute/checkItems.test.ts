import { expect } from "chai";
import { quoteSchema } from "../../../src/schema/quote/quote.ts";
import { bridgeQuote, depositStep, requestId, solver, token } from "../client/support/samples.ts";
import { fail, succeed } from "./support/attempt.ts";
import { hello, signatureStep } from "./support/steps.ts";

const action = { action: { parameters: {}, type: "sendAsset" }, eip712PrimaryType: "T", eip712Types: {} };

const withItem = (fields: object) => ({
  ...depositStep(),
  items: [{ ...depositStep().items[0], ...fields }],
});
const posting = (more: object) => signatureStep(hello, more);
const quoteOf = (steps: readonly unknown[]) => quoteSchema.parse({ ...bridgeQuote(), steps });

const rejected: readonly [what: string, reason: RegExp, step: unknown][] = [
  [
    "for another chain than the origin",
    /for chain 10, but the quote's origin is chain 31337/,
    depositStep({ chainId: 10 }),
  ],
  ["to be sent by another account", /the wallet's account is/, depositStep({ from: solver })],
  ["without data", /carries no data/, withItem({ data: undefined })],
  ["with an unknown status", /running/, withItem({ status: "running" })],
  [
    "that is an approval without calldata",
    /approval without/,
    { ...depositStep({ data: undefined, to: token }), id: "approve" },
  ],
  [
    "that signs and has no data",
    /carries no data/,
    { ...signatureStep(), items: [{ status: "incomplete" }] },
  ],
  ["whose signature goes to another host", /not a path/, posting({ endpoint: "https://evil.test" })],
  [
    "whose signature goes to another host without a scheme",
    /not a path/,
    posting({ endpoint: "//evil.test/x" }),
  ],
  [
    "whose signature leaves the prefix of the service's address",
    /not a path/,
    posting({ endpoint: "/../x" }),
  ],
  ["whose signature is sent by another method", /method is PUT/, posting({ method: "PUT" })],
];

const unsupported: readonly [what: string, kind: string, step: unknown][] = [
  ["an unknown step kind", "carrier-pigeon", { ...depositStep(), kind: "carrier-pigeon" }],
  ["an unknown kind of signature", "signatureKind eip1271", signatureStep({ signatureKind: "eip1271" })],
  ["an action on the perps exchange", "exchange action", withItem({ data: { ...action, nonce: 1 } })],
  [
    "a transaction of another virtual machine",
    "transaction of a chain that is not an EVM chain",
    withItem({ data: { instructions: [] } }),
  ],
];

describe("checkItems", () => {
  /** A valid deposit comes first: it must not be sent either. */
  const attempt = async (step: unknown) => {
    const { calls, error, sent } = await fail({ quote: quoteOf([depositStep(), step]) });
    expect([calls, sent]).to.deep.equal([[], []]);
    return error;
  };

  for (const [what, reason, step] of rejected) {
    it(`sends nothing at all when a later item is one ${what}`, async () => {
      const error = await attempt(step);
      expect(error).to.include({ code: "STEP_REJECTED", itemIndex: 0, stepIndex: 1 });
      expect(error).to.have.property("reason").that.matches(reason);
    });
  }

  for (const [what, kind, step] of unsupported) {
    it(`sends nothing at all when a later step holds ${what}`, async () => {
      expect(await attempt(step)).to.include({ code: "UNSUPPORTED_STEP", kind, stepIndex: 1 });
    });
  }

  it("does not look at items that are complete", async () => {
    const done = { ...depositStep({ chainId: 10 }), items: [{ status: "complete" }] };
    expect((await succeed({ quote: quoteOf([done, depositStep()]) })).sent).to.have.length(1);
  });

  for (const id of [undefined, "seven"]) {
    it(`refuses a quote whose only step has the request id ${id}`, async () => {
      const { error } = await fail({ quote: quoteOf([{ ...depositStep(), requestId: id }]) });
      expect(error).to.have.property("parameter", "quote.steps");
    });
  }

  it("accepts a step without a request id when another step names the request", async () => {
    const quote = quoteOf([depositStep(), { ...depositStep(), requestId: undefined }]);
    expect((await succeed({ quote })).result.requestId).to.equal(requestId);
  });
});
