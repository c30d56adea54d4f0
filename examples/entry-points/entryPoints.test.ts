/** An integrator's program that uses every entry point of the installed packages. */
import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { type Emulator, startEmulator, trustOfEmulator } from "@waybill/emulator";
import { defineConfig, type WaybillConfig } from "@waybill/emulator/config";
import { startTestEmulator } from "@waybill/emulator/testing";
import waybill from "@waybill/hardhat";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import { type Abi, createWalletClient, http } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { approve, type Call, InvalidParameterError } from "waybill";
import { pinnedReceiverAbi } from "waybill/abi";
import { createClient, type GetQuoteParameters, getChains, getQuote } from "waybill/client";
import { execute } from "waybill/execute";
import { createQuoteGuard, guardProvider } from "waybill/guard";
import pinnedReceiver from "waybill/ignition/PinnedReceiver";
import { exchangeWithdrawal, parseExchangeAmount, signWithdrawal, verifyWithdrawal } from "waybill/perps";
import { proveQuote } from "waybill/prove";
import { decodeSvmAddress, svmNativeToken } from "waybill/svm";
import { nodeWebhook, signWebhook, verifyWebhook, WebhookInvalidError } from "waybill/webhooks";

const native = "0x0000000000000000000000000000000000000000";
const user = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

const approval: readonly Call[] = approve({ amount: 1n, spender: user, token: user });
assert.equal(approval[0]?.to, user);
assert.throws(() => approve({ amount: -1n, spender: user, token: user }), InvalidParameterError);

const abi: Abi = pinnedReceiverAbi;
assert.ok(abi.some((item) => item.type === "function"));

const guarded = guardProvider(
  { request: async () => null },
  createQuoteGuard({ policy: { bounds: "none" } }),
);
await assert.rejects(guarded.request({ method: "eth_sign", params: [] }), { code: 4100 });

assert.ok(pinnedReceiver.results.pinnedReceiver.dependencies);

assert.equal(parseExchangeAmount({ amount: "25.5", decimals: 8 }), 2_550_000_000n);
assert.equal(decodeSvmAddress({ address: svmNativeToken }), `0x${"00".repeat(32)}`);

const config: WaybillConfig = defineConfig({ privateKey: { env: "MY_KEY" }, url: "http://127.0.0.1:4000" });
assert.deepEqual(config.privateKey, { env: "MY_KEY" });

const headers = await signWebhook("{}", { secret: "key" });
await assert.rejects(verifyWebhook("{ }", headers, { secrets: ["key"] }), WebhookInvalidError);
const listener: RequestListener = nodeWebhook({ onEvent: () => undefined, secrets: ["key"] });
assert.equal(listener.length, 2);

// The emulator throws the library's classes: there is one copy.
await assert.rejects(startEmulator({ port: -1 }), InvalidParameterError);

const emulator: Emulator = await startEmulator({ chainPorts: [0, 0], perps: true, port: 0 });
try {
  const client = createClient({ baseUrl: emulator.info.apiUrl });
  const { chains } = await getChains(client);
  assert.ok(chains.some(({ id }) => id === 31337));
  const [rpcUrl] = chains.flatMap(({ httpRpcUrl, id }) => (id === 31337 && httpRpcUrl ? [httpRpcUrl] : []));
  const account = mnemonicToAccount("test test test test test test test test test test test junk");
  const request: GetQuoteParameters = {
    amount: 10n ** 16n,
    destinationChainId: 31338,
    destinationCurrency: native,
    originChainId: 31337,
    originCurrency: native,
    tradeType: "EXACT_INPUT",
    refundTo: account.address,
    user: account.address,
  };
  const quote = await getQuote(client, request);
  const verify = { minimumOutput: 9n * 10n ** 15n, trust: trustOfEmulator(emulator.info) };
  const { proven: isProven } = await proveQuote({ policy: verify, quote, request });
  assert.ok(isProven);
  const wallet = createWalletClient({ account, transport: http(rpcUrl) });
  const { status } = await execute(client, { quote, request, verify, wallet });
  assert.equal(status, "success");

  const withdrawal = exchangeWithdrawal({
    amount: 2_500_000_000n,
    destinationChainId: 31338,
    destinationCurrency: native,
    recipient: account.address,
    refundTo: account.address,
    user: account.address,
  });
  const withdrawalQuote = await getQuote(client, withdrawal);
  const proven = await verifyWithdrawal({
    ...verify,
    minimumOutput: 1n,
    quote: withdrawalQuote,
    request: withdrawal,
  });
  const { deposit } = await signWithdrawal({ account, withdrawal: proven });
  assert.equal(deposit.nonce, Number(proven.nonce));
} finally {
  await emulator.stop();
}

const tested = await startTestEmulator();
assert.equal(await tested.loadFixture(async () => tested.origin.currency("ETH")), native);
await tested.stop();

const { network } = await createHardhatRuntimeEnvironment({ plugins: [waybill] });
const connection = await network.create();
const bound = await connection.waybill.start();
assert.equal(bound.destination.info.id, 31337);
await connection.close();
