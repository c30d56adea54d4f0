import { axios, createClient, type Execute } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { expect } from "chai";
import { parseEther, zeroAddress } from "viem";
import { WebSocket } from "ws";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";

const recipient = "0x000000000000000000000000000000000050c4e8";

describe("the service's official client, unmodified, and the websocket stream", () => {
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

  it("receives a refund by websocket", async () => {
    const { client, quote } = await quoteByClient();
    // Half of the quoted amount is not enough for a fill, and is refunded.
    const data = quote.steps.at(-1)?.items[0]?.data as { value: string };
    data.value = (BigInt(data.value) / 2n).toString();
    const failure = await failureOf(client.actions.execute({ quote, wallet: fixture.alpha.wallet(0) }));
    expect(String(failure)).to.match(/Refunded/);
    expect(polled.filter((url) => url.includes("/intents/status"))).to.deep.equal([]);
  });
});
