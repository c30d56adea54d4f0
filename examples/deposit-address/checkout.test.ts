import { startTestEmulator, type TestEmulator, waybillMatchers } from "@waybill/emulator/testing";
import { type Address, erc20Abi, type Hex, parseUnits } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, chai, expect, test } from "vitest";
import { type Client, createClient } from "waybill/client";
import { followPayments, openCheckout } from "./checkout.ts";

chai.use(waybillMatchers);

const price = parseUnits("25", 6);
const tip = parseUnits("5", 6);
const highestFee = parseUnits("2", 6);

let emulator: TestEmulator;
let client: Client;
beforeAll(async () => {
  emulator = await startTestEmulator();
  // The list of an address's requests takes a key: follow payments on a server.
  client = createClient({ apiKey: emulator.info.apiKeys[0]?.key, baseUrl: emulator.info.apiUrl });
});
afterAll(() => emulator.stop());

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
  /** The request that came to this end, as the chains' blocks have it. */
  const requestThatWas = (end: string) => {
    const [requestId] = [...ends].find(([, its]) => its === end) ?? [];
    return emulator.request(requestId as Hex);
  };
  return {
    ...checkout,
    ends: [...ends.values()].sort(),
    received: await destination.balanceOf(asked.currency, till),
    refunded: await origin.balanceOf(pay.currency, customer),
    requestThatWas,
  };
}

/** All of it less the fee of the refund. */
function expectLessFee(refunded: bigint, sent: bigint): void {
  expect(refunded).toBeGreaterThan(sent - highestFee);
  expect(refunded).toBeLessThan(sent);
}

test("the exact amount: the till receives the price, to the unit", async () => {
  const { ends, received, refunded, requestThatWas } = await check((asked) => [asked], 1);
  expect([ends, received, refunded]).toEqual([["paid"], price, 0n]);
  await expect(requestThatWas("paid")).to.bePaidOnce();
});

test("one unit less: comes back less the fee, and the till receives nothing", async () => {
  const { amount, ends, received, refunded, requestThatWas } = await check((asked) => [asked - 1n], 1);
  expect([ends, received]).toEqual([["underpaid"], 0n]);
  expectLessFee(refunded, amount - 1n);
  const request = requestThatWas("underpaid");
  await expect(request).to.refundWith("DEPOSITED_AMOUNT_TOO_LOW_TO_FILL");
  await expect(expect(request).to.bePaidOnce()).rejects.toThrow(/to be paid once, but it ended in refund/);
});

test("five dollars more: the till receives the price, and the rest comes back less the fee", async () => {
  const { ends, received, refunded, requestThatWas } = await check((asked) => [asked + tip], 2);
  expect([ends, received]).toEqual([["overpaid", "paid"], price]);
  expectLessFee(refunded, tip);
  await expect(requestThatWas("paid")).to.bePaidOnce();
  await expect(requestThatWas("overpaid")).to.refundWith("INCORRECT_PAYMENT");
});

test("the amount twice: the till receives the price once, and the second payment comes back", async () => {
  const { amount, ends, received, refunded, requestThatWas } = await check((asked) => [asked, asked], 2);
  expect([ends, received]).toEqual([["paid", "paid twice"], price]);
  expectLessFee(refunded, amount);
  await expect(requestThatWas("paid")).to.bePaidOnce();
  await expect(requestThatWas("paid twice")).to.refundWith("DOUBLE_SPEND");
});
