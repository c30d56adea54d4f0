import { axios, createClient, type Execute, type RelayClient } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { expect } from "chai";
import { createWalletClient, custom, type EIP1193Provider } from "viem";
import { trustOfEmulator } from "../../../emulator/index.ts";
import { createQuoteGuard, guardProvider, watchAxios } from "../../../src/guard/index.ts";
import { exchangeChainId, perpsUsdcAddress } from "../../../src/perps/constants.ts";
import { createWallet } from "../../browser/widget/page/wallet.ts";
import { earn } from "../../helpers/appFees/claims.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { withdrawn } from "../../helpers/perps.ts";
import { type AlteringProxy, startAlteringProxy } from "../../helpers/processes/alteringProxy.ts";
import { fiftyDollars } from "../../helpers/quotes/intents.ts";
import { takeAuthorizations } from "../../helpers/quotes/permits.ts";
import { attacker } from "../../helpers/quotes/quoteChanges.ts";

type Answer = { steps: unknown };

describe("the official client, which executes, posts and signs what any answer of the service holds", () => {
  let client: RelayClient;
  let proxy: AlteringProxy;
  let alter: (answer: Answer, path: string) => unknown;
  const fixture = useEmulator({ perps: true });
  before(async () => {
    proxy = await startAlteringProxy({
      alter: (answer, path) => alter(answer as Answer, path),
      target: fixture.emulator.info.apiUrl,
    });
    alter = (answer) => answer;
    client = createClient({ baseApiUrl: proxy.url, pollingInterval: 20, source: "waybill.test" });
    await configureDynamicChains();
  });
  after(() => proxy.stop());

  function open() {
    const { alpha, beta, emulator } = fixture;
    alter = (answer) => answer;
    const guard = createQuoteGuard({
      policy: { minimumOutput: 24_000_000n, trust: trustOfEmulator(emulator.info) },
      signInDomain: "app.example",
    });
    const stop = watchAxios(axios, guard);
    const page = createWallet(emulator.info.chains, 0);
    const user = alpha.wallet(0).account.address;
    const transport = custom(guardProvider(page, guard) as EIP1193Provider);
    const wallet = createWalletClient({ account: user, transport });
    const route = {
      amount: fiftyDollars("USDC").toString(),
      chainId: alpha.info.id,
      currency: alpha.currency("USDC"),
      recipient: user,
      toChainId: beta.info.id,
      toCurrency: beta.currency("USDC"),
      tradeType: "EXACT_INPUT",
      user,
    } as const;
    const quoteOf = (more: object = {}): Promise<Execute> => client.actions.getQuote({ ...route, ...more });
    const held = async () =>
      (await alpha.balanceOf(alpha.currency("USDC"), attacker)) +
      (await beta.balanceOf(beta.currency("USDC"), attacker));
    /** What reached the wallet, and what the attacker gained. */
    const run = async (execute: () => Promise<unknown>) => {
      const before = await held();
      await failureOf(execute());
      stop();
      return [page.log.map(({ method }) => method), (await held()) - before];
    };
    return { quoteOf, run, user, wallet };
  }
  /** A step without a signature, which the client posts. */
  const posted = (data: object) => [
    { id: "authorize", items: [{ data, status: "incomplete" }], kind: "signature" },
  ];

  it("steps after a permit that pay a quote on another chain, which was left: the permit alone is signed", async () => {
    const { quoteOf, run, wallet } = open();
    const { alpha, beta } = fixture;
    const restore = await takeAuthorizations(alpha);
    const back = {
      chainId: beta.info.id,
      currency: beta.currency("USDC"),
      toChainId: alpha.info.id,
      toCurrency: alpha.currency("USDC"),
    };
    const left = await quoteOf({ ...back, options: { usePermit: true }, recipient: attacker });
    const quote = await quoteOf({ options: { usePermit: true } });
    alter = (answer, path) =>
      path.startsWith("/execute/permits") ? { ...answer, steps: structuredClone(left.steps) } : answer;
    const result = await run(() => client.actions.execute({ quote, wallet }));
    await restore();
    expect(result).to.deep.equal([["eth_signTypedData_v4"], 0n]);
  }).timeout(60_000);

  it("the payment of a quote that was left, in the answer to a claim of app fees: reaches no wallet", async () => {
    const { quoteOf, run, user, wallet } = open();
    const left = await quoteOf({ recipient: attacker });
    await earn(fixture, user);
    alter = (answer, path) =>
      path.endsWith("/claim") ? { ...answer, steps: structuredClone(left.steps) } : answer;
    const { info } = fixture.alpha;
    const claim = { chainId: info.id, currency: fixture.alpha.currency("USDC"), wallet };
    expect(await run(() => client.actions.claimAppFees(claim))).to.deep.equal([[], 0n]);
  }).timeout(60_000);

  it("a signature of a quote that was left, with another domain, which the client corrects: reaches no wallet", async () => {
    const { quoteOf, run, user, wallet } = open();
    const left = await quoteOf({ options: { usePermit: true }, recipient: attacker });
    const steps = structuredClone(left.steps) as { items: { data: { sign: { domain: object } } }[] }[];
    for (const { items } of steps)
      for (const { data } of items) Object.assign(data.sign.domain, { chainId: 1 });
    alter = (answer, path) => (path.startsWith("/quote") ? { ...answer, steps } : answer);
    const quote = await quoteOf({
      amount: withdrawn.toString(),
      chainId: exchangeChainId,
      currency: perpsUsdcAddress,
      options: { protocolVersion: "v2", refundTo: user },
    });
    expect(await run(() => client.actions.execute({ quote, wallet }))).to.deep.equal([[], 0n]);
  }).timeout(60_000);

  it("an answer that makes the client ask for the attacker's quote: that quote is not proven", async () => {
    const { quoteOf, run, user, wallet } = open();
    const { alpha, beta } = fixture;
    const body = {
      amount: (2n * fiftyDollars("USDC")).toString(),
      destinationChainId: beta.info.id,
      destinationCurrency: beta.currency("USDC"),
      originChainId: alpha.info.id,
      originCurrency: alpha.currency("USDC"),
      recipient: attacker,
      tradeType: "EXACT_INPUT",
      user,
    };
    let times = 0;
    alter = (answer, path) =>
      path.startsWith("/quote") && times++ === 0
        ? { ...answer, steps: posted({ post: { body, endpoint: "/quote/v2", method: "POST" } }) }
        : answer;
    const quote = await quoteOf();
    expect(await run(() => client.actions.execute({ quote, wallet }))).to.deep.equal([[], 0n]);
  }).timeout(60_000);

  it("a sign-in to the app, whose signature the client posts: reaches no wallet", async () => {
    const { quoteOf, run, user, wallet } = open();
    const message = `app.example wants you to sign in with your Ethereum account:\n${user}\n\nNonce: 32891756`;
    const post = { body: { kind: "permit" }, endpoint: "/execute/permits", method: "POST" };
    alter = (answer, path) =>
      path.startsWith("/quote")
        ? { ...answer, steps: posted({ post, sign: { message, signatureKind: "eip191" } }) }
        : answer;
    const quote = await quoteOf();
    expect(await run(() => client.actions.execute({ quote, wallet }))).to.deep.equal([[], 0n]);
  }).timeout(60_000);
});
