import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { trustOfEmulator } from "@waybill/emulator";
import { startTestEmulator, type TestEmulator } from "@waybill/emulator/testing";
import { parseEther, parseUnits } from "viem";
import { createClient, getQuote } from "waybill/client";
import { execute } from "waybill/execute";
import { signWebhook } from "waybill/webhooks";
import { type Shop, startShop } from "./server.ts";

const till = "0x0000000000000000000000000000000000007111";
const price = parseUnits("25", 6);

let emulator: TestEmulator;
let folder: string;
let key: { id: string; key: string };
let shop: Shop;
before(async () => {
  emulator = await startTestEmulator();
  key = emulator.info.apiKeys[0] ?? assert.fail();
  folder = await mkdtemp(join(tmpdir(), "webhook-server-"));
  shop = await openShop();
});
after(async () => {
  await shop.close();
  await emulator.stop();
  await rm(folder, { recursive: true });
});

/** A shop on the same database, and its address as the endpoint of its key. */
async function openShop(): Promise<Shop> {
  const opened = await startShop({ database: join(folder, "shop.sqlite"), secrets: [key.key] });
  await emulator.webhooks.set(key.id, { url: opened.url });
  return opened;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await condition()); waited += 20) {
    if (waited > 10_000) assert.fail(`still not: ${condition}`);
    await sleep(20);
  }
}

const shipped = () => shop.orders().filter(({ shippedAt }) => shippedAt !== null);

test("a paid order: the price arrives to the unit, and the order is shipped once", async () => {
  const { destination, info, origin } = emulator;
  const client = createClient({ apiKey: key.key, baseUrl: info.apiUrl });
  const wallet = origin.wallet(0);
  const request = {
    amount: price,
    destinationChainId: destination.info.id,
    destinationCurrency: destination.currency("USDC"),
    originChainId: origin.info.id,
    originCurrency: origin.currency("ETH"),
    recipient: till,
    tradeType: "EXACT_OUTPUT",
    refundTo: wallet.account.address,
    user: wallet.account.address,
  } as const;
  // The shop asks for the quote with its key: the requestId stands for this price and this till.
  const quote = await getQuote(client, request);
  shop.placeOrder(quote.steps[0]?.requestId ?? assert.fail(), "a pair of boots");
  const verify = { maximumInput: parseEther("0.02"), trust: trustOfEmulator(info) };
  await execute(client, { quote, request, verify, wallet });
  await until(() => shipped().length === 1);
  assert.equal(await destination.balanceOf(request.destinationCurrency, till), price);
});

test("the same events again, also after a restart: change nothing", async () => {
  const orders = shop.orders();
  const events = shop.eventCount();
  await shop.close();
  shop = await openShop();
  const { deliveries } = await emulator.webhooks.deliveries(key.id);
  assert.ok(deliveries.length >= 3);
  for (const { id } of deliveries) await emulator.webhooks.resend(key.id, id);
  await until(async () => {
    const again = await emulator.webhooks.deliveries(key.id, { state: "delivered" });
    return again.deliveries.length === 2 * deliveries.length;
  });
  assert.deepEqual(shop.orders(), orders);
  assert.equal(shop.eventCount(), events);
});

test("forged, altered, stale and oversized events: are refused and ship nothing", async () => {
  const requestId = `0x${"66".repeat(32)}`;
  shop.placeOrder(requestId, "a diamond");
  const now = Date.now();
  const data = { requestId, status: "success", updatedAt: now };
  const body = JSON.stringify({ data, event: "request.status.updated", timestamp: now });
  const genuine = await signWebhook(body, { secret: key.key });
  const post = async (text: string, headers: Record<string, string>) =>
    (await fetch(shop.url, { body: text, headers, method: "POST" })).status;
  assert.equal(await post(body, {}), 400);
  assert.equal(await post(body, await signWebhook(body, { secret: "a-guessed-key" })), 401);
  assert.equal(await post(JSON.stringify(JSON.parse(body), null, 1), genuine), 401);
  const hourAgo = Math.floor(now / 1_000) - 3_600;
  assert.equal(await post(body, await signWebhook(body, { secret: key.key, timestamp: hourAgo })), 401);
  assert.equal(await post("x".repeat(2 ** 20 + 1), genuine), 413);
  assert.equal((await fetch(shop.url)).status, 405);
  await sleep(100);
  assert.equal(shipped().length, 1);
});
