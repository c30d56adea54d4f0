import { expect } from "chai";
import { execute } from "../../../src/execute/execute.ts";
import { quoteSchema } from "../../../src/schema/quote/quote.ts";
import { fakeService, json, rejectionOf } from "../client/support/fakeService.ts";
import {
  bridgeQuote,
  depositStep,
  requestId,
  solver,
  statusAnswer,
  token,
} from "../client/support/samples.ts";
import { fakeChain } from "./support/fakeChain.ts";

const post = { body: {}, endpoint: "/authorize", method: "POST" };
const message = { message: "hello", signatureKind: "eip191" };
const typed = { domain: {}, primaryType: "T", signatureKind: "eip712", types: { T: [] }, value: {} };

function signing(data: unknown): unknown {
  return { ...depositStep(), id: "authorize", items: [{ data, status: "incomplete" }], kind: "signature" };
}

function withItem(fields: Record<string, unknown>): unknown {
  return { ...depositStep(), items: [{ ...depositStep().items[0], ...fields }] };
}

const rejected: [string, unknown, RegExp][] = [
  [
    "for another chain than the origin",
    depositStep({ chainId: 10 }),
    /for chain 10, but the quote's origin is chain 31337/,
  ],
  ["to be sent by another account", depositStep({ from: solver }), /the wallet's account is/],
  ["without data", withItem({ data: undefined }), /carries no data/],
  ["with a status that is not known", withItem({ status: "running" }), /"running"/],
  [
    "that is an approval without calldata",
    { ...depositStep({ data: undefined, to: token }), id: "approve" },
    /approval without/,
  ],
  ["that signs and has no data", signing(undefined), /carries no data/],
  [
    "whose signature would go to another host",
    signing({ post: { ...post, endpoint: "https://evil.test" }, sign: message }),
    /not a path/,
  ],
  [
    "whose signature would go to another host without a scheme",
    signing({ post: { ...post, endpoint: "//evil.test/x" }, sign: message }),
    /not a path/,
  ],
  [
    "whose signature would leave the prefix of the service's address",
    signing({ post: { ...post, endpoint: "/../x" }, sign: message }),
    /not a path/,
  ],
  [
    "whose signature would be sent by another method",
    signing({ post: { ...post, method: "PUT" }, sign: message }),
    /method is PUT/,
  ],
  [
    "that signs a number beyond 2^53",
    signing({ post, sign: { ...typed, value: { deep: [{ amount: 2 ** 53 }] } } }),
    /exactly/,
  ],
];

const unsupported: [string, unknown, string][] = [
  ["a step kind that is not known", { ...depositStep(), kind: "carrier-pigeon" }, "carrier-pigeon"],
  [
    "a kind of signature that is not known",
    signing({ post, sign: { signatureKind: "eip1271" } }),
    "signatureKind eip1271",
  ],
  [
    "an action on the perps exchange",
    withItem({
      data: {
        action: { parameters: {}, type: "sendAsset" },
        eip712PrimaryType: "T",
        eip712Types: {},
        nonce: 1,
      },
    }),
    "exchange action",
  ],
  [
    "a transaction of another virtual machine",
    withItem({ data: { instructions: [] } }),
    "transaction of a chain that is not an EVM chain",
  ],
];

describe("execute and steps that it must not trust", () => {
  /** A good deposit comes first: it must not be sent either. */
  const attempt = async (step: unknown) => {
    const quote = quoteSchema.parse({ ...bridgeQuote(), steps: [depositStep(), step] });
    const { calls, client } = fakeService([json(statusAnswer("success"))]);
    const { sent, wallet } = fakeChain();
    const error = await rejectionOf(execute(client, { quote, verify: false, wallet }));
    expect(sent).to.deep.equal([]);
    expect(calls).to.deep.equal([]);
    return error;
  };

  for (const [what, step, reason] of rejected) {
    it(`sends nothing at all when a later item is one ${what}`, async () => {
      const error = await attempt(step);
      expect(error).to.include({ code: "STEP_REJECTED", itemIndex: 0, stepIndex: 1 });
      expect(error).to.have.property("reason").that.matches(reason);
    });
  }

  for (const [what, step, kind] of unsupported) {
    it(`sends nothing at all when a later step holds ${what}`, async () => {
      expect(await attempt(step)).to.include({ code: "UNSUPPORTED_STEP", kind, stepIndex: 1 });
    });
  }

  it("does not look at items that are complete", async () => {
    const done = { ...depositStep({ chainId: 10 }), items: [{ status: "complete" }] };
    const quote = quoteSchema.parse({ ...bridgeQuote(), steps: [done, depositStep()] });
    const { client } = fakeService([json(statusAnswer("success"))]);
    const { sent, wallet } = fakeChain();
    await execute(client, { quote, verify: false, wallet });
    expect(sent).to.have.length(1);
  });

  it("refuses a quote whose steps name no request", async () => {
    const { client } = fakeService([json(statusAnswer("success"))]);
    const { wallet } = fakeChain();
    for (const step of [
      { ...depositStep(), requestId: undefined },
      { ...depositStep(), requestId: "seven" },
    ]) {
      const quote = quoteSchema.parse({ ...bridgeQuote(), steps: [step] });
      expect(await rejectionOf(execute(client, { quote, verify: false, wallet }))).to.have.property(
        "parameter",
        "quote.steps",
      );
    }
    const appended = quoteSchema.parse({
      ...bridgeQuote(),
      steps: [depositStep(), { ...depositStep(), requestId: undefined }],
    });
    expect((await execute(client, { quote: appended, verify: false, wallet })).requestId).to.equal(requestId);
  });
});
