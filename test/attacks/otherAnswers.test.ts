import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { axios, createClient, type Execute, type RelayClient } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { expect } from "chai";
import { createWalletClient, custom, type EIP1193Provider } from "viem";
import { trustOfEmulator } from "../../emulator/index.ts";
import { createQuoteGuard, guardProvider, watchAxios } from "../../src/guard/index.ts";
import { exchangeChainId, perpsUsdcAddress } from "../../src/perps/constants.ts";
import { createWallet } from "../browser/widget/page/wallet.ts";
import { earn } from "../helpers/appFees/claims.ts";
import { useEmulator } from "../helpers/emulatorFixture.ts";
import { failureOf } from "../helpers/failureOf.ts";
import { exchangeUrl, withdrawn } from "../helpers/perps.ts";
import { type AlteringProxy, startAlteringProxy } from "../helpers/processes/alteringProxy.ts";
import { fiftyDollars } from "../helpers/quotes/intents.ts";
import { attacker } from "../helpers/quotes/quoteChanges.ts";

async function defaultAxios(): Promise<typeof axios> {
  const from = createRequire(createRequire(import.meta.url).resolve("@relayprotocol/relay-sdk"));
  const module = pathToFileURL(join(from.resolve("axios/package.json"), "../index.js"));
  return ((await import(module.href)) as { default: typeof axios }).default;
}

type Answer = { steps: unknown };

describe("attack: the service puts the payment of a quote that was left into another answer", () => {
  let client: RelayClient;
  let proxy: AlteringProxy;
  let library: typeof axios;
  let interceptor: number;
  let alter: (answer: Answer, path: string) => unknown = (answer) => answer;
  const fixture = useEmulator({ perps: true });
  before(async () => {
    proxy = await startAlteringProxy({
      alter: (answer, path) => alter(answer as Answer, path),
      target: fixture.emulator.info.apiUrl,
    });
    client = createClient({ baseApiUrl: proxy.url, pollingInterval: 20, source: "waybill.test" });
    await configureDynamicChains();
    library = await defaultAxios();
    interceptor = library.interceptors.request.use((request) => {
      request.url = request.url?.replace("https://api.hyperliquid.xyz", exchangeUrl(fixture)) ?? "";
      return request;
    });
  });
  after(() => {
    library.interceptors.request.eject(interceptor);
    proxy.stop();
  });

  function open() {
    const { alpha, beta, emulator } = fixture;
    const guard = createQuoteGuard({
      policy: { minimumOutput: 24_000_000n, trust: trustOfEmulator(emulator.info) },
    });
    const stop = watchAxios(axios, guard);
    const page = createWallet(emulator.info.chains, 0);
    const user = alpha.wallet(0).account.address;
    const transport = custom(guardProvider(page, guard) as EIP1193Provider);
    const wallet = createWalletClient({ account: user, transport });
    const route = {
      toChainId: beta.info.id,
      toCurrency: beta.currency("USDC"),
      tradeType: "EXACT_INPUT",
      user,
    } as const;
    /** A quote whose recipient the person typed wrong, and that is never confirmed. */
    const leave = (usePermit = true): Promise<Execute> =>
      client.actions.getQuote({
        ...route,
        amount: fiftyDollars("USDC").toString(),
        chainId: alpha.info.id,
        currency: alpha.currency("USDC"),
        options: { usePermit },
        recipient: attacker,
      });
    const withdraw = (): Promise<Execute> =>
      client.actions.getQuote({
        ...route,
        amount: withdrawn.toString(),
        chainId: exchangeChainId,
        currency: perpsUsdcAddress,
        options: { protocolVersion: "v2", refundTo: user } as object,
        recipient: user,
      });
    const primaryTypes = () =>
      page.log.map(({ params }) => JSON.parse(String(params?.[1])).primaryType as string);
    return { leave, page, primaryTypes, stop, wallet, withdraw };
  }

  const held = () => fixture.beta.balanceOf(fixture.beta.currency("USDC"), attacker);

  it("appended at /authorize: a withdrawal does not sign the payment of a quote that was left", async () => {
    const { leave, primaryTypes, stop, wallet, withdraw } = open();
    const left = await leave();
    const quote = await withdraw();
    alter = (answer, path) =>
      path.startsWith("/authorize") ? { ...answer, steps: structuredClone(left.steps) } : answer;
    const before = await held();
    await failureOf(client.actions.execute({ quote, wallet }));
    stop();
    expect([primaryTypes(), (await held()) - before]).to.deep.equal([
      ["NonceMapping", "HyperliquidTransaction:SendAsset"],
      0n,
    ]);
  }).timeout(60_000);

  it("in the answer to a claim of app fees, as transactions: reaches no wallet", async () => {
    const { leave, page, stop, wallet } = open();
    const left = await leave(false);
    await earn(fixture, fixture.alpha.wallet(0).account.address);
    alter = (answer, path) =>
      path.endsWith("/claim") ? { ...answer, steps: structuredClone(left.steps) } : answer;
    const before = await held();
    const { alpha } = fixture;
    const [chainId, currency] = [alpha.info.id, alpha.currency("USDC")];
    await failureOf(client.actions.claimAppFees({ chainId, currency, wallet }));
    stop();
    expect([page.log.map(({ method }) => method), (await held()) - before]).to.deep.equal([[], 0n]);
  }).timeout(60_000);

  it("in the newest answer, with another chain in the domain, which the client overwrites: reaches no wallet", async () => {
    const { leave, primaryTypes, stop, wallet, withdraw } = open();
    const left = await leave();
    const steps = structuredClone(left.steps) as { items: { data: { sign: { domain: object } } }[] }[];
    for (const { items } of steps)
      for (const { data } of items) Object.assign(data.sign.domain, { chainId: 1 });
    alter = (answer, path) => (path.startsWith("/quote") ? { ...answer, steps } : answer);
    const quote = await withdraw();
    const before = await held();
    await failureOf(client.actions.execute({ quote, wallet }));
    stop();
    expect([primaryTypes(), (await held()) - before]).to.deep.equal([[], 0n]);
  }).timeout(60_000);
});
