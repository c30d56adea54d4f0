import { axios, createClient, type Execute, type RelayClient } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { expect } from "chai";
import { createWalletClient, custom, type EIP1193Provider } from "viem";
import { trustOfEmulator } from "../../../emulator/index.ts";
import { getQuote } from "../../../src/client/index.ts";
import { PaymentClaimedError } from "../../../src/errors/PaymentClaimedError.ts";
import { execute } from "../../../src/execute/index.ts";
import { createQuoteGuard, guardProvider, type Refusal, watchAxios } from "../../../src/guard/index.ts";
import { createWallet } from "../../browser/widget/page/wallet.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { marketPrice } from "../../helpers/guard/marketPrice.ts";
import { type AlteringProxy, startAlteringProxy } from "../../helpers/processes/alteringProxy.ts";
import { fiftyDollars, recipient, type TestSymbol } from "../../helpers/quotes/intents.ts";
import { takeAuthorizations } from "../../helpers/quotes/permits.ts";
import { attacker, paymentOf, requestOf } from "../../helpers/quotes/quoteChanges.ts";

type Answer = { protocol: unknown; steps: unknown[] };

describe("the official client, with several answers of the service before one payment", () => {
  let client: RelayClient;
  let proxy: AlteringProxy;
  let alter: (answer: Answer) => unknown = (answer) => answer;
  const fixture = useEmulator();
  before(async () => {
    proxy = await startAlteringProxy({
      alter: (answer, path) => (path.startsWith("/quote") ? alter(answer as Answer) : answer),
      target: fixture.emulator.info.apiUrl,
    });
    client = createClient({ baseApiUrl: proxy.url, pollingInterval: 20, source: "waybill.test" });
    await configureDynamicChains();
  });
  after(() => proxy.stop());
  afterEach(() => {
    alter = (answer) => answer;
  });

  function open({ watchers = 1 } = {}) {
    const { emulator } = fixture;
    const refusals: Refusal[] = [];
    const guard = createQuoteGuard({
      onRefused: (refusal) => refusals.push(refusal),
      policy: { price: marketPrice(emulator.info.chains), trust: trustOfEmulator(emulator.info) },
    });
    const stops = Array.from({ length: watchers }, () => watchAxios(axios, guard));
    const stop = () => {
      for (const each of stops) each();
    };
    const page = createWallet(emulator.info.chains, 0);
    const provider = guardProvider(page, guard);
    const account = fixture.alpha.wallet(0).account.address;
    const wallet = createWalletClient({ account, transport: custom(provider as EIP1193Provider) });
    return { guard, page, provider, refusals, stop, wallet };
  }

  const quoteOf = (symbol: TestSymbol, more: object = {}): Promise<Execute> =>
    client.actions.getQuote({
      amount: fiftyDollars(symbol).toString(),
      chainId: fixture.alpha.info.id,
      currency: fixture.alpha.currency(symbol),
      recipient,
      toChainId: fixture.beta.info.id,
      toCurrency: fixture.beta.currency(symbol),
      tradeType: "EXACT_INPUT",
      user: fixture.alpha.wallet(0).account.address,
      ...more,
    });

  it("the first answer again, after recipient and amount were corrected: reaches no wallet", async () => {
    const { page, refusals, stop, wallet } = open();
    let first: Answer | undefined;
    alter = (answer) => {
      first ??= answer;
      return first;
    };
    const held = () => fixture.beta.balanceOf(fixture.beta.currency("ETH"), attacker);
    const had = await held();
    await quoteOf("ETH", { recipient: attacker });
    const quote = await quoteOf("ETH", { amount: (fiftyDollars("ETH") / 50n).toString() });
    expect(String(await failureOf(client.actions.execute({ quote, wallet })))).to.include(
      "The guard refused",
    );
    stop();
    expect(refusals).to.have.length(1);
    expect(page.log).to.deep.equal([]);
    expect(await held()).to.equal(had);
  }).timeout(60_000);

  it("the newest answer's display with an older answer's steps, for ten times the amount: reaches no wallet", async () => {
    const { page, refusals, stop, wallet } = open();
    let first: Answer | undefined;
    alter = (answer) => {
      first ??= answer;
      return { ...answer, protocol: first.protocol, steps: first.steps };
    };
    const amount = (fiftyDollars("ETH") / 10n).toString();
    await quoteOf("ETH");
    const quote = await quoteOf("ETH", { amount });
    expect(quote.details?.currencyIn?.amount).to.equal(amount);
    expect(String(await failureOf(client.actions.execute({ quote, wallet })))).to.include(
      "The guard refused",
    );
    stop();
    expect(refusals).to.have.length(1);
    expect(page.log).to.deep.equal([]);
  }).timeout(60_000);

  for (const isLearned of [true, false]) {
    const [form, most] = isLearned ? ["an answer", 0] : ["an object of the page", 1];
    it(`${form} with the payments of four older answers: reaches the wallet ${most} times`, async () => {
      const { page, stop, wallet } = open();
      const steps: unknown[] = [];
      alter = (answer) => {
        steps.push(...structuredClone(answer.steps));
        return answer;
      };
      const quotes: Execute[] = [];
      for (let times = 0; times < 4; times++) quotes.push(await quoteOf("ETH"));
      alter = (answer) => ({ ...answer, steps });
      const [last] = quotes.slice(-1);
      const merged = { ...last, steps: structuredClone(quotes.flatMap((each) => each.steps)) } as Execute;
      const quote = isLearned ? await quoteOf("ETH") : merged;
      expect(String(await failureOf(client.actions.execute({ quote, wallet })))).to.include(
        "The guard refused",
      );
      stop();
      expect(page.log).to.have.length(most);
    }).timeout(60_000);
  }

  it("an older answer than the last two of one request: is paid, and another payment needs a newer request", async () => {
    const { page, refusals, stop, wallet } = open();
    const [older, same] = [await quoteOf("USDC"), await quoteOf("USDC")];
    await quoteOf("USDC");
    await client.actions.execute({ quote: older, wallet });
    expect(await failureOf(client.actions.execute({ quote: same, wallet }))).to.be.instanceOf(Error);
    expect(refusals.map(({ reason }) => reason)).to.deep.equal([
      "the account was asked for another payment since the page asked for it",
    ]);
    await client.actions.execute({ quote: await quoteOf("USDC"), wallet });
    stop();
    expect(page.log).to.have.length(4);
  }).timeout(60_000);

  it("a payment that the person refuses after its approval: is paid when the page executes the quote again", async () => {
    const { page, refusals, stop, wallet } = open();
    const quote = await quoteOf("USDC");
    const { request } = page;
    let asked = 0;
    page.request = async (call) => {
      if (call.method === "eth_sendTransaction" && ++asked === 2) page.person.refusals = 1;
      return request(call);
    };
    const copy = structuredClone(quote);
    expect(String(await failureOf(client.actions.execute({ quote: copy, wallet })))).to.match(/rejected/i);
    await client.actions.execute({ quote, wallet });
    stop();
    expect(refusals).to.deep.equal([]);
    expect(page.log).to.have.length(4);
  }).timeout(60_000);

  it("two watchers of the same traffic: a permit with an appended payment passes", async () => {
    const restore = await takeAuthorizations(fixture.alpha);
    const { page, refusals, stop, wallet } = open({ watchers: 2 });
    const quote = await quoteOf("USDC", { options: { usePermit: true } });
    await client.actions.execute({ quote, wallet });
    stop();
    await restore();
    expect(refusals).to.deep.equal([]);
    expect(page.log.map(({ method }) => method)).to.deep.equal([
      "eth_signTypedData_v4",
      "eth_sendTransaction",
    ]);
  }).timeout(60_000);

  it("an order whose prompt is open at the guard: a run of `execute` by another wallet object does not pay it", async () => {
    const { guard, page, provider } = open({ watchers: 0 });
    const { alpha, client: own, emulator } = fixture;
    const request = requestOf(fixture, "ETH", "ETH");
    const quote = await getQuote(own, request);
    await guard.add({ quote, request });
    const { request: pass } = page;
    const prompt = Promise.withResolvers<void>();
    const isOpen = Promise.withResolvers<void>();
    page.request = async (call) => {
      if (call.method !== "eth_sendTransaction") return pass(call);
      isOpen.resolve();
      await prompt.promise;
      return pass(call);
    };
    const { data, from, to, value } = paymentOf(quote);
    const call = { data, from, to, value: `0x${BigInt(value ?? 0).toString(16)}` };
    const asked = provider.request({ method: "eth_sendTransaction", params: [call] });
    await isOpen.promise;
    const transport = custom(page as unknown as EIP1193Provider);
    const wallet = createWalletClient({ account: alpha.wallet(0).account.address, transport });
    const verify = {
      price: marketPrice(emulator.info.chains),
      trust: trustOfEmulator(emulator.info),
    };
    const run = execute(own, { publicClient: alpha.reader, quote, request, verify, wallet });
    expect(await failureOf(run)).to.be.instanceOf(PaymentClaimedError);
    prompt.resolve();
    await asked;
    expect(page.log).to.have.length(1);
  }).timeout(60_000);
});
