import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestEmulator, type TestEmulator } from "@waybill/emulator/testing";
import { type Address, erc20Abi, parseUnits } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { type Client, createClient } from "waybill/client";
import { followPayments, openCheckout } from "./checkout.ts";

const price = parseUnits("25", 6);
const tip = parseUnits("5", 6);

let emulator: TestEmulator;
let client: Client;
before(async () => {
  emulator = await startTestEmulator();
  // The list of an address's requests takes a key: follow payments on a server.
  client = createClient({ apiKey: emulator.info.apiKeys[0]?.key, baseUrl: emulator.info.apiUrl });
});
after(() => emulator.stop());

const fresh = () => privateKeyToAddress(generatePrivateKey());

/** A plain transfer, as an exchange makes it: the shop does not know the account. */
function transfer(to: Address, amount: bigint) {
  const { origin } = emulator;
  const usdc = { abi: erc20Abi, address: origin.currency("USDC") };
  return origin.wallet(5).writeContract({ ...usdc, args: [to, amount], functionName: "transfer" });
}

/** Opens a checkout, pays it in parts, and follows as many payments to their ends. */
async function check(paymentsOf: (asked: bigint) => readonly bigint[], count: number) {
  const { destination, origin } = emulator;
  const [customer, till] = [fresh(), fresh()];
  const pay = { chainId: origin.info.id, currency: origin.currency("USDC") };
  const asked = { amount: price, chainId: destination.info.id, currency: destination.currency("USDC") };
  const checkout = await openCheckout(client, { pay, price: asked, refundTo: customer, till });
  for (const amount of paymentsOf(checkout.amount)) await transfer(checkout.address, amount);
  const ends = new Map<string, string>();
  for await (const { requestId, ...event } of followPayments(client, checkout)) {
    if (event.kind === "paid") ends.set(requestId, event.kind);
    if (event.kind === "refunded") ends.set(requestId, event.reason);
    if (ends.size === count) break;
  }
  return {
    ...checkout,
    ends: [...ends.values()].sort(),
    received: await destination.balanceOf(asked.currency, till),
    refunded: await origin.balanceOf(pay.currency, customer),
  };
}

test("the exact amount: the till receives the price, to the unit", async () => {
  const { ends, received, refunded } = await check((asked) => [asked], 1);
  assert.deepEqual([ends, received, refunded], [["paid"], price, 0n]);
});

test("one unit less: comes back less the fee, and the till receives nothing", async () => {
  const { amount, ends, received, refunded } = await check((asked) => [asked - 1n], 1);
  assert.deepEqual([ends, received], [["underpaid"], 0n]);
  assert.ok(refunded > amount - parseUnits("2", 6) && refunded < amount);
});

test("five dollars more: the till receives the price, and the rest comes back less the fee", async () => {
  const { ends, received, refunded } = await check((asked) => [asked + tip], 2);
  assert.deepEqual([ends, received], [["overpaid", "paid"], price]);
  assert.ok(refunded > tip - parseUnits("2", 6) && refunded < tip);
});

test("the amount twice: the till receives the price once, and the second payment comes back", async () => {
  const { amount, ends, received, refunded } = await check((asked) => [asked, asked], 2);
  assert.deepEqual([ends, received], [["paid", "paid twice"], price]);
  assert.ok(refunded > amount - parseUnits("2", 6) && refunded < amount);
});
