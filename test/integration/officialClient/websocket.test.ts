import {
  axios,
  createClient,
  type Execute,
  executeGaslessBatch,
  type RelayClient,
} from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { expect } from "chai";
import { createWalletClient, type Hex, http, type LocalAccount, parseEther, zeroAddress } from "viem";
import { WebSocket } from "ws";
import { getStatus } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { unfundedUser } from "../../helpers/quotes/gasless.ts";
import { fiftyDollars, recipient, sendAs } from "../../helpers/quotes/intents.ts";
import { historyOf } from "../../helpers/requests/requestHistory.ts";

describe("the service's official client, unmodified, and the websocket stream", () => {
  const recipient = "0x000000000000000000000000000000000050c4e8";

  const fixture = useEmulator();

  const globals = globalThis as { window?: unknown; WebSocket: unknown };
  const original = { WebSocket: globals.WebSocket, hadWindow: "window" in globals, window: globals.window };
  const polled: string[] = [];
  let interceptor: number;
  beforeEach(() => {
    polled.length = 0;
    globals.window = { WebSocket };
    globals.WebSocket = WebSocket;
    interceptor = axios.interceptors.request.use((request) => {
      polled.push(String(request.url));
      return request;
    });
  });
  afterEach(() => {
    axios.interceptors.request.eject(interceptor);
    globals.WebSocket = original.WebSocket;
    if (original.hadWindow) globals.window = original.window;
    else delete globals.window;
    // The client is global in the process: later tests must not inherit its socket.
    createClient({ baseApiUrl: fixture.emulator.info.apiUrl, websocket: { enabled: false } });
  });

  async function quoteByClient(): Promise<{ client: ReturnType<typeof createClient>; quote: Execute }> {
    const { apiUrl, wsUrl } = fixture.emulator.info;
    const client = createClient({
      baseApiUrl: apiUrl,
      pollingInterval: 60_000,
      source: "waybill.test",
      websocket: { enabled: true, url: wsUrl },
    });
    await configureDynamicChains();
    const quote = await client.actions.getQuote({
      amount: parseEther("1").toString(),
      chainId: fixture.alpha.info.id,
      currency: zeroAddress,
      recipient,
      toChainId: fixture.beta.info.id,
      toCurrency: zeroAddress,
      tradeType: "EXACT_INPUT",
      user: fixture.alpha.wallet(0).account.address,
    });
    return { client, quote };
  }

  it("bridges by websocket, without a poll, and the money has arrived when execute resolves", async () => {
    const { client, quote } = await quoteByClient();
    const held = await fixture.beta.balanceOf(zeroAddress, recipient);
    await client.actions.execute({ quote, wallet: fixture.alpha.wallet(0) });
    const received = (await fixture.beta.balanceOf(zeroAddress, recipient)) - held;
    expect(received).to.equal(BigInt(quote.details?.currencyOut?.amount ?? -1));
    expect(polled.some((url) => url.includes("/quote"))).to.equal(true);
    expect(polled.filter((url) => url.includes("/intents/status"))).to.deep.equal([]);
  });
});

