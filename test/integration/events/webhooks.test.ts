import { expect } from "chai";
import { type Hex, parseEther } from "viem";
import {
  type LogEntry,
  startEmulator,
  type WebhookDelivery,
  type WebhookDeliveryPage,
} from "../../../emulator/index.ts";
import { createClient, getQuote } from "../../../src/client/index.ts";
import { execute } from "../../../src/execute/index.ts";
import { verifyWebhook } from "../../../src/webhooks/verifyWebhook.ts";
import { testChain } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { quickSleep } from "../../helpers/quickSleep.ts";
import { bridgeIntent } from "../../helpers/quotes/bridgeIntent.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";
import { until } from "../../unit/emulator/support/waiting.ts";
import { type Receiver, startReceiver } from "../../unit/emulator/webhooks/support/receiver.ts";

const recipient = "0x00000000000000000000000000000000000c0de0";

describe("webhooks of the emulator", () => {
  const log: LogEntry[] = [];
  let emulator: Awaited<ReturnType<typeof startEmulator>>;
  let receiver: Receiver;
  before(async () => {
    emulator = await startEmulator({ chainPorts: [0, 0], log: (entry) => log.push(entry), port: 0 });
    receiver = await startReceiver();
  });
  after(async () => {
    await emulator.stop();
    await receiver.stop();
  });

  function apiKey() {
    const [first] = emulator.info.apiKeys;
    if (first === undefined) throw new Error("there is no API key");
    return first;
  }

  async function call(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
    const answer = await fetch(`${emulator.info.apiUrl}/admin${path}`, {
      headers: headers ?? { "x-admin-key": emulator.info.adminKey },
      method,
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { body: text === "" ? undefined : (JSON.parse(text) as unknown), status: answer.status, text };
  }

  // @spec quote-request/referrer webhook/referrer webhook/every-status webhook/hashes
  // @spec state/pending-to-success
  it("a receiver gets a bridge's statuses from quote to success, verifiable with the key, in order", async () => {
    await emulator.webhooks.set(apiKey().id, { url: receiver.url });
    const [alpha, beta] = emulator.info.chains.map(testChain);
    if (alpha === undefined || beta === undefined) throw new Error("the emulator has too few chains");
    const client = createClient({ apiKey: apiKey().key, baseUrl: emulator.info.apiUrl, sleep: quickSleep });
    const quote = await getQuote(
      client,
      bridgeIntent({ alpha, beta }, { amount: parseEther("0.1"), recipient, referrer: "shop" }),
    );
    const wallet = alpha.wallet(0);
    const { originReceipts } = await execute(client, {
      publicClient: alpha.reader,
      quote,
      timeout: 20_000,
      verify: false,
      wallet,
    });
    const requestId = quote.steps[0]?.requestId ?? "";
    await until(() => receiver.statuses(requestId).includes("success"));
    expect(receiver.statuses(requestId)).to.deep.equal(["waiting", "pending", "submitted", "success"]);
    for (const { body, headers } of receiver.received) {
      const { event } = await verifyWebhook(body, headers, { secrets: [apiKey().key] });
      expect(event.data).to.include({ failReason: "N/A", referrer: "shop", requestId });
    }
    const deposits = originReceipts.map(({ transactionHash }) => transactionHash);
    const fills = (await reached(emulator, requestId as Hex, "success")).transactions.map(({ hash }) => hash);
    expect(receiver.received.map(({ event: { data } }) => [data.inTxHashes, data.txHashes])).to.deep.equal([
      [[], []],
      [deposits, []],
      [deposits, fills],
      [deposits, fills],
    ]);
  }).timeout(30_000);

  // @spec webhook/custom-headers
  it("webhooks are set, read, tested, listed, resent and removed over HTTP as in code", async () => {
    const base = `/keys/${apiKey().id}/webhook`;
    const set = await call("PUT", base, { headers: { "x-shop": "1" }, url: receiver.url });
    expect(set.status).to.equal(200);
    expect(set.body).to.deep.equal(await emulator.webhooks.get(apiKey().id));
    expect((await call("GET", base)).body).to.deep.equal(set.body);
    receiver.received.length = 0;
    const test = await call("POST", `${base}/test`, { status: "refund" });
    expect(test.status).to.equal(202);
    const { id } = test.body as WebhookDelivery;
    await until(() => receiver.received.length === 1);
    expect(receiver.received[0]?.event.data).to.include({ failReason: "UNKNOWN", status: "refund" });
    expect(receiver.received[0]?.headers["x-shop"]).to.equal("1");
    const listed = async (query: string) =>
      ((await call("GET", `${base}/deliveries?${query}`)).body as WebhookDeliveryPage).deliveries;
    await until(async () => (await listed("kind=test&state=delivered")).length === 1);
    expect((await listed("kind=test&status=refund&limit=1"))[0]).to.include({ id, kind: "test" });
    const again = await call("POST", `${base}/deliveries/${id}/resend`);
    expect([again.status, (again.body as WebhookDelivery).resendOf]).to.deep.equal([202, id]);
    await until(() => receiver.received.length === 2);
    expect((await call("DELETE", base)).status).to.equal(204);
    for (const [method, path, body] of [
      ["GET", base],
      ["DELETE", base],
      ["POST", `${base}/test`, {}],
      ["POST", `${base}/deliveries/${id}/resend`],
      ["GET", "/keys/nobody/webhook"],
    ] as const) {
      expect((await call(method, path, body)).status, `${method} ${path}`).to.equal(404);
    }
  });

  it("webhooks follow the emulator's clock and faults, and allowRemoteWebhooks can change at runtime", async () => {
    const { control, info, stop, webhooks } = await startEmulator({ chainPorts: [0, 0], port: 0 });
    const id = info.apiKeys[0]?.id ?? "";
    const there = await startReceiver((response, { index }) => {
      response.writeHead(index === 0 ? 500 : 200).end();
    });
    await control.clock.freeze();
    await webhooks.set(id, { url: there.url });
    await webhooks.test(id);
    const newest = async () => (await webhooks.deliveries(id)).deliveries[0];
    await until(async () => (await newest())?.attempts.length === 1);
    await control.clock.advance(1_000);
    await until(async () => (await newest())?.state === "delivered");
    const [first, second] = (await newest())?.attempts ?? [];
    expect((second?.at ?? 0) - (first?.at ?? 0)).to.equal(1_000);
    const remote = { isEnabled: false, url: "https://203.0.113.9/" };
    expect(String(await failureOf(webhooks.set(id, remote)))).to.match(/not this machine/);
    await control.config.set({ allowRemoteWebhooks: true });
    expect(await webhooks.set(id, remote)).to.include(remote);
    await webhooks.set(id, { url: there.url });
    await control.faults.add({ channel: "webhook", kind: "delivery-dropped" });
    const client = createClient({
      apiKey: info.apiKeys[0]?.key ?? "",
      baseUrl: info.apiUrl,
      sleep: quickSleep,
    });
    const [alpha, beta] = info.chains.map(testChain);
    if (alpha === undefined || beta === undefined) throw new Error("the emulator has too few chains");
    await getQuote(client, bridgeIntent({ alpha, beta }));
    await until(async () => (await newest())?.state === "dropped");
    expect((await control.log()).filter(({ kind }) => kind === "fault")).to.have.length(1);
    expect(there.received).to.have.length(2);
    await stop();
    await there.stop();
  });
});
