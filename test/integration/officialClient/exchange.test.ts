import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type axios, createClient, type RelayClient } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { expect } from "chai";
import { exchangeChainId, perpsUsdcAddress } from "../../../src/perps/constants.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { exchangeBalance, exchangeUrl, withdrawn } from "../../helpers/perps.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";

const exchangeHost = "https://api.hyperliquid.xyz";

/** The HTTP library's default instance, through which the client posts actions. It is another one than the client exports. */
async function defaultAxios(): Promise<typeof axios> {
  const from = createRequire(createRequire(import.meta.url).resolve("@relayprotocol/relay-sdk"));
  const module = pathToFileURL(join(from.resolve("axios/package.json"), "../index.js"));
  return ((await import(module.href)) as { default: typeof axios }).default;
}

describe("the service's official client withdraws from the perps exchange", () => {
  let client: RelayClient;
  let library: typeof axios;
  let interceptor: number;
  const posted: string[] = [];
  const fixture = useEmulator({ perps: true });
  before(async () => {
    client = createClient({
      baseApiUrl: fixture.emulator.info.apiUrl,
      pollingInterval: 20,
      source: "waybill.test",
    });
    await configureDynamicChains();
    library = await defaultAxios();
    // The client posts actions to the exchange's own host alone.
    interceptor = library.interceptors.request.use((request) => {
      const url = request.url ?? "";
      posted.push(url);
      request.url = url.replace(exchangeHost, exchangeUrl(fixture));
      return request;
    });
  });
  after(() => library.interceptors.request.eject(interceptor));

  function quoteOf(recipient: string) {
    const user = fixture.alpha.wallet(0).account.address;
    // The client's types lack `protocolVersion`.
    const options = { protocolVersion: "v2", refundTo: user };
    return client.actions.getQuote({
      amount: withdrawn.toString(),
      chainId: exchangeChainId,
      currency: perpsUsdcAddress,
      options,
      recipient,
      toChainId: fixture.beta.info.id,
      toCurrency: fixture.beta.currency("USDC"),
      tradeType: "EXACT_INPUT",
      user,
    });
  }

  it("reads the exchange among the chains", () => {
    const exchange = client.chains.find(({ id }) => id === exchangeChainId);
    expect(exchange).to.include({ displayName: "Hyperliquid", id: exchangeChainId });
  });

  it("a withdrawal: the money has arrived when execute resolves, signed for the wallet's chain", async () => {
    const { alpha, beta } = fixture;
    const recipient = fresh();
    const user = alpha.wallet(0).account.address;
    const { solver } = fixture.emulator.info;
    const held = async () =>
      [await exchangeBalance(fixture, solver), await beta.balanceOf(beta.currency("USDC"), solver)] as const;
    const before = await exchangeBalance(fixture, user);
    const [exchanged, spent] = await held();
    const quote = await quoteOf(recipient);
    const { data } = await client.actions.execute({ quote, wallet: alpha.wallet(0) });
    expect(posted).to.include(`${exchangeHost}/exchange`);
    expect((await beta.balanceOf(beta.currency("USDC"), recipient)).toString()).to.equal(
      quote.details?.currencyOut?.amount,
    );
    expect(await exchangeBalance(fixture, user)).to.equal(before - withdrawn);
    const [exchangedAfter, spentAfter] = await held();
    expect(exchangedAfter - exchanged).to.equal(withdrawn);
    expect(spent - spentAfter).to.equal(await beta.balanceOf(beta.currency("USDC"), recipient));
    const items = data.steps.flatMap((step) => step.items ?? []);
    expect(items.map(({ status }) => status)).to.deep.equal(["complete", "complete"]);
    expect(items.at(-1)?.txHashes?.map(({ chainId }) => chainId)).to.deep.equal([beta.info.id]);
    expect(items.at(-1)?.internalTxHashes?.map(({ chainId }) => chainId)).to.deep.equal([exchangeChainId]);
  });

  it("an action that the exchange refuses: execute rejects, and no money moves", async () => {
    const { alpha } = fixture;
    const user = alpha.wallet(0).account.address;
    const quote = await quoteOf(fresh());
    await fixture.emulator.control.balances.set({
      account: user,
      amount: withdrawn - 1n,
      chainId: exchangeChainId,
      currency: perpsUsdcAddress,
    });
    const error = await failureOf(client.actions.execute({ quote, wallet: alpha.wallet(0) }));
    expect(String(error)).to.include("Failed to send signature to HyperLiquid");
    expect(await exchangeBalance(fixture, user)).to.equal(withdrawn - 1n);
  });
});
