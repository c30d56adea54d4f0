import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { axios, createClient, type RelayClient } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { expect } from "chai";
import { createWalletClient, custom } from "viem";
import { trustOfEmulator } from "../../../emulator/index.ts";
import { createQuoteGuard, guardProvider, type Refusal, watchAxios } from "../../../src/guard/index.ts";
import { exchangeChainId, perpsUsdcAddress } from "../../../src/perps/constants.ts";
import type { Quote } from "../../../src/schema/quote/quote.ts";
import { createWallet } from "../../browser/widget/page/wallet.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { exchangeBalance, exchangeUrl, withdrawn } from "../../helpers/perps.ts";
import { type AlteringProxy, startAlteringProxy } from "../../helpers/processes/alteringProxy.ts";
import { attacker, strayId } from "../../helpers/quotes/quoteChanges.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";

const typedData = "eth_signTypedData_v4";

/** The HTTP library's default instance, through which the client posts to the exchange's own host. */
async function defaultAxios(): Promise<typeof axios> {
  const from = createRequire(createRequire(import.meta.url).resolve("@relayprotocol/relay-sdk"));
  const module = pathToFileURL(join(from.resolve("axios/package.json"), "../index.js"));
  return ((await import(module.href)) as { default: typeof axios }).default;
}

/** Fields of a step that a hostile server changes. */
const changes: Readonly<Record<string, (steps: never[]) => void>> = {
  amount: ([, transfer]) => set(transfer, "action.parameters.amount", "26.5"),
  destination: ([, transfer]) => set(transfer, "action.parameters.destination", attacker),
  "order id": ([authorize]) => set(authorize, "sign.value.id", strayId),
};

function set(step: { items?: { data?: object }[] } | undefined, path: string, value: unknown): void {
  const names = path.split(".");
  const last = names.pop() ?? "";
  const parent = names.reduce(
    (each, name) => each[name] as Record<string, unknown>,
    (step?.items?.[0]?.data ?? {}) as Record<string, unknown>,
  );
  expect(parent[last]).to.be.a("string");
  parent[last] = value;
}

describe("the service's official client withdraws from the perps exchange with a guarded wallet", () => {
  let client: RelayClient;
  let library: typeof axios;
  let interceptor: number;
  let proxy: AlteringProxy;
  let alter: (quote: Quote) => void = () => {};
  const fixture = useEmulator({ perps: true });
  before(async () => {
    proxy = await startAlteringProxy({
      alter: (answer, path) => {
        if (path.startsWith("/quote")) alter(answer as Quote);
        return answer;
      },
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

  async function withdraw() {
    const { emulator } = fixture;
    const user = fixture.alpha.wallet(0).account.address;
    const refusals: Refusal[] = [];
    const guard = createQuoteGuard({
      onRefused: (refusal) => refusals.push(refusal),
      policy: { minimumOutput: 24_000_000n, trust: trustOfEmulator(emulator.info) },
    });
    const stop = watchAxios(axios, guard);
    const page = createWallet(emulator.info.chains, 0);
    const wallet = createWalletClient({
      account: user,
      transport: custom(guardProvider(page, guard) as Parameters<typeof custom>[0]),
    });
    const recipient = fresh();
    const quote = await client.actions.getQuote({
      amount: withdrawn.toString(),
      chainId: exchangeChainId,
      currency: perpsUsdcAddress,
      // The client's types lack `protocolVersion`.
      options: { protocolVersion: "v2", refundTo: user } as object,
      recipient,
      toChainId: fixture.beta.info.id,
      toCurrency: fixture.beta.currency("USDC"),
      tradeType: "EXACT_INPUT",
      user,
    });
    const error = await failureOf(client.actions.execute({ quote, wallet }));
    stop();
    return { error, page, quote, recipient, refusals };
  }

  it("a withdrawal, signed for the wallet's chain: passes, and the recipient has the output", async () => {
    const { beta } = fixture;
    const { error, page, quote, recipient, refusals } = await withdraw();
    expect(error).to.equal(undefined);
    expect(refusals).to.deep.equal([]);
    expect((await beta.balanceOf(beta.currency("USDC"), recipient)).toString()).to.equal(
      quote.details?.currencyOut?.amount,
    );
    expect(page.log.map(({ method }) => method)).to.deep.equal([typedData, typedData]);
  });

  for (const [name, change] of Object.entries(changes)) {
    it(`a hostile change of ${name}: reaches no wallet`, async () => {
      const user = fixture.alpha.wallet(0).account.address;
      const before = await exchangeBalance(fixture, user);
      alter = ({ steps }) => change(steps as never[]);
      const { error, page, refusals } = await withdraw();
      expect(String(error)).to.include("The guard refused");
      expect(page.log).to.deep.equal([]);
      expect(refusals).to.have.length(1);
      expect(await exchangeBalance(fixture, user)).to.equal(before);
    });
  }
});
