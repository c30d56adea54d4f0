import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { trustOfEmulator } from "@waybill/emulator";
import { startTestEmulator, type TestEmulator } from "@waybill/emulator/testing";
import { ethers } from "ethers";
import { createClient } from "waybill/client";
import { type Bridge, bridge, explain, type Saved } from "./bridge.ts";

let emulator: TestEmulator;
let provider: ethers.JsonRpcProvider;
before(async () => {
  emulator = await startTestEmulator();
  provider = new ethers.JsonRpcProvider(emulator.origin.info.rpcUrl, undefined, { cacheTimeout: -1 });
});
after(async () => {
  provider.destroy();
  await emulator.stop();
});

const errorOf = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => assert.fail("it passed"),
    (error) => error,
  );

/** 1 ETH on the first chain for at least 0.97 ETH on the second, to an account without any. */
function bridging(store: { saved?: Saved } = {}) {
  const { client, destination, info, origin } = emulator;
  const [account] = origin.info.accounts;
  assert.ok(account);
  const recipient = ethers.Wallet.createRandom().address;
  const parameters: Bridge = {
    client,
    load: async () => store.saved,
    policy: { minimumOutput: ethers.parseEther("0.97"), trust: trustOfEmulator(info) },
    request: {
      amount: ethers.parseEther("1"),
      destinationChainId: destination.info.id,
      destinationCurrency: ethers.ZeroAddress,
      originChainId: origin.info.id,
      originCurrency: ethers.ZeroAddress,
      recipient,
      tradeType: "EXACT_INPUT",
      refundTo: account.address,
      user: account.address,
    },
    save: async (saved) => {
      store.saved = saved;
    },
    signer: new ethers.Wallet(account.privateKey, provider),
    streamUrl: info.wsUrl,
  };
  const arrived = () => destination.reader.getBalance({ address: recipient as `0x${string}` });
  const sent = () => origin.reader.getTransactionCount({ address: account.address });
  return { arrived, parameters, sent, store };
}

test("1 ETH: arrives to the unit that was quoted", async () => {
  const { arrived, parameters, store } = bridging();
  const [fill] = await bridge(parameters);
  assert.match(fill ?? "", /^0x[0-9a-f]{64}$/);
  const { saved } = store;
  assert.ok(saved);
  assert.equal(await arrived(), BigInt(saved.quote.details.currencyOut.amount));
});

test("a crash after the payment was sent: the next run follows it, and pays nothing again", async () => {
  const { arrived, parameters, sent, store } = bridging();
  const before = await sent();
  const crash = async (saved: Saved) => {
    await parameters.save(saved);
    if (saved.state.items.some(({ status }) => status === "sent")) throw new Error("the power is out");
  };
  const error = await errorOf(bridge({ ...parameters, save: crash }));
  assert.match(String(error), /the power is out/);
  await bridge(parameters);
  assert.equal((await sent()) - before, 1);
  assert.ok(store.saved);
  assert.equal(await arrived(), BigInt(store.saved.quote.details.currencyOut.amount));
});

test("a quote with another recipient: is refused before the signer is asked", async () => {
  const { parameters, sent } = bridging();
  const before = await sent();
  const recipient = ethers.Wallet.createRandom().address;
  // A service that answers for another request than the one it was asked.
  const hostile = createClient({
    baseUrl: emulator.info.apiUrl,
    fetch: (input, init) =>
      fetch(input, { ...init, body: JSON.stringify({ ...JSON.parse(String(init?.body)), recipient }) }),
  });
  const error = await errorOf(bridge({ ...parameters, client: hostile }));
  assert.match(explain(error), /not what you asked for/);
  assert.equal(await sent(), before);
});

test("a fill that reverts: is refunded", async () => {
  const { arrived, parameters } = bridging();
  emulator.control.faults.add({ failReason: "TRANSACTION_REVERTED", kind: "fill-fails" });
  assert.equal(explain(await errorOf(bridge(parameters))), "Refunded: TRANSACTION_REVERTED.");
  assert.equal(await arrived(), 0n);
});
