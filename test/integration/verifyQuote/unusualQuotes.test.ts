import { expect } from "chai";
import { type Hex, keccak256, numberToHex } from "viem";
import { startProof } from "../../../src/calls/verify/proveQuote.ts";
import { encodeCall } from "../../../src/calls/verify/routedCalls.ts";
import { findQuoteMismatches, verifyQuote } from "../../../src/calls/verifyQuote.ts";
import { getQuote, type Quote } from "../../../src/client/index.ts";
import { InvalidParameterError } from "../../../src/errors/InvalidParameterError.ts";
import { QuoteMismatchError } from "../../../src/errors/QuoteMismatchError.ts";
import type { Step } from "../../../src/schema/quote/step.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { recipient } from "../../helpers/quotes/intents.ts";
import { orderOf, paymentOf, policyOf, requestOf } from "../../helpers/quotes/quoteChanges.ts";
import { changeCalls } from "./hostileQuotes.ts";

describe("quotes of an unusual size or form", () => {
  const fixture = useEmulator();
  const address = (of: number) => `0x${keccak256(numberToHex(of)).slice(-40)}` as Hex;
  const addresses = (count: number) => Array.from({ length: count }, (_, index) => address(index));
  const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`;
  const nested = (depth: number) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`) as unknown;

  it("0.3 MB of any part are refused within 100 ms", async () => {
    const request = requestOf(fixture, "USDT", "USDC");
    const honest = await getQuote(fixture.client, request);
    const asked = { ...request, usePermit: true };
    const pay = (data: Hex) => (quote: Quote) => Object.assign(paymentOf(quote), { data });
    const last = (callData: Hex) => (quote: Quote) =>
      changeCalls(quote, (all) => [...all.slice(0, -1), { ...(all.at(-1) as (typeof all)[0]), callData }]);
    const lists = Object.fromEntries(Array.from({ length: 20_000 }, (_, key) => [`key${key}`, []]));
    const keys = Object.fromEntries(Object.keys(lists).map((key) => [key, {}]));
    const witness = {
      call3Values: [{ allowFailure: false, callData: "0x", target: address(1), value: 0 }],
    };
    const signature = (more: object, body = {}) => {
      const eip712 = {
        primaryType: "ReceiveWithAuthorization",
        signatureKind: "eip712",
        types: {},
        value: {},
      };
      const data = {
        post: { body, endpoint: "/", method: "POST" },
        sign: { domain: {}, ...eip712, ...more },
      };
      return { data: { ...data, witness }, status: "incomplete" };
    };
    const add =
      (...items: readonly object[]) =>
      ({ steps }: Quote) =>
        steps.push({ ...steps[0], items, kind: "signature" } as never);
    const refund = (quote: Quote) => orderOf(quote).input.refunds[0];
    const parts: Readonly<Record<string, (quote: Quote) => unknown>> = {
      approvals: ({ steps: [step] }) =>
        Object.assign(step ?? {}, { items: Array.from({ length: 1_000 }, () => step?.items[0]) }),
      bodies: add(signature({}, keys)),
      "calls of an order": (quote) =>
        Object.assign(orderOf(quote).order.output, { calls: Array(60_000).fill("0x") }),
      "deposits of the last call": last(encodeCall("cleanupErc20sViaCall", [addresses(4_500), [], [], []])),
      digits: ({ details }) => Object.assign(details.currencyIn, { amountFormatted: "7".repeat(300_000) }),
      refunds: (quote) =>
        Object.assign(orderOf(quote).input, {
          refunds: Array.from({ length: 1_300 }, () => refund(quote)),
        }),
      signatures: add(...Array.from({ length: 250 }, () => signature({}))),
      steps: ({ steps }) => {
        for (let step = 0; step < 4_000; step++) steps.push(structuredClone(steps[0]) as (typeof steps)[0]);
      },
      tokens: pay(
        encodeCall("transferAndMulticall", [addresses(4_500), [], [], address(1), address(2), "0x"]),
      ),
      types: add(signature({ types: lists })),
      values: add(signature({ value: keys })),
    };
    for (const [part, change] of Object.entries(parts)) {
      const times: number[] = [];
      for (let run = 0; run < 3; run++) {
        const quote = structuredClone(honest);
        change(quote);
        const start = process.cpuUsage();
        const error = await failureOf(verifyQuote({ ...policyOf(fixture, honest), quote, request: asked }));
        const { system, user } = process.cpuUsage(start);
        times.push((system + user) / 1_000);
        const isNamed = error instanceof QuoteMismatchError || error instanceof InvalidParameterError;
        expect(isNamed, `${part}: ${String(error).slice(0, 200)}`).to.equal(true);
      }
      // The machine decides about single runs. Coverage slows our functions down.
      const limit = process.env["NODE_V8_COVERAGE"] === undefined ? 100 : 300;
      expect(Math.min(...times), part).to.be.lessThan(limit);
    }
  }).timeout(30_000);

  it("a quote of 50,000 levels is refused by name", async () => {
    const request = requestOf(fixture, "ETH", "ETH");
    const quote = structuredClone(await getQuote(fixture.client, request));
    const policy = policyOf(fixture, quote);
    Object.assign(paymentOf(quote), { deep: nested(50_000) });
    expect(await failureOf(verifyQuote({ ...policy, quote, request }))).to.include({
      code: "INVALID_PARAMETER",
      parameter: "quote",
    });
  });

  it("an honest request in upper case is proven and encoded", async () => {
    const asked = requestOf(fixture, "ETH", "USDC", { sameChain: true });
    const request = {
      ...asked,
      destinationCurrency: upper(asked.destinationCurrency),
      recipient: upper(recipient),
      user: upper(asked.user),
    };
    const quote = await getQuote(fixture.client, asked);
    const proven = await verifyQuote({ ...policyOf(fixture, quote), quote, request });
    expect(paymentOf(proven).from).to.equal(asked.user);
  });

  it("steps that the service appends are bounded like those of a quote", async () => {
    const request = requestOf(fixture, "ETH", "ETH");
    const quote = await getQuote(fixture.client, request);
    const prove = await startProof({ ...policyOf(fixture, quote), quote, request });
    const error = await failureOf(prove(Array.from({ length: 300 }, () => quote.steps[0] as Step)));
    expect(error).to.include({ code: "INVALID_PARAMETER", parameter: "quote" });
  });

  it("trust roots in upper case prove what they prove in lower case", async () => {
    const request = requestOf(fixture, "WETH", "USDC", { sameChain: true });
    const { trust } = policyOf(fixture);
    const text = JSON.stringify(trust).replace(/0x[0-9a-fA-F]{40}/g, upper);
    const quote = await getQuote(fixture.client, request);
    const policy = { ...policyOf(fixture, quote), trust: JSON.parse(text) };
    expect(await findQuoteMismatches({ ...policy, quote, request })).to.deep.equal([]);
  });

  it("a request with objects that cannot become text is proven, and one with a name is refused by name", async () => {
    const request = requestOf(fixture, "ETH", "USDC", { sameChain: true });
    const quote = await getQuote(fixture.client, request);
    const faultOf = async (more: object) => {
      const asked = { ...request, ...more };
      const error = await failureOf(verifyQuote({ ...policyOf(fixture, quote), quote, request: asked }));
      return error instanceof InvalidParameterError ? error.parameter : error;
    };
    const proven = verifyQuote({
      ...policyOf(fixture, quote),
      quote,
      request: { ...request, appFees: [Object.create(null)] } as never,
    });
    expect((await proven).steps).to.have.length(quote.steps.length);
    expect(await faultOf({ txs: [recipient] })).to.equal("request.txs[0]");
    for (const name of ["recipient", "refundTo", "user"]) {
      expect(await faultOf({ [name]: "someone.eth" })).to.equal(`request.${name}`);
    }
  });
});
