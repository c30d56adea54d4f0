import { expect } from "chai";
import { formatEther, parseAbi } from "viem";
import { calls } from "../../../src/calls/calls.ts";
import { findQuoteMismatches, verifyQuote } from "../../../src/calls/verifyQuote.ts";
import { getQuote, type Quote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { recipient } from "../../helpers/quotes/intents.ts";
import { orderOf, paymentOf, policyOf, requestOf } from "../../helpers/quotes/quoteChanges.ts";
import { changeCalls, resignOrder } from "../verifyQuote/hostileQuotes.ts";

describe("attack: what is shown, and the rest", () => {
  const fixture = useEmulator();
  const find = async (quote: Quote, request: any, more: object = {}) =>
    (await findQuoteMismatches({ ...policyOf(fixture, quote), quote, request, ...more } as any)).map(({ code, path }) => `${code} ${path}`);

  it("A15: a top-up of a million ether, or of less than nothing, is not shown", async () => {
    const request = requestOf(fixture, "USDC", "USDC", { topupGas: true });
    const honest = await getQuote(fixture.client, request);
    for (const amount of [10n ** 24n, -1n]) {
      const quote = structuredClone(honest);
      const topup = quote.details.currencyGasTopup as any;
      if (topup === undefined) { console.log("no topup"); return; }
      topup.amount = amount.toString();
      topup.amountFormatted = amount < 0n ? "0" : formatEther(amount);
      console.log(amount, await find(quote, request));
      expect(await find(quote, request), `${amount}`).not.to.deep.equal([]);
    }
  });

  it("A16: the symbol of a token that cannot be read is not 'unreadable'", async () => {
    const request = requestOf(fixture, "USDC", "USDC");
    const quote = structuredClone(await getQuote(fixture.client, request));
    quote.details.currencyIn.currency.symbol = "unreadable";
    const { reader } = fixture.alpha;
    const { createClient, custom } = await import("viem");
    const request_ = async (args: any) => {
      if (args.method === "eth_call" && args.params[0].data === "0x95d89b41") throw new Error("down");
      return reader.request(args);
    };
    const failing = createClient({ transport: custom({ request: request_ }, { retryCount: 0 }) });
    const found = await find(quote, request, { reader: failing });
    console.log(found);
    expect(found).not.to.deep.equal([]);
  });

  it("A17: a proof ends though a reader never answers", async () => {
    const request = requestOf(fixture, "USDC", "USDC");
    const quote = await getQuote(fixture.client, request);
    const silent = { request: () => new Promise(() => {}) };
    const end = await Promise.race([
      verifyQuote({ ...policyOf(fixture, quote), destinationReader: silent as never, quote, request }).then(() => "proven", () => "refused"),
      new Promise((resolve) => setTimeout(() => resolve("still waiting after 15 s"), 15_000)),
    ]);
    console.log(end);
    expect(end).to.equal("refused");
  }).timeout(30_000);

  it("A18: steps of an unknown kind are refused though they are empty", async () => {
    const request = requestOf(fixture, "ETH", "ETH");
    const quote = structuredClone(await getQuote(fixture.client, request));
    quote.steps.push({ action: "Send all your money to 0xbad", description: "now", id: "deposit", items: [], kind: "transfer" } as never);
    const found = await find(quote, request);
    console.log(found);
    expect(found).not.to.deep.equal([]);
  });

  it("A19: a permit alone, without any order, proves no quote", async () => {
    const { takeAuthorizations } = await import("../../helpers/quotes/permits.ts");
    const restore = await takeAuthorizations(fixture.alpha);
    try {
      const request = requestOf(fixture, "USDC", "USDC", { usePermit: true });
      const quote = structuredClone(await getQuote(fixture.client, request));
      delete quote.protocol;
      const found = await find(quote, request);
      console.log(found);
      expect(found).not.to.deep.equal([]);
    } finally { await restore(); }
  });

  it("A20: calls across chains that leave the output on the router are refused, as on one chain", async () => {
    const usdc = fixture.beta.currency("USDC");
    const { txs } = calls({ router: fixture.beta.info.contracts.v3.erc20Router }).add({ data: erc20Data("transfer", recipient, 7n), to: usdc, value: 0n });
    const request = requestOf(fixture, "USDC", "USDC", { txs });
    const quote = await getQuote(fixture.client, request);
    const found = await find(quote, request);
    console.log(found);
    expect(found).not.to.deep.equal([]);
  });

  it("A21: an order of one wei with the whole payment to a venue is within the output bound only", async () => {
    // The refund of an order that is never filled is of its input alone.
    const request = requestOf(fixture, "USDT", "USDC");
    const quote = structuredClone(await getQuote(fixture.client, request));
    const { input } = orderOf(quote);
    const before = BigInt(input.payment.amount);
    await resignOrder(quote, () => { input.payment.amount = "1"; for (const refund of input.refunds) refund.minimumAmount = "0"; delete (orderOf(quote).protocol as any).paymentDetails; });
    changeCalls(quote, (all) => all);
    console.log({ before, found: await find(quote, request), gas: paymentOf(quote).gas });
  });
  void [failureOf, parseAbi];
});
