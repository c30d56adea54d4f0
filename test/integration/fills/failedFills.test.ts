import { expect } from "chai";
import { type Hex, parseUnits } from "viem";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { setCode } from "../../helpers/localChain.ts";
import { endOf } from "../../helpers/quotes/intents.ts";
import {
  deposit,
  fresh,
  idOf,
  orderIdOf,
  quoteOf,
  quoteRevokedAllowance,
  refunded,
  replay,
  revertFill,
  reverting,
} from "../../helpers/requests/failureStage.ts";
import { historyOf } from "../../helpers/requests/requestHistory.ts";

describe("fills that fail", () => {
  const fixture = useEmulator();

  // @spec error/allowance calls/revalidated
  it("names the user's call that reverts in a fill, and decodes its error", async () => {
    const { approve, quote } = await quoteRevokedAllowance(fixture);
    await deposit(fixture, orderIdOf(quote));
    const history = await refunded(fixture, quote);
    expect(history.failReason).to.equal("TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE");
    expect(history.details).to.match(/InsufficientAllowance/);
    // The replay runs on the state of the failed fill, whatever has changed since.
    await approve(5_000_000n);
    expect(await replay(fixture.beta, history)).to.equal(history.details);
    expect(history.events.map(({ status }) => status)).to.deep.equal([
      ...["waiting", "pending", "pending", "refund"],
    ]);
  });

  it("reports a fill that was mined and reverted, with its transaction and block", async () => {
    const quote = await quoteOf(fixture);
    await revertFill(fixture, quote);
    const history = await refunded(fixture, quote);
    const [fill, refund] = history.transactions;
    expect([history.failReason, fill?.state, refund?.state]).to.deep.equal([
      ...["TRANSACTION_REVERTED", "reverted", "mined"],
    ]);
    const receipt = await fixture.beta.reader.getTransactionReceipt({ hash: fill?.hash as Hex });
    expect([history.failedTxHash, history.failedTxBlockNumber]).to.deep.equal([
      fill?.hash,
      Number(receipt.blockNumber),
    ]);
    expect(BigInt(fill?.fee ?? 0)).to.equal(receipt.gasUsed * receipt.effectiveGasPrice);
    expect(await replay(fixture.beta, history)).to.equal(history.details);
  });

  it("swaps a refund back to the paid currency, or pays the deposit's currency where the swap costs more than the slippage", async () => {
    const { alpha, beta, emulator } = fixture;
    // The pool keeps 30 basis points of the swap back.
    for (const [slippageTolerance, paidIn] of [
      ["200", "USDT"],
      ["20", "USDC"],
    ] as const) {
      const [recipient, refundTo] = [fresh(), fresh()];
      const quote = await quoteOf(fixture, {
        amount: parseUnits("500", 6),
        originCurrency: alpha.currency("USDT"),
        recipient,
        refundTo,
        slippageTolerance,
      });
      await setCode(beta, recipient, reverting);
      const { failReason, status } = await endOf(fixture, quote);
      expect([status, failReason]).to.deep.equal(["refund", "DESTINATION_TOKEN_TRANSFER_REJECTED"]);
      for (const symbol of ["USDC", "USDT"] as const) {
        const back = await alpha.balanceOf(alpha.currency(symbol), refundTo);
        if (symbol === paidIn) expect(back > parseUnits("490", 6), slippageTolerance).to.equal(true);
        else expect(back, slippageTolerance).to.equal(0n);
      }
      const { details } = await historyOf(emulator, idOf(quote));
      expect(/^REVERSE_SWAP_FAILED/.test(details ?? "")).to.equal(paidIn === "USDC");
    }
  });
});
