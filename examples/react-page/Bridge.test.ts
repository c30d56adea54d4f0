import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { trustOfEmulator } from "@waybill/emulator";
import { startTestEmulator, type TestEmulator } from "@waybill/emulator/testing";
import { erc20Abi, parseUnits } from "viem";
import type { PageSettings } from "./main.tsx";
import { openPage } from "./testing/openPage.ts";
import { testWallet } from "./testing/wallet.ts";

const user = 3;

let emulator: TestEmulator;
let wallet: ReturnType<typeof testWallet>;
let page: Awaited<ReturnType<typeof openPage>>;
before(async () => {
  emulator = await startTestEmulator();
  const { chains, destination, info, origin } = emulator;
  wallet = testWallet(chains, user);
  const settings: PageSettings = {
    apiUrl: info.apiUrl,
    chains: chains.map(({ info: { id, name, rpcUrl } }) => ({ id, name, rpcUrl })),
    from: { chainId: origin.info.id, currency: origin.currency("USDC") },
    to: { chainId: destination.info.id, currency: destination.currency("USDC") },
    trust: trustOfEmulator(info),
  };
  page = await openPage({ ethereum: wallet, settings });
});
after(() => emulator.stop());

/** USDC of the user on both chains. */
async function balances() {
  const { destination, origin } = emulator;
  const { address } = origin.wallet(user).account;
  const of = (chain: typeof origin) => chain.balanceOf(chain.currency("USDC"), address);
  return { arrived: await of(destination), paid: await of(origin) };
}

test("a wallet that rejects: the page says so, and nothing is paid", async () => {
  const before = await balances();
  await page.click(/Connect/);
  await page.click(/Quote/);
  wallet.isRejecting = true;
  await page.click(/Pay/);
  await page.find("[role=alert]", /The wallet refused step approve/);
  assert.deepEqual(await balances(), before);
});

test("a payment: the shown output arrives to the unit, and no allowance is left", async () => {
  const before = await balances();
  wallet.isRejecting = false;
  const { textContent } = await page.find("button", /Pay/);
  const [, paid = "", shown = ""] = /Pay ([\d.]+), receive ([\d.]+)/.exec(textContent) ?? [];
  await page.click(/Pay/);
  await page.find("[role=status]", /Arrived: 0x/);
  const after = await balances();
  assert.equal(before.paid - after.paid, parseUnits(paid, 6));
  assert.equal(after.arrived - before.arrived, parseUnits(shown, 6));
  const { info, origin } = emulator;
  const { depository } = info.chains[0]?.contracts ?? assert.fail();
  const args = [origin.wallet(user).account.address, depository] as const;
  const usdc = { abi: erc20Abi, address: origin.currency("USDC") };
  assert.equal(await origin.reader.readContract({ ...usdc, args, functionName: "allowance" }), 0n);
});
