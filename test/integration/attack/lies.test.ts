import { expect } from "chai";
import { concat, encodeFunctionData, erc20Abi, formatUnits, getAddress, type Hex, parseEther } from "viem";
import { findQuoteMismatches, verifyQuote } from "../../../src/calls/verifyQuote.ts";
import { createClient, getQuote, type Quote } from "../../../src/client/index.ts";
import { execute } from "../../../src/execute/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { quickSleep } from "../../helpers/quickSleep.ts";
import { recipient } from "../../helpers/quotes/intents.ts";
import { takeAuthorizations } from "../../helpers/quotes/permits.ts";
import { attacker, paymentOf, policyOf, requestOf } from "../../helpers/quotes/quoteChanges.ts";
import { depositAbi, resignOrder } from "../verifyQuote/hostileQuotes.ts";

describe("attack: lies and losses", () => {
  const fixture = useEmulator();
  const codes = async (quote: Quote, request: any, more: object = {}) =>
    (await findQuoteMismatches({ ...policyOf(fixture, quote), quote, request, ...more })).map(({ code, path }) => `${code} ${path}`);

  it("A8: a payment of 1.99 is not shown as 1, nor one of 0.99 as 0", async () => {
    for (const [amount, shown] of [["1.999999", "1"], ["0.999999", "0"], ["0.5", "1"], ["0.000000000000000001", "1"]] as const) {
      const request = requestOf(fixture, "ETH", "ETH", { amount: parseEther(amount) });
      const quote = structuredClone(await getQuote(fixture.client, request).catch((): any => undefined));
      if (quote === undefined) { console.log("no quote", amount); continue; }
      quote.details.currencyIn.amountFormatted = shown;
      const found = await codes(quote, request);
      console.log(amount, "shown as", shown, found);
      expect(found, `${amount} as ${shown}`).not.to.deep.equal([]);
    }
  });

  it("A9: a permit signs no negative value", async () => {
    const restore = await takeAuthorizations(fixture.alpha);
    try {
      for (const symbol of ["USDC", "USDT", "WETH"] as const) {
        const request = requestOf(fixture, symbol, "USDC", { tradeType: "EXACT_OUTPUT", usePermit: true });
        const quote = structuredClone(await getQuote(fixture.client, request).catch((): any => undefined));
        const primary = quote?.steps.at(-1).items[0].data.sign?.primaryType;
        console.log(symbol, primary);
        if (primary !== "Permit") continue;
        const sign = quote.steps.at(-1).items[0].data.sign;
        sign.value.value = "-5";
        quote.details.currencyIn.amount = "-5";
        quote.details.currencyIn.amountFormatted = "0";
        delete quote.protocol;
        const policy = { ...policyOf(fixture, quote), maximumInput: 60_000_000n };
        delete (policy as any).minimumOutput;
        const found = await findQuoteMismatches({ ...policy, quote, request });
        console.log(found);
        expect(found.length > 0).to.equal(true);
      }
    } finally { await restore(); }
  });

  it("A10: the gas that is sent is at most maximumGas", async () => {
    const request = requestOf(fixture, "ETH", "USDC", { sameChain: true });
    const quote = structuredClone(await getQuote(fixture.client, request));
    paymentOf(quote).gas = "1000000";
    const proven = await verifyQuote({ ...policyOf(fixture, quote), maximumGas: 1_000_000n, quote, request });
    const wallet = fixture.alpha.wallet(0);
    const { transactionHash } = (
      await execute(fixture.client, {
        publicClient: fixture.alpha.reader, quote, request, wallet,
        verify: { ...policyOf(fixture, quote), maximumGas: 1_000_000n },
      })
    ).originReceipts.at(-1) as { transactionHash: Hex };
    const { gas } = await fixture.alpha.reader.getTransaction({ hash: transactionHash });
    console.log("proven gas", paymentOf(proven).gas, "sent gas limit", gas);
    expect(gas <= 1_000_000n).to.equal(true);
  });

  it("A11: an order whose permission was posted is not signed again after the service says 400", async () => {
    const restore = await takeAuthorizations(fixture.alpha);
    try {
      const request = requestOf(fixture, "USDC", "USDC", { usePermit: true });
      const quote = structuredClone(await getQuote(fixture.client, request));
      const verify = policyOf(fixture, quote);
      const kept: string[] = [];
      const client = createClient({
        baseUrl: fixture.emulator.info.apiUrl,
        fetch: async (url, init) => {
          if (!url.includes("/execute/permits")) return fetch(url, init);
          kept.push(url);
          return Response.json({ message: "try again" }, { status: 400 });
        },
        sleep: quickSleep,
      });
      const ids: unknown[] = [];
      // The same signed order under another request id: another nonce for another permission.
      for (const each of [quote, structuredClone(quote)]) {
        const error = await failureOf(
          execute(client, { publicClient: fixture.alpha.reader, quote: each, request, timeout: 5_000, verify, wallet: fixture.alpha.wallet(0) }),
        );
        ids.push((error as any).code);
      }
      console.log("same quote", ids, new Set(kept.map((url) => new URL(url).searchParams.get("signature"))).size, "signatures");
      expect(ids[1]).to.equal("QUOTE_ORDER_ID");
    } finally { await restore(); }
  });

  it("A12: a transfer one for one of a token that takes a fee delivers the minimum", async () => {
    const { alpha } = fixture;
    const { readArtifact } = await import("../../../emulator/chains/setup/artifacts.ts");
    const artifact = readArtifact("mocks/FeeOnTransferToken") as any;
    console.log(JSON.stringify(artifact.abi.filter((x: any) => x.type === "constructor" || /mint|fee/i.test(x.name ?? ""))));
    const user = alpha.wallet(0).account.address;
    const inputs = (artifact.abi.find((x: any) => x.type === "constructor") as any)?.inputs ?? [];
    console.log(inputs);
    const hash = await (alpha.wallet(0) as any).deployContract({ abi: artifact.abi, args: inputs.map((i: any) => (i.type === "address" ? user : i.type === "string" ? "Fee" : 100n)), bytecode: artifact.bytecode });
    const { contractAddress } = await alpha.reader.waitForTransactionReceipt({ hash });
    const token = contractAddress as Hex;
    try {
      const mint = await (alpha.wallet(0) as any).writeContract({ abi: artifact.abi, address: token, args: [user, 1_000_000n], functionName: "mint" });
      await alpha.reader.waitForTransactionReceipt({ hash: mint });
    } catch (e) { console.log((e as Error).message.slice(0, 200)); }
    const decimals = await alpha.reader.readContract({ abi: erc20Abi, address: token, functionName: "decimals" });
    const symbol = await alpha.reader.readContract({ abi: erc20Abi, address: token, functionName: "symbol" });
    // The attacker writes the quote himself, from a real one.
    const honest = requestOf(fixture, "USDC", "USDC", { sameChain: true });
    const quote = structuredClone(await getQuote(fixture.client, honest));
    const request = { ...honest, amount: 1_000_000n, destinationCurrency: token, originCurrency: token };
    for (const side of [quote.details.currencyIn, quote.details.currencyOut]) {
      Object.assign(side, { amount: "1000000", amountFormatted: formatUnits(1_000_000n, decimals), minimumAmount: "1000000" });
      Object.assign(side.currency, { address: token, decimals, symbol });
    }
    quote.steps = quote.steps.slice(-1) as never;
    const requestId = quote.steps[0]!.requestId as Hex;
    Object.assign(paymentOf(quote), {
      data: concat([encodeFunctionData({ abi: erc20Abi, args: [recipient, 1_000_000n], functionName: "transfer" }), requestId]),
      to: token, value: "0",
    });
    const verify = { ...policyOf(fixture), bounds: undefined, minimumOutput: 1_000_000n };
    const found = await findQuoteMismatches({ ...verify, quote, reader: alpha.reader, request });
    console.log(found);
    const before = await alpha.balanceOf(token, recipient);
    const client = createClient({ baseUrl: fixture.emulator.info.apiUrl, fetch: async () => Response.json({ status: "success" }), sleep: quickSleep });
    const end = await execute(client, { publicClient: alpha.reader, quote, request, timeout: 5_000, verify, wallet: alpha.wallet(0) }).catch((e) => e);
    const gained = (await alpha.balanceOf(token, recipient)) - before;
    console.log({ end: end.status ?? end.message, gained });
    expect(gained >= 1_000_000n || found.length > 0).to.equal(true);
  });
  void [attacker, depositAbi, resignOrder, getAddress];
});
