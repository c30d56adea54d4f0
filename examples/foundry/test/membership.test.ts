import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { trustOfEmulator } from "@waybill/emulator";
import { startTestEmulator, type TestEmulator } from "@waybill/emulator/testing";
import { type Abi, type Address, erc20Abi, type Hex, pad, parseUnits } from "viem";
import { getQuote, getSignature } from "waybill/client";
import { verifyQuote } from "waybill/execute";

const run = promisify(execFile);
const fee = parseUnits("25", 6);
const treasury: Address = "0x00000000000000000000000000000000000a11ce";
let emulator: TestEmulator;
before(async () => {
  emulator = await startTestEmulator();
});
after(() => emulator.stop());

/** Runs tests of forge. Its npm command ends with 0 even if a test fails, so the summary decides. */
async function forgeTest(flags: readonly string[], count: number, environment = {}) {
  const env = { ...process.env, ...environment };
  const { stderr, stdout } = await run("forge", ["test", "--offline", ...flags], { env });
  assert.match(stdout, new RegExp(`: ${count} tests passed, 0 failed, 0 skipped`), stdout + stderr);
}

/** Quotes 25 USDC from a member to the treasury on the other chain, and fetches the solver's signature. */
async function quoteFee() {
  const { client, destination, info, origin } = emulator;
  const request = {
    amount: fee,
    destinationChainId: destination.info.id,
    destinationCurrency: destination.currency("USDC"),
    originChainId: origin.info.id,
    originCurrency: origin.currency("USDC"),
    recipient: treasury,
    tradeType: "EXACT_INPUT",
    refundTo: origin.wallet(0).account.address,
    user: origin.wallet(0).account.address,
  } as const;
  const quote = await getQuote(client, request);
  const minimumOutput = parseUnits("24", 6);
  // The record does not sign the output; the order of the same request does.
  await verifyQuote({ minimumOutput, quote, request, trust: trustOfEmulator(info) });
  const { id } = emulator.request(quote);
  const { signature } = await getSignature(client, { requestId: id });
  return { expected: BigInt(quote.details.currencyOut.amount), id, signature: signature as Hex };
}

test("the contracts alone, with the kit's solver: accept exactly what it signed", async () => {
  await forgeTest(["--no-match-path", "test/fork/*"], 8);
});

test("a record of the service and one of the kit, in forge on forks of both chains: make a member", async () => {
  const { destination, info, origin } = emulator;
  const { id, signature } = await quoteFee();
  const environment = {
    DESTINATION_RPC_URL: destination.info.rpcUrl,
    FEE: `${fee}`,
    MEMBER: origin.wallet(0).account.address,
    ORIGIN_RPC_URL: origin.info.rpcUrl,
    REQUEST_ID: id,
    SIGNATURE: signature,
    SOLVER: info.solver,
    TOKEN: origin.currency("USDC"),
    TREASURY: treasury,
  };
  await forgeTest(["--match-path", "test/fork/*"], 2, environment);
});

test("the contract that forge built, on the service's chain: pays the treasury once, to the unit", async () => {
  const { destination, info, origin } = emulator;
  const { expected, id, signature } = await quoteFee();
  const { abi, bytecode }: { abi: Abi; bytecode: { object: Hex } } = JSON.parse(
    await readFile("out/Membership.sol/Membership.json", "utf8"),
  );
  const wallet = origin.wallet(0);
  const token = { abi: erc20Abi, address: origin.currency("USDC") };
  const args = [info.solver, token.address, fee, BigInt(destination.info.id), pad(treasury)];
  const mined = async (hash: Hex) => origin.reader.waitForTransactionReceipt({ hash });
  const { contractAddress } = await mined(
    await wallet.deployContract({ abi, args, bytecode: bytecode.object }),
  );
  assert.ok(contractAddress);
  await mined(
    await wallet.writeContract({ ...token, args: [contractAddress, fee], functionName: "approve" }),
  );
  const payment = [token.address, fee, id, BigInt(destination.info.id), pad(treasury), signature];
  const join = { abi, address: contractAddress, args: payment, functionName: "depositErc20" };
  const { status } = await mined(await wallet.writeContract(join));
  assert.equal(status, "success");

  const settled = await emulator.request(id).settled();
  assert.equal(settled.status, "success");
  assert.equal(settled.payments.length, 1);
  assert.equal(await destination.balanceOf(destination.currency("USDC"), treasury), expected);
});
