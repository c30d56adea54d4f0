import { axios, createClient, type Execute, type RelayClient } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { expect } from "chai";
import { createWalletClient, custom, type EIP1193Provider } from "viem";
import { trustOfEmulator } from "../../../emulator/index.ts";
import { getQuote } from "../../../src/client/index.ts";
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

/** Each test states what docs/guard.md promises. A failing test is a finding. */
describe("attack: the unmodified client behind the guard", () => {
  let client: RelayClient;
  let proxy: AlteringProxy;
  let alter: (answer: unknown) => unknown = (answer) => answer;
  const fixture = useEmulator();
  before(async () => {
    proxy = await startAlteringProxy({
      alter: (answer, path) => (path.startsWith("/quote") ? alter(answer) : answer),
      target: fixture.emulator.info.apiUrl,
    });
    client = createClient({ baseApiUrl: proxy.url, pollingInterval: 20, source: "waybill.test" });
    await configureDynamicChains();
  });
  after(() => proxy.stop());
  afterEach(() => {
    alter = (answer) => answer;
  });

  function open(isGuarded = true) {
    const { emulator } = fixture;
    const refusals: Refusal[] = [];
    const guard = createQuoteGuard({
      onRefused: (refusal) => refusals.push(refusal),
      policy: { price: marketPrice(emulator.info.chains), trust: trustOfEmulator(emulator.info) },
    });
    const stop = watchAxios(axios, guard);
    const page = createWallet(emulator.info.chains, 0);
    const provider = isGuarded ? guardProvider(page, guard) : page;
    const account = fixture.alpha.wallet(0).account.address;
    const transport = custom(provider as Parameters<typeof custom>[0]);
    return { guard, page, provider, refusals, stop, wallet: createWalletClient({ account, transport }) };
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

  it("C1: the person mistypes recipient and amount, corrects both, and the service replays the first answer", async () => {
    const { page, stop, wallet } = open();
    let first: unknown;
    alter = (answer) => (first ??= answer);
    const mistyped = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
    await quoteOf("ETH", { recipient: mistyped });
    const quote = await quoteOf("ETH", { amount: (fiftyDollars("ETH") / 50n).toString() });
    const had = await fixture.beta.balanceOf(fixture.beta.currency("ETH"), mistyped);
    await failureOf(client.actions.execute({ quote, wallet }));
    stop();
    const gained = (await fixture.beta.balanceOf(fixture.beta.currency("ETH"), mistyped)) - had;
    console.log("      C1: wallet log", JSON.stringify(page.log), "gained by the first recipient", gained);
    expect(page.log).to.deep.equal([]);
    expect(gained).to.equal(0n);
  }).timeout(60_000);

  it("C1b: the display of the newest request with the steps of an older one (ten times the amount) is not paid", async () => {
    const { page, refusals, stop, wallet } = open();
    let first: { steps: unknown; protocol: unknown } | undefined;
    alter = (answer) => {
      first ??= answer as never;
      return { ...(answer as object), protocol: first?.protocol, steps: first?.steps };
    };
    const amount = fiftyDollars("ETH") / 10n;
    await quoteOf("ETH");
    const quote = await quoteOf("ETH", { amount: amount.toString() });
    expect(quote.details?.currencyIn?.amount).to.equal(amount.toString());
    const error = await failureOf(client.actions.execute({ quote, wallet }));
    stop();
    const values = page.log.map(({ params }) => BigInt((params?.[0] as { value: string }).value));
    console.log("      C1b: shown", amount, "paid", values, String(error), refusals.length);
    expect(page.log).to.deep.equal([]);
  }).timeout(60_000);

  it("C5: an answer made of the payments of four older answers (a widget's refreshes) is paid at most once", async () => {
    const { page, refusals, stop, wallet } = open();
    const steps: unknown[] = [];
    alter = (answer) => {
      steps.push(...structuredClone((answer as { steps: unknown[] }).steps));
      return answer;
    };
    for (let i = 0; i < 4; i++) await quoteOf("ETH");
    alter = (answer) => ({ ...(answer as object), steps });
    const quote = await quoteOf("ETH");
    const error = await failureOf(client.actions.execute({ quote, wallet }));
    stop();
    const values = page.log.map(({ params }) => (params?.[0] as { value: string }).value);
    console.log("      C5: payments", page.log.length, values, String(error).slice(0, 200), refusals.length);
    expect(page.log.length).to.be.lessThan(2);
  }).timeout(60_000);

  it("control of E4, without the guard: two quotes of one amount are fetched before the first is paid; both can be paid", async () => {
    const { page, refusals, stop, wallet } = open(false);
    const [one, two] = [await quoteOf("USDC"), await quoteOf("USDC", { recipient: attacker })];
    const first = await failureOf(client.actions.execute({ quote: one, wallet }));
    const second = await failureOf(client.actions.execute({ quote: two, wallet }));
    stop();
    console.log(
      "      E4:",
      String(first).slice(0, 120),
      "|",
      String(second).slice(0, 200),
      refusals.map(({ reason }) => reason),
      page.log.length,
    );
    expect([first, second]).to.deep.equal([undefined, undefined]);
  }).timeout(60_000);

  it("control of E3, without the guard: after an approval, the person refuses the payment, and the page executes the same quote again", async () => {
    const { page, refusals, stop, wallet } = open(false);
    const quote = await quoteOf("USDC");
    expect(quote.steps.map(({ id }) => id)).to.deep.equal(["approve", "deposit"]);
    const request = page.request;
    const copy = structuredClone(quote);
    let asked = 0;
    page.request = async (call) => {
      if (call.method === "eth_sendTransaction" && ++asked === 2) page.person.refusals = 1;
      return request(call);
    };
    const guardedAgain = wallet;
    const one = await failureOf(client.actions.execute({ quote, wallet: guardedAgain }));
    const two = await failureOf(client.actions.execute({ quote: copy, wallet: guardedAgain }));
    stop();
    console.log(
      "      E3:",
      String(one).slice(0, 120),
      "|",
      String(two).slice(0, 160),
      refusals.map(({ reason }) => reason),
      page.log.length,
    );
    expect(refusals).to.deep.equal([]);
    expect(two).to.equal(undefined);
  }).timeout(60_000);

  it("control of E3b, without the guard: after an approval, the person refuses the payment, and the page executes the same, mutated object again", async () => {
    const { page, refusals, stop, wallet } = open(false);
    const quote = await quoteOf("WETH");
    expect(quote.steps.map(({ id }) => id)).to.deep.equal(["approve", "deposit"]);
    const request = page.request;
    let asked = 0;
    page.request = async (call) => {
      if (call.method === "eth_sendTransaction" && ++asked === 2) page.person.refusals = 1;
      return request(call);
    };
    const guardedAgain = wallet;
    const one = await failureOf(client.actions.execute({ quote, wallet: guardedAgain }));
    const two = await failureOf(client.actions.execute({ quote, wallet: guardedAgain }));
    stop();
    console.log(
      "      E3b:",
      String(one).slice(0, 120),
      "|",
      String(two).slice(0, 160),
      refusals.map(({ reason }) => reason),
      page.log.length,
    );
    expect(refusals).to.deep.equal([]);
    expect(two).to.equal(undefined);
  }).timeout(60_000);

  it("E4: two quotes of one amount are fetched before the first is paid; both can be paid", async () => {
    const { page, refusals, stop, wallet } = open();
    const [one, two] = [await quoteOf("USDC"), await quoteOf("USDC", { recipient: attacker })];
    const first = await failureOf(client.actions.execute({ quote: one, wallet }));
    const second = await failureOf(client.actions.execute({ quote: two, wallet }));
    stop();
    console.log(
      "      E4:",
      String(first).slice(0, 120),
      "|",
      String(second).slice(0, 200),
      refusals.map(({ reason }) => reason),
      page.log.length,
    );
    expect([first, second]).to.deep.equal([undefined, undefined]);
  }).timeout(60_000);

  it("E3: after an approval, the person refuses the payment, and the page executes the same quote again", async () => {
    const { page, refusals, stop, wallet } = open();
    const quote = await quoteOf("USDC");
    expect(quote.steps.map(({ id }) => id)).to.deep.equal(["approve", "deposit"]);
    const request = page.request;
    const copy = structuredClone(quote);
    let asked = 0;
    page.request = async (call) => {
      if (call.method === "eth_sendTransaction" && ++asked === 2) page.person.refusals = 1;
      return request(call);
    };
    const guardedAgain = wallet;
    const one = await failureOf(client.actions.execute({ quote, wallet: guardedAgain }));
    const two = await failureOf(client.actions.execute({ quote: copy, wallet: guardedAgain }));
    stop();
    console.log(
      "      E3:",
      String(one).slice(0, 120),
      "|",
      String(two).slice(0, 160),
      refusals.map(({ reason }) => reason),
      page.log.length,
    );
    expect(refusals).to.deep.equal([]);
    expect(two).to.equal(undefined);
  }).timeout(60_000);

  it("E3b: after an approval, the person refuses the payment, and the page executes the same, mutated object again", async () => {
    const { page, refusals, stop, wallet } = open();
    const quote = await quoteOf("WETH");
    expect(quote.steps.map(({ id }) => id)).to.deep.equal(["approve", "deposit"]);
    const request = page.request;
    let asked = 0;
    page.request = async (call) => {
      if (call.method === "eth_sendTransaction" && ++asked === 2) page.person.refusals = 1;
      return request(call);
    };
    const guardedAgain = wallet;
    const one = await failureOf(client.actions.execute({ quote, wallet: guardedAgain }));
    const two = await failureOf(client.actions.execute({ quote, wallet: guardedAgain }));
    stop();
    console.log(
      "      E3b:",
      String(one).slice(0, 120),
      "|",
      String(two).slice(0, 160),
      refusals.map(({ reason }) => reason),
      page.log.length,
    );
    expect(refusals).to.deep.equal([]);
    expect(two).to.equal(undefined);
  }).timeout(60_000);

  it("E10: two watchers see the same traffic (axios over XMLHttpRequest in a browser): a permit's flow passes", async () => {
    const restore = await takeAuthorizations(fixture.alpha);
    const { guard, page, refusals, stop, wallet } = open();
    const stopSecond = watchAxios(axios, guard);
    const quote = await quoteOf("USDC", { options: { usePermit: true } });
    const error = await failureOf(client.actions.execute({ quote, wallet }));
    stop();
    stopSecond();
    await restore();
    console.log(
      "      E10:",
      String(error).slice(0, 160),
      refusals.map(({ differences, reason }) => [reason, differences[0]?.code, differences[0]?.actual]),
      page.log.map(({ method }) => method),
    );
    expect(refusals).to.deep.equal([]);
  }).timeout(60_000);

  it("D2: while the guard's prompt is open, `execute` by another wallet object pays the same order", async () => {
    const { client: own, emulator, alpha } = fixture;
    const request = requestOf(fixture, "ETH", "ETH");
    const quote = await getQuote(own, request);
    const trust = trustOfEmulator(emulator.info);
    const price = marketPrice(emulator.info.chains);
    const guard = createQuoteGuard({ policy: { price, trust } });
    await guard.add({ quote, request });
    const page = createWallet(emulator.info.chains, 0);
    const request_ = page.request;
    let confirm: () => void = () => {};
    const prompt = new Promise<void>((resolve) => {
      confirm = resolve;
    });
    let isOpen = false;
    const slow = {
      ...page,
      request: async (call: { method: string; params?: readonly unknown[] }) => {
        if (call.method === "eth_sendTransaction") {
          isOpen = true;
          await prompt;
        }
        return request_(call);
      },
    };
    const provider = guardProvider(slow as never, guard);
    const { data, from, to, value } = paymentOf(quote);
    const call = { data, from, to, value: `0x${BigInt(value ?? 0).toString(16)}` };
    const asked = provider.request({ method: "eth_sendTransaction", params: [call] });
    while (!isOpen) await new Promise((resolve) => setTimeout(resolve, 10));
    const wallet = createWalletClient({
      account: alpha.wallet(0).account.address,
      transport: custom(page as unknown as EIP1193Provider),
    });
    const run = await failureOf(
      execute(own, { publicClient: alpha.reader, quote, request, verify: { price, trust }, wallet }),
    );
    confirm();
    const guarded = await failureOf(asked);
    console.log("      D2:", String(run), String(guarded), page.log.length, JSON.stringify(page.log));
    expect(page.log).to.have.length(1);
  }).timeout(60_000);
});
