import { expect } from "chai";
import { type Address, encodeFunctionData, type Hex } from "viem";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import type { Quote, TradeType } from "../../../src/client/index.ts";
import { TransactionRevertedError } from "../../../src/execute/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import {
  carryOut,
  endOf,
  fiftyDollars,
  finalStatus,
  movePool,
  quoteFor,
  requestIdOf,
  sendAs,
  type TestSymbol,
} from "../../helpers/quotes/intents.ts";
import { fresh, orderIdOf } from "../../helpers/requests/failureStage.ts";

describe("a deposit below the quote's, where the user's transaction swaps", () => {
  const fixture = useEmulator();

  const quoted = (tradeType: TradeType, to: TestSymbol, slippageTolerance?: string): Promise<Quote> =>
    quoteFor(fixture, {
      from: "USDT",
      recipient: fresh(),
      to,
      tradeType,
      ...(slippageTolerance !== undefined && { slippageTolerance }),
    });

  const expectedDeposit = ({ details }: Quote) => BigInt(details.route?.origin?.outputCurrency?.amount ?? 0n);
  const leastDeposit = ({ protocol }: Quote) => BigInt(protocol?.v2?.paymentDetails?.amount ?? 0n);

  /** Deposits USDC under the quote's orderId without the quote's transaction, and returns the request's end. */
  async function deposit(quote: Quote, amount: bigint) {
    const { alpha } = fixture;
    const { depository } = alpha.info.contracts;
    const token = alpha.currency("USDC");
    await sendAs(alpha, 0, { data: erc20Data("approve", depository, amount), to: token });
    const data = encodeFunctionData({
      abi: relayDepositoryAbi,
      args: [alpha.wallet(0).account.address, token, amount, orderIdOf(quote) as Hex],
      functionName: "depositErc20",
    });
    await sendAs(alpha, 0, { data, to: depository });
    return finalStatus(fixture, requestIdOf(quote));
  }

  const received = ({ details }: Quote, to: TestSymbol) =>
    fixture.beta.balanceOf(fixture.beta.currency(to), details.recipient as Address);

  for (const slippage of [undefined, "5000", "10000"]) {
    const named = slippage === undefined ? "the default slippage" : `${slippage} basis points of slippage`;
    for (const to of ["USDC", "ETH"] as const) {
      it(`an exact output of ${to} with ${named}: one unit less is refunded, and the quoted deposit delivers it`, async () => {
        const quote = await quoted("EXACT_OUTPUT", to, slippage);
        const needed = expectedDeposit(quote);
        expect(leastDeposit(quote)).to.equal(needed);
        const tolerated = slippage === "10000" ? 5_000n : 10_000n - BigInt(slippage ?? 200);
        for (const amount of [(needed * tolerated) / 10_000n + 1n, needed - 1n]) {
          const underpaid = await quoted("EXACT_OUTPUT", to, slippage);
          // The pool did not move: every quote is the same.
          expect(expectedDeposit(underpaid)).to.equal(needed);
          const { failReason, status } = await deposit(underpaid, amount);
          expect([status, failReason]).to.deep.equal(["refund", "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL"]);
          expect(await received(underpaid, to)).to.equal(0n);
        }
        expect((await deposit(quote, needed)).status).to.equal("success");
        expect(await received(quote, to)).to.equal(fiftyDollars(to));
      });
    }

    it(`an expected output with ${named}: a smaller deposit delivers less than it is worth, or is refunded`, async () => {
      const quote = await quoted("EXPECTED_OUTPUT", "USDC", slippage);
      const least = leastDeposit(quote);
      const low = await quoted("EXPECTED_OUTPUT", "USDC", slippage);
      if (least > 1n) {
        const { failReason, status } = await deposit(low, least - 1n);
        expect([status, failReason]).to.deep.equal(["refund", "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL"]);
        expect(await received(low, "USDC")).to.equal(0n);
      }
      // Rounding may take the output of the least deposit one unit below its minimum.
      const paid = least > 1n ? least + 2n : 1_000_000n;
      expect((await deposit(quote, paid)).status).to.equal("success");
      const got = await received(quote, "USDC");
      expect(got > 0n && got < paid, `${got} for ${paid}`).to.equal(true);
    });
  }

  it("an exact output whose origin pool moves within the slippage: is delivered, and the user pays the pool's price", async () => {
    for (const routerVersion of ["v3", "v2.1"] as const) {
      await fixture.emulator.control.config.set({ routerVersion });
      for (const [sold, bought] of [
        ["USDT", "USDC"],
        ["USDC", "USDT"],
      ] as const) {
        const { alpha } = fixture;
        const quote = await quoted("EXACT_OUTPUT", "USDC", "500");
        await movePool(alpha, sold, bought, 2n);
        const user = alpha.wallet(0).account.address;
        const before = await alpha.balanceOf(alpha.currency("USDT"), user);
        await carryOut(fixture, quote);
        const paid = before - (await alpha.balanceOf(alpha.currency("USDT"), user));
        const spent = BigInt(quote.details.route?.origin?.inputCurrency?.amount ?? 0n);
        expect(sold === "USDT" ? paid > spent : paid < spent, `${paid} and ${spent}`).to.equal(true);
        expect(paid <= BigInt(quote.details.currencyIn.amount)).to.equal(true);
        expect(await received(quote, "USDC")).to.equal(fiftyDollars("USDC"));
      }
    }
    await fixture.emulator.control.config.set({ routerVersion: "v3" });
  });

  it("an exact output whose origin pool moves beyond the slippage: the user's transaction reverts", async () => {
    const quote = await quoted("EXACT_OUTPUT", "USDC", "50");
    await movePool(fixture.alpha, "USDT", "USDC", 3n);
    expect(await failureOf(carryOut(fixture, quote))).to.be.instanceOf(TransactionRevertedError);
    expect(await received(quote, "USDC")).to.equal(0n);
  });

  it("an exact output without any slippage: the quoted pool takes exactly the payment", async () => {
    const quote = await quoted("EXACT_OUTPUT", "USDC", "0");
    expect(quote.details.currencyIn.amount).to.equal(quote.details.route?.origin?.inputCurrency?.amount);
    expect((await endOf(fixture, quote)).status).to.equal("success");
    expect(await received(quote, "USDC")).to.equal(fiftyDollars("USDC"));
  });
});
