import { axios, createClient, type RelayClient } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { expect } from "chai";
import { createWalletClient, custom, type EIP1193Provider, type Hex, verifyMessage } from "viem";
import { trustOfEmulator } from "../../emulator/index.ts";
import { createQuoteGuard, guardProvider, watchAxios } from "../../src/guard/index.ts";
import { createWallet } from "../browser/widget/page/wallet.ts";
import { useEmulator } from "../helpers/emulatorFixture.ts";
import { failureOf } from "../helpers/failureOf.ts";
import { marketPrice } from "../helpers/guard/marketPrice.ts";
import { type AlteringProxy, startAlteringProxy } from "../helpers/processes/alteringProxy.ts";
import { fiftyDollars, recipient } from "../helpers/quotes/intents.ts";

type Answer = { steps: object[] };

describe("attack: an unproven answer asks for a sign-in to the app itself, and gets it posted to the service", () => {
  let client: RelayClient;
  let proxy: AlteringProxy;
  let alter: (answer: Answer) => unknown = (answer) => answer;
  const stolen: string[] = [];
  const fixture = useEmulator();
  before(async () => {
    proxy = await startAlteringProxy({
      alter: (answer, path) => (path.startsWith("/quote") ? alter(answer as Answer) : answer),
      before: (_, path) => {
        const signature = new URL(path, "http://service").searchParams.get("signature");
        if (signature !== null) stolen.push(signature);
        return true;
      },
      target: fixture.emulator.info.apiUrl,
    });
    client = createClient({ baseApiUrl: proxy.url, pollingInterval: 20, source: "waybill.test" });
    await configureDynamicChains();
  });
  after(() => proxy.stop());

  it("a swap whose only step is such a message: reaches no wallet, and the service gets no session", async () => {
    const { alpha, beta, emulator } = fixture;
    const guard = createQuoteGuard({
      policy: { price: marketPrice(emulator.info.chains), trust: trustOfEmulator(emulator.info) },
      signInDomain: "app.example",
    });
    const stop = watchAxios(axios, guard);
    const page = createWallet(emulator.info.chains, 0);
    const user = alpha.wallet(0).account.address;
    const transport = custom(guardProvider(page, guard) as EIP1193Provider);
    const wallet = createWalletClient({ account: user, transport });
    // With a nonce that the service fetched from the app's own server.
    const message = [
      "app.example wants you to sign in with your Ethereum account:",
      `${user}\n`,
      "URI: https://app.example",
      "Version: 1",
      `Chain ID: ${alpha.info.id}`,
      "Nonce: 32891756",
      "Issued At: 2026-11-24T12:00:00Z",
    ].join("\n");
    const post = { body: { kind: "permit" }, endpoint: "/execute/permits", method: "POST" };
    const items = [{ data: { post, sign: { message, signatureKind: "eip191" } }, status: "incomplete" }];
    alter = (answer) => ({
      ...answer,
      steps: [{ ...answer.steps[0], id: "authorize", items, kind: "signature" }],
    });
    const quote = await client.actions.getQuote({
      amount: fiftyDollars("ETH").toString(),
      chainId: alpha.info.id,
      currency: alpha.currency("ETH"),
      recipient,
      toChainId: beta.info.id,
      toCurrency: beta.currency("ETH"),
      tradeType: "EXACT_INPUT",
      user,
    });
    await failureOf(client.actions.execute({ quote, wallet }));
    stop();
    const [signature = "0x"] = stolen as Hex[];
    const isSession = await verifyMessage({ address: user, message, signature }).catch(() => false);
    expect([page.log.map(({ method }) => method), isSession]).to.deep.equal([[], false]);
  }).timeout(60_000);
});