describe("the service's official client executes a gasless batch", () => {
  let client: RelayClient;
  const fixture = useEmulator({ defaultKey: true });
  before(async () => {
    client = createClient({
      apiKey: "not sent to a local server",
      baseApiUrl: fixture.emulator.info.apiUrl,
      pollingInterval: 20,
      source: "waybill.test",
    });
    await configureDynamicChains();
  });

  /** Gives a user without native currency the payment in a token. */
  async function fund(user: LocalAccount): Promise<void> {
    const { alpha } = fixture;
    const data = erc20Data("transfer", user.address, fiftyDollars("USDC"));
    await sendAs(alpha, 0, { data, to: alpha.currency("USDC") });
  }

  function quoteOf(
    user: LocalAccount,
    toCurrency: "USDC" | "ETH",
    target = fixture.beta,
    options: Parameters<typeof client.actions.getQuote>[0]["options"] = {},
  ): Promise<Execute> {
    const { alpha } = fixture;
    return client.actions.getQuote({
      amount: fiftyDollars("USDC").toString(),
      chainId: alpha.info.id,
      currency: alpha.currency("USDC"),
      options,
      recipient,
      toChainId: target.info.id,
      toCurrency: target.currency(toCurrency),
      tradeType: "EXACT_INPUT",
      user: user.address,
    });
  }

  async function run(
    user: LocalAccount,
    quote: Execute,
    subsidizeFees = false,
  ): Promise<{ requestId: string; statuses: string[] }> {
    const { info } = fixture.alpha;
    const chain = client.chains.find(({ id }) => id === info.id)?.viemChain;
    const wallet = createWalletClient({ account: user, chain, transport: http(info.rpcUrl) });
    const statuses: string[] = [];
    const { requestId } = await executeGaslessBatch({
      onProgress: ({ status }) => statuses.push(status),
      quote,
      subsidizeFees,
      walletClient: wallet,
    });
    return { requestId, statuses };
  }

  for (const [index, [name, quoted, origin]] of (
    [
      ["neither", false, false],
      ["the origin", false, true],
      ["the destination", true, false],
      ["both", true, true],
    ] as const
  ).entries()) {
    it(`sponsorship of ${name}: the batch is filled, and the first key pays for a sponsored quote alone`, async () => {
      const { control, info } = fixture.emulator;
      const apiKeyId = info.apiKeys[0]?.id ?? "";
      await control.sponsors.set({ amount: 100_000_000n, apiKeyId });
      const user = unfundedUser(20 + index);
      await fund(user);
      const had = await fixture.beta.balanceOf(fixture.beta.currency("USDC"), recipient);
      const quote = await quoteOf(user, "USDC", fixture.beta, { subsidizeFees: quoted });
      const { statuses } = await run(user, quote, origin);
      expect(statuses.at(-1)).to.equal("success");
      const gained = (await fixture.beta.balanceOf(fixture.beta.currency("USDC"), recipient)) - had;
      expect(gained === fiftyDollars("USDC")).to.equal(quoted);
      expect((await control.sponsors.get(apiKeyId)) === 100_000_000n).to.equal(!quoted);
    });
  }

  // @spec calls/gasless-execute
  it("a user without native currency: delegates, deposits in one batch, and the recipient has the output", async () => {
    const { alpha, beta, emulator } = fixture;
    const user = unfundedUser(1);
    await fund(user);
    const had = await beta.balanceOf(beta.currency("USDC"), recipient);
    const { depository } = alpha.info.contracts;
    const held = async () =>
      [
        await alpha.balanceOf(alpha.currency("USDC"), depository),
        await beta.balanceOf(beta.currency("USDC"), emulator.info.solver),
      ] as const;
    const [deposited, spent] = await held();
    const quote = await quoteOf(user, "USDC");
    const { requestId, statuses } = await run(user, quote);
    expect(statuses).to.deep.equal([
      "signing_authorization",
      "signing_batch",
      "submitting",
      "polling",
      "success",
    ]);
    const gained = (await beta.balanceOf(beta.currency("USDC"), recipient)) - had;
    expect(gained.toString()).to.equal(quote.details?.currencyOut?.amount);
    const [depositedAfter, spentAfter] = await held();
    expect(depositedAfter - deposited).to.equal(fiftyDollars("USDC"));
    expect(spent - spentAfter).to.equal(gained);
    expect(await alpha.balanceOf(alpha.currency("USDC"), user.address)).to.equal(0n);
    expect(await alpha.reader.getBalance({ address: user.address })).to.equal(0n);
    const { events } = await historyOf(emulator, requestId as Hex);
    expect(events.map(({ status }) => status)).to.deep.equal([
      "waiting",
      "depositing",
      "pending",
      "submitted",
      "success",
    ]);
    const { inTxHashes = [] } = await getStatus(fixture.client, { requestId: requestId as Hex });
    const sent = await alpha.reader.getTransaction({ hash: inTxHashes[0] as Hex });
    expect(sent).to.include({ from: emulator.info.solver.toLowerCase(), type: "eip7702", value: 0n });
  });
});
