import { axios, createClient, type Execute, type RelayClient } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { expect } from "chai";
import { createWalletClient, custom, type EIP1193Provider } from "viem";
import { trustOfEmulator } from "../../emulator/index.ts";
import { createQuoteGuard, guardProvider, watchAxios } from "../../src/guard/index.ts";
import { createWallet } from "../browser/widget/page/wallet.ts";
import { useEmulator } from "../helpers/emulatorFixture.ts";
import { failureOf } from "../helpers/failureOf.ts";
import { marketPrice } from "../helpers/guard/marketPrice.ts";
import { type AlteringProxy, startAlteringProxy } from "../helpers/processes/alteringProxy.ts";
import { fiftyDollars } from "../helpers/quotes/intents.ts";
import { takeAuthorizations } from "../helpers/quotes/permits.ts";
import { attacker } from "../helpers/quotes/quoteChanges.ts";

type Answer = { steps: unknown[] };

describe("attack: the service appends the signature that pays another quote", () => {
  let client: RelayClient;
  let proxy: AlteringProxy;
  let append: (answer: Answer) => unknown = (answer) => answer;
  const fixture = useEmulator();
  before(async () => {
    proxy = await startAlteringProxy({
      alter: (answer, path) => (path.startsWith("/execute/permits") ? append(answer as Answer) : answer),
      target: fixture.emulator.info.apiUrl,
    });
    client = createClient({ baseApiUrl: proxy.url, pollingInterval: 20, source: "waybill.test" });
    await configureDynamicChains();
  });
  after(() => proxy.stop());

  it("a click on one quote does not sign another one's payment on another chain", async () => {
    const { alpha, beta, emulator } = fixture;
    const guard = createQuoteGuard({
      policy: { price: marketPrice(emulator.info.chains), trust: trustOfEmulator(emulator.info) },
    });
    const stop = watchAxios(axios, guard);
    const page = createWallet(emulator.info.chains, 0);
    const user = alpha.wallet(0).account.address;
    const transport = custom(guardProvider(page, guard) as EIP1193Provider);
    const wallet = createWalletClient({ account: user, transport });
    const quoteOf = (from: typeof alpha, to: typeof alpha, recipient: string): Promise<Execute> =>
      client.actions.getQuote({
        amount: fiftyDollars("USDC").toString(),
        chainId: from.info.id,
        currency: from.currency("USDC"),
        options: { usePermit: true },
        recipient,
        toChainId: to.info.id,
        toCurrency: to.currency("USDC"),
        tradeType: "EXACT_INPUT",
        user,
      });
    const restore = await takeAuthorizations(alpha);
    // Typed with a wrong recipient, and left: the person turns the route round instead, and clicks on that.
    const left = await quoteOf(beta, alpha, attacker);
    const clicked = await quoteOf(alpha, beta, user);
    let times = 0;
    append = (answer) => (times++ === 0 ? { ...answer, steps: structuredClone(left.steps) } : answer);
    const held = () => alpha.balanceOf(alpha.currency("USDC"), attacker);
    const before = await held();
    await failureOf(client.actions.execute({ quote: clicked, wallet }));
    stop();
    await restore();
    const primaryTypes = page.log.map(({ params }) => JSON.parse(String(params?.[1]) || "{}").primaryType);
    expect([primaryTypes, (await held()) - before]).to.deep.equal([["Permit"], 0n]);
  }).timeout(60_000);
});
