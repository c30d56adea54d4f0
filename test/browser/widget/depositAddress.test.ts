import { expect } from "chai";
import type { Page } from "playwright-core";
import { type Address, formatUnits, isAddress } from "viem";
import {
  type DepositAddressStage,
  depositAddressStage,
  payer,
} from "../../helpers/requests/depositAddressStage.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";
import { expectLinks, reportOf, swap } from "./openBrowser.ts";
import type { Report } from "./page/settings.ts";
import { useWidget } from "./useWidget.ts";

type Symbol = "ETH" | "USDC";
const amounts = {
  ETH: { typed: "0.05", units: 50_000_000_000_000_000n },
  USDC: { typed: "50", units: 50_000_000n },
} as const;

describe("the service's React widget in Chromium, without a wallet", () => {
  const { fixture, holdingOf, open } = useWidget(payer);
  let stage: DepositAddressStage;
  before(() => {
    stage = depositAddressStage(fixture);
  });

  /** Opens the widget, and returns its deposit address as its button copies it. */
  async function askAddress(symbol: Symbol, recipient: Address): Promise<{ address: Address; page: Page }> {
    const page = await open({ from: ["alpha", symbol], to: ["beta", symbol] }, { recipient });
    await swap(page, amounts[symbol].typed, "input");
    await page.locator('svg[data-icon="copy"]').last().click();
    const address = await page.evaluate(() => navigator.clipboard.readText());
    expect(isAddress(address, { strict: false }), address).to.equal(true);
    await page.getByText(`${address.slice(0, 28)}...${address.slice(-4)}`).waitFor();
    return { address: address as Address, page };
  }

  const received = (symbol: Symbol, recipient: Address) => holdingOf(["beta", symbol], recipient);

  for (const symbol of ["ETH", "USDC"] as const) {
    it(`the shown amount of ${symbol} to the shown address: shows the success, and the shown output arrives`, async () => {
      const recipient = fresh();
      const { address, page } = await askAddress(symbol, recipient);
      await page.locator('svg[data-icon="qrcode"]').click();
      await page.locator("canvas").waitFor();
      await stage.pay(address, symbol, amounts[symbol].units);
      const report = await reportOf(page);
      expect(report).to.have.property("kind", "success");
      const done = report as Extract<Report, { kind: "success" }>;
      expect(done.steps).to.deep.equal(["deposit"]);
      expect(BigInt(done.amountIn)).to.equal(amounts[symbol].units);
      expect(await received(symbol, recipient)).to.equal(BigInt(done.amountOut));
      await expectLinks(page);
      await page.close();
    }).timeout(90_000);
  }

  it("half of the shown amount: shows the success of the new request, whose output arrives", async () => {
    const recipient = fresh();
    const { address, page } = await askAddress("USDC", recipient);
    await stage.pay(address, "USDC", amounts.USDC.units / 2n);
    expect(await reportOf(page)).to.have.property("kind", "success");
    const record = (await stage.requestsAt(address)).find(({ status }) => status === "success");
    const out = record?.data?.route?.actual?.destination?.outputCurrency?.amount;
    expect(BigInt(out ?? 0) > 0n).to.equal(true);
    expect(await received("USDC", recipient)).to.equal(BigInt(out ?? 0));
    await page.close();
  }).timeout(90_000);

  it("a failed fill, with lenient: shows the refund, which leaves the payer all but gas", async () => {
    const recipient = fresh();
    // The widget names no refundTo.
    await fixture.emulator.control.config.set({ lenient: true });
    const { address, page } = await askAddress("USDC", recipient);
    await fixture.emulator.control.faults.add({ failReason: "SLIPPAGE", kind: "fill-fails" });
    const held = await holdingOf(["alpha", "USDC"]);
    await stage.pay(address, "USDC", amounts.USDC.units);
    // The widget calls no handler for a failed deposit address.
    const shown = await page.getByText(/We've refunded [\d.]+ USDC on Alpha/).textContent();
    const lost = held - (await holdingOf(["alpha", "USDC"]));
    expect(lost >= 0n && lost < 1_000_000n, `${lost} units were lost`).to.equal(true);
    expect(shown).to.include(`refunded ${formatUnits(amounts.USDC.units - lost, 6)} USDC`);
    expect(await received("USDC", recipient)).to.equal(0n);
    await fixture.emulator.control.config.set({ lenient: false });
    await page.close();
  }).timeout(90_000);
});
