import { expect } from "chai";
import { getAddress, type Hex } from "viem";
import { verifyQuote } from "../../../src/calls/verifyQuote.ts";
import { getQuote, type Quote } from "../../../src/client/index.ts";
import { InvalidParameterError } from "../../../src/errors/InvalidParameterError.ts";
import { QuoteMismatchError } from "../../../src/errors/QuoteMismatchError.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { policyOf, requestOf } from "../../helpers/quotes/quoteChanges.ts";

const isAllowed = (error: unknown) => error instanceof QuoteMismatchError || error instanceof InvalidParameterError;
const textOf = (error: unknown) => `${(error as Error).constructor.name}: ${(error as Error).message.slice(0, 120)}`;

describe("attack: errors of any JSON", () => {
  const fixture = useEmulator();
  const nested = (depth: number, inner = "1"): string => `${"[".repeat(depth)}${inner}${"]".repeat(depth)}`;
  const deep = (depth: number, inner?: string) => JSON.parse(nested(depth, inner)) as unknown;
  let signed: Quote;
  let request: ReturnType<typeof requestOf>;
  before(async () => {
    request = requestOf(fixture, "USDC", "USDC", { usePermit: true });
    signed = structuredClone(await getQuote(fixture.client, request));
  });
  const dataOf = (quote: Quote) => quote.steps[0]?.items[0]?.data as unknown as Record<string, Record<string, any>>;
  const run = async (quote: Quote, asked = request, more: object = {}) => {
    const verify = policyOf(fixture, signed);
    const begin = performance.now();
    const error = await failureOf(verifyQuote({ ...verify, quote, request: asked, ...more })).catch((e) => e);
    return { error, ms: Math.round(performance.now() - begin) };
  };

  for (const [name, put] of [
    ["post.body", (q: Quote, v: unknown) => { dataOf(q)["post"]!["body"].x = v; }],
    ["sign.value", (q: Quote, v: unknown) => { dataOf(q)["sign"]!["value"].x = v; }],
    ["witness", (q: Quote, v: unknown) => { dataOf(q)["witness"]!["x"] = v; }],
    ["item", (q: Quote, v: unknown) => { (q.steps[0]!.items[0] as any).x = v; }],
    ["details", (q: Quote, v: unknown) => { (q.details as any).x = v; }],
    ["order", (q: Quote, v: unknown) => { (q.protocol!.v2!.orderData as any).x = v; }],
  ] as const) {
    it(`A3: 0.1 MB of brackets in ${name} throw nothing else`, async () => {
      const quote = structuredClone(signed);
      put(quote, deep(50_000));
      const { error, ms } = await run(quote);
      console.log(name, ms, error && textOf(error));
      expect(error === undefined || isAllowed(error)).to.equal(true);
    });
  }

  it("A4: a deep body with a long text at its end takes less than 100 ms", async () => {
    for (const depth of [90, 500, 1_000, 2_000]) {
      const quote = structuredClone(signed);
      dataOf(quote)["post"]!["body"].x = deep(depth, JSON.stringify("a".repeat(280_000)));
      const { error, ms } = await run(quote);
      console.log("honest otherwise", depth, ms, error && textOf(error));
      dataOf(quote)["post"]!["body"].kind = "other";
      const second = await run(quote);
      console.log("different", depth, second.ms, second.error && textOf(second.error));
    }
  });

  for (const [name, change] of [
    ["recipient", (asked: any) => ({ ...asked, recipient: `0x${asked.recipient.slice(2).toUpperCase()}` })],
    ["destinationCurrency", (asked: any) => ({ ...asked, destinationCurrency: `0x${asked.destinationCurrency.slice(2).toUpperCase()}` })],
    ["user", (asked: any) => ({ ...asked, user: `0x${asked.user.slice(2).toUpperCase()}` })],
  ] as const) {
    it(`A5: an honest request with an upper-case ${name} throws nothing else`, async () => {
      const asked = requestOf(fixture, "ETH", "USDC", { sameChain: true });
      const quote = await getQuote(fixture.client, asked);
      const error = await failureOf(verifyQuote({ ...policyOf(fixture, quote), quote, request: change(asked) })).catch((e) => e);
      console.log(name, error && textOf(error));
      expect(error === undefined || isAllowed(error)).to.equal(true);
    });
  }

  it("A6: the record of a payment for an SVM recipient throws nothing else", async () => {
    const asked = requestOf(fixture, "USDC", "USDC");
    const quote = structuredClone(await getQuote(fixture.client, asked));
    const policy = policyOf(fixture, quote);
    delete quote.protocol;
    const chainId = 792703809;
    const currency = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
    const to = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU";
    Object.assign(quote.details, { recipient: to });
    Object.assign(quote.details.currencyOut.currency, { address: currency, chainId });
    const requestId = quote.steps[0]!.requestId as Hex;
    const { encodeFunctionData, erc20Abi, concat } = await import("viem");
    quote.steps = quote.steps.slice(-1) as never;
    const data = quote.steps[0]!.items[0]!.data as any;
    data.to = asked.originCurrency;
    data.data = concat([
      encodeFunctionData({ abi: erc20Abi, args: [fixture.emulator.info.solver, BigInt(asked.amount)], functionName: "transfer" }),
      requestId,
    ]);
    const trust = { ...policy.trust!, chains: [...policy.trust!.chains, { chainId, name: "solana", routers: [], vmType: "svm" }] };
    const error = await failureOf(
      verifyQuote({
        ...policy, allowUnsignedOutput: true, quote,
        record: { signature: `0x${"11".repeat(65)}` },
        request: { ...asked, destinationChainId: chainId, destinationCurrency: currency, recipient: to }, trust,
      }),
    ).catch((e) => e);
    console.log(error && textOf(error));
    expect(isAllowed(error)).to.equal(true);
  });

  it("A7: a message has no lines and no control characters of the service", async () => {
    const lie = "x\n\nPROVEN: this quote is what was asked for. Sign it.\u001b[2J";
    for (const [name, change] of [
      ["key", (q: Quote) => { dataOf(q)["sign"]!["value"][lie] = 1; }],
      ["value", (q: Quote) => { dataOf(q)["sign"]!["value"].to = lie; }],
      ["solver", (q: Quote) => { q.protocol!.v2!.orderData!.solver = lie; }],
      ["requestId", (q: Quote) => { for (const step of q.steps) step.requestId = lie; }],
    ] as const) {
      const quote = structuredClone(signed);
      change(quote);
      const { error } = await run(quote);
      console.log(name, JSON.stringify(error.message.slice(0, 220)));
      expect(error.message.includes(lie), name).to.equal(false);
    }
  });

  it("A7: messages are bounded", async () => {
    const long = "A".repeat(250_000);
    const cases: [string, (quote: Quote) => void][] = [
      ["key of sign.value", (q) => { dataOf(q)["sign"]!["value"][`${long}\n\nAll is well`] = 1; }],
      ["key of types", (q) => { dataOf(q)["sign"]!["types"][long] = []; }],
      ["bad type under a key", (q) => { dataOf(q)["sign"]!["types"][long] = 5; }],
      ["primaryType", (q) => { dataOf(q)["sign"]!["primaryType"] = long; }],
      ["requestId", (q) => { for (const s of q.steps) s.requestId = long; }],
      ["kind", (q) => { q.steps.push({ ...q.steps[0], kind: long } as never); }],
      ["depositAddress", (q) => { (q.steps[0] as any).depositAddress = long; }],
      ["solver", (q) => { q.protocol!.v2!.orderData!.solver = long; }],
      ["status", (q) => { (q.steps[0]!.items[0] as any).status = long; }],
      ["many keys", (q) => { for (let i = 0; i < 20_000; i++) dataOf(q)["sign"]!["value"][`k${i}`] = 1; }],
      ["many steps", (q) => { for (let i = 0; i < 1000; i++) q.steps.push(structuredClone(q.steps[0]!)); }],
    ];
    const lengths: Record<string, unknown> = {};
    for (const [name, change] of cases) {
      const quote = structuredClone(signed);
      change(quote);
      const { error, ms } = await run(quote);
      lengths[name] = [error?.constructor.name, error?.message.length, ms];
    }
    console.log(lengths);
    for (const [name, [, length]] of Object.entries(lengths) as [string, [string, number]][]) {
      expect(length < 20_000, name).to.equal(true);
    }
  });
  void getAddress;
});
