import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { trustOfEmulator } from "@waybill/emulator";
import { startTestEmulator, type TestEmulator } from "@waybill/emulator/testing";
import { erc20Abi, type Hex, parseEther, parseUnits, zeroAddress } from "viem";
import { createClient } from "waybill/client";
import { explain, type Payment, pay } from "./pay.ts";

let emulator: TestEmulator;
let folder: string;
before(async () => {
  emulator = await startTestEmulator();
  folder = await mkdtemp(join(tmpdir(), "viem-script-"));
});
after(async () => {
  await emulator.stop();
  await rm(folder, { recursive: true });
});

const bill = parseEther("0.02");
const mostUsdc = parseUnits("60", 6);

/** A bill of 0.02 ETH on the second chain, paid by at most 60 USDC on the first. */
function payment(recipient: Hex): Payment {
  const { client, destination, info, origin } = emulator;
  const wallet = origin.wallet(0);
  return {
    client,
    folder,
    policy: { maximumInput: mostUsdc, trust: trustOfEmulator(info) },
    reader: origin.reader,
    request: {
      amount: bill,
      destinationChainId: destination.info.id,
      destinationCurrency: zeroAddress,
      originChainId: origin.info.id,
      originCurrency: origin.currency("USDC"),
      recipient,
      tradeType: "EXACT_OUTPUT",
      refundTo: wallet.account.address,
      user: wallet.account.address,
    },
    wallet,
  };
}

const usdcOfPayer = () =>
  emulator.origin.balanceOf(emulator.origin.currency("USDC"), emulator.origin.wallet(0).account.address);

test("a payment: arrives to the unit, and leaves no allowance", async () => {
  const { destination, info, origin } = emulator;
  const recipient = "0x00000000000000000000000000000000000a11ce";
  const before = await usdcOfPayer();
  const [fill] = await pay(payment(recipient));
  assert.match(fill ?? "", /^0x[0-9a-f]{64}$/);
  assert.equal(await destination.balanceOf(zeroAddress, recipient), bill);
  assert.ok(before - (await usdcOfPayer()) <= mostUsdc);
  const { depository } = info.chains[0]?.contracts ?? assert.fail();
  const args = [origin.wallet(0).account.address, depository] as const;
  const usdc = { abi: erc20Abi, address: origin.currency("USDC") };
  assert.equal(await origin.reader.readContract({ ...usdc, args, functionName: "allowance" }), 0n);
});

test("a quote that pays an attacker: is refused before the wallet is asked", async () => {
  const { depository } = emulator.info.chains[0]?.contracts ?? assert.fail();
  const attacker = "0x00000000000000000000000000000000000bad00";
  const hostile = createClient({
    baseUrl: emulator.info.apiUrl,
    fetch: async (...parameters) => {
      const response = await fetch(...parameters);
      const text = (await response.text()).replaceAll(
        new RegExp(depository.slice(2), "gi"),
        attacker.slice(2),
      );
      return new Response(text, response);
    },
  });
  const before = await usdcOfPayer();
  const error = await pay({
    ...payment("0x00000000000000000000000000000000000a11ce"),
    client: hostile,
  }).catch((thrown: unknown) => thrown);
  assert.match(explain(error), /not what you asked for \(QUOTE_.*Nothing was signed/);
  assert.equal(await usdcOfPayer(), before);
});

test("a fill that reverts: is refunded", async () => {
  const before = await usdcOfPayer();
  emulator.control.faults.add({ failReason: "TRANSACTION_REVERTED", kind: "fill-fails" });
  const error = await pay(payment("0x0000000000000000000000000000000000000b0b")).catch(
    (thrown: unknown) => thrown,
  );
  assert.match(explain(error), /was refunded/);
  assert.ok(before - (await usdcOfPayer()) < parseUnits("1", 6));
});
