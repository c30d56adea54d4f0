import { expect } from "chai";
import { expectLinks, reportOf, swap } from "./openBrowser.ts";
import type { Report } from "./page/settings.ts";
import { type Pair, type Side, useWidget } from "./useWidget.ts";

type Wanted = Pair & {
  readonly amount: string;
  /** The side on which the amount is typed; the output is fixed if typed. */
  readonly side?: "input" | "output";
  readonly stream?: boolean;
  /** Steps that the widget executed. */
  readonly steps: readonly string[];
};

/** In this order: the account's first swap on each chain approves and deposits, its third on alpha is a direct transfer. */
const swaps: readonly Wanted[] = [
  { amount: "25.5", from: ["alpha", "USDC"], steps: ["approve", "deposit"], to: ["beta", "USDC"] },
  { amount: "0.5", from: ["alpha", "ETH"], steps: ["deposit"], stream: true, to: ["beta", "ETH"] },
  { amount: "30", from: ["alpha", "USDC"], steps: ["deposit"], to: ["beta", "USDC"] },
  { amount: "1.25", from: ["alpha", "ETH"], steps: ["swap"], to: ["alpha", "WETH"] },
  { amount: "0.75", from: ["alpha", "WETH"], steps: ["swap"], stream: true, to: ["alpha", "ETH"] },
  { amount: "0.1", from: ["alpha", "ETH"], steps: ["swap"], to: ["alpha", "USDC"] },
  { amount: "40", from: ["alpha", "USDT"], steps: ["approve", "deposit"], to: ["beta", "ETH"] },
  {
    amount: "60",
    from: ["alpha", "ETH"],
    side: "output",
    steps: ["deposit"],
    stream: true,
    to: ["beta", "USDC"],
  },
  { amount: "0.2", from: ["beta", "ETH"], steps: ["deposit"], stream: true, to: ["alpha", "ETH"] },
  { amount: "15", from: ["beta", "USDC"], steps: ["approve", "deposit"], to: ["alpha", "USDT"] },
];

describe("the service's React widget in Chromium, unmodified", () => {
  const { account, fixture, holdingOf, open } = useWidget(5);

  const nonceOf = (side: Side) => fixture[side].reader.getTransactionCount({ address: account() });

  /** Gas of the account's transactions on a chain since a nonce. */
  async function gasSince(side: Side, nonce: number): Promise<bigint> {
    const { reader } = fixture[side];
    const count = await nonceOf(side);
    let [spent, found] = [0n, 0];
    for (let block = await reader.getBlockNumber(); found < count - nonce; block--) {
      const { transactions } = await reader.getBlock({ blockNumber: block, includeTransactions: true });
      for (const { from, hash } of transactions) {
        if (from.toLowerCase() !== account().toLowerCase()) continue;
        const { effectiveGasPrice, gasUsed } = await reader.getTransactionReceipt({ hash });
        spent += effectiveGasPrice * gasUsed;
        found++;
      }
    }
    return spent;
  }

  /** Carries out a swap; returns the widget's report and the account's gain and payment. */
  async function carriedOut(wanted: Wanted) {
    const { from, stream = false, to } = wanted;
    const page = await open(wanted, stream ? { wsUrl: fixture.emulator.info.wsUrl } : {});
    const [held, got, nonce] = [await holdingOf(from), await holdingOf(to), await nonceOf(from[0])];
    await swap(page, wanted.amount, wanted.side ?? "input");
    const report = await reportOf(page);
    const gas = await gasSince(from[0], nonce);
    const paidGas = from[1] === "ETH" ? gas : 0n;
    const gainedGas = to[1] === "ETH" && to[0] === from[0] ? gas : 0n;
    return {
      gained: (await holdingOf(to)) - got + gainedGas,
      page,
      paid: held - (await holdingOf(from)) - paidGas,
      report,
    };
  }

  for (const [index, wanted] of swaps.entries()) {
    const { amount, from, side = "input", stream = false, to } = wanted;
    const how = `${stream ? "by stream" : "by polls"}, ${side} fixed`;
    it(`swap ${index + 1}: ${amount} of ${from.join(" ")} to ${to.join(" ")}, ${how}, moves the shown amounts`, async () => {
      const { gained, page, paid, report } = await carriedOut(wanted);
      expect(report).to.have.property("kind", "success");
      const done = report as Extract<Report, { kind: "success" }>;
      expect(done.steps).to.deep.equal(wanted.steps);
      expect(paid).to.equal(BigInt(done.amountIn));
      expect(gained).to.equal(BigInt(done.amountOut));
      await expectLinks(page);
      await page.close();
    }).timeout(90_000);
  }

  it("a failed fill, with lenient: shows the refund, which leaves the account all but gas", async () => {
    // The widget names no refundTo.
    await fixture.emulator.control.config.set({ lenient: true });
    await fixture.emulator.control.faults.add({ failReason: "SLIPPAGE", kind: "fill-fails" });
    const { page, paid, report } = await carriedOut({
      amount: "20",
      from: ["alpha", "USDC"],
      steps: ["deposit"],
      to: ["beta", "USDC"],
    });
    expect(report.kind).to.equal("error");
    await page
      .getByText(/refunded/i)
      .first()
      .waitFor();
    expect(paid >= 0n && paid < 1_000_000n, `${paid} units were lost`).to.equal(true);
    await fixture.emulator.control.config.set({ lenient: false });
    await page.close();
  }).timeout(90_000);

  it("a failed fill and refund: shows the failure", async () => {
    await fixture.emulator.control.faults.add({ failReason: "SLIPPAGE", kind: "fill-fails" });
    await fixture.emulator.control.faults.add({ kind: "refund-rejected" });
    const { page, paid, report } = await carriedOut({
      amount: "20",
      from: ["alpha", "USDC"],
      steps: ["deposit"],
      to: ["beta", "USDC"],
    });
    expect(report.kind).to.equal("error");
    expect(paid).to.equal(20_000_000n);
    await page
      .getByText(/failed|wrong|slippage/i)
      .first()
      .waitFor();
    await page.close();
  }).timeout(90_000);

  it("lists the currencies of both chains with their pictures in its selector", async () => {
    const page = await open({ from: ["alpha", "ETH"], to: ["beta", "ETH"] });
    await page.getByRole("button", { name: /ETH/ }).last().click();
    await page.getByText("USDT").first().waitFor();
    // Throws after the timeout: a picture that does not load stays without a width.
    await page.waitForFunction(() => {
      const images = [...document.querySelectorAll<HTMLImageElement>(`img[src*="/images/"]`)];
      return images.length > 3 && images.every(({ complete, naturalWidth }) => complete && naturalWidth > 0);
    });
    await page.close();
  }).timeout(60_000);
});
