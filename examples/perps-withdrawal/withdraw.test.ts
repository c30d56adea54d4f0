import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { trustOfEmulator } from "@waybill/emulator";
import { startTestEmulator, type TestEmulator } from "@waybill/emulator/testing";
import { amountOf, type Client, createClient } from "waybill/client";
import { getExchangeBalance, parseExchangeAmount } from "waybill/perps";
import { type WithdrawParameters, withdraw } from "./withdraw.ts";

let emulator: TestEmulator;
let exchangeUrl: string;
before(async () => {
  emulator = await startTestEmulator({ perps: true });
  exchangeUrl = emulator.info.perps?.apiUrl ?? assert.fail();
});
after(() => emulator.stop());

/** A withdrawal of 25 USDC to the second chain. */
function withdrawal(): WithdrawParameters {
  const { destination, info, origin } = emulator;
  return {
    account: origin.wallet(0).account,
    amount: parseExchangeAmount({ amount: "25" }),
    currency: destination.currency("USDC"),
    destinationChainId: destination.info.id,
    exchangeUrl,
    minimumOutput: 24_000_000n,
    trust: trustOfEmulator(info),
  };
}

async function balances() {
  const { account, currency } = withdrawal();
  const { withdrawable } = await getExchangeBalance({ url: exchangeUrl, user: account.address });
  return { exchange: withdrawable, wallet: await emulator.destination.balanceOf(currency, account.address) };
}

test("a withdrawal: the quoted output arrives to the unit", async () => {
  const before = await balances();
  const { details } = await withdraw(emulator.client, withdrawal());
  const { exchange, wallet } = await balances();
  assert.equal(before.exchange - exchange, 2_500_000_000n);
  assert.equal(wallet - before.wallet, amountOf(details.currencyOut));
});

/** Expects a refusal before the first signature. */
async function refuses(
  changes: Partial<WithdrawParameters>,
  reason: RegExp,
  client: Client = emulator.client,
) {
  const before = await balances();
  const account = { ...withdrawal().account, signTypedData: () => assert.fail("the wallet was asked") };
  await assert.rejects(withdraw(client, { ...withdrawal(), account, ...changes }), reason);
  assert.deepEqual(await balances(), before);
}

test("more than can be withdrawn, less than the minimum, a foreign solver: are refused before a signature", async () => {
  await refuses({ amount: 10n ** 18n }, /Only 999975 USDC can be withdrawn/);
  await refuses({ minimumOutput: 25_000_000n }, /details\.currencyOut\.minimumAmount/);
  const { account, trust } = withdrawal();
  await refuses({ trust: { ...trust, solvers: [account.address] } }, /orderData\.solver/);
});

test("a service that pays an attacker: is refused before a signature", async () => {
  const attacker = "00000000000000000000000000000000000bad00";
  const user = withdrawal().account.address.slice(2);
  const hostile = createClient({
    baseUrl: emulator.info.apiUrl,
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      const body = await answer.json();
      const { output } = body.protocol.v2.orderData;
      output.payments[0].recipient = output.payments[0].recipient.replace(new RegExp(user, "i"), attacker);
      return Response.json(body);
    },
  });
  await refuses({}, /QUOTE_ORDER_ID|orderId/, hostile);
});
