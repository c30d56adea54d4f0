import { expect } from "chai";
import { type Address, encodeFunctionData, type Hex } from "viem";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import { getStatus, type Quote, type TradeType } from "../../../src/client/index.ts";
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
  recipient,
  requestIdOf,
  sendAs,
  type TestSymbol,
} from "../../helpers/quotes/intents.ts";
import { fresh, orderIdOf } from "../../helpers/requests/failureStage.ts";

describe("intents whose market moves between quote and fill", () => {
  const fixture = useEmulator();

  const received = async (symbol: "ETH" | "USDC" | "USDT" | "WETH") =>
    fixture.beta.balanceOf(fixture.beta.currency(symbol), recipient);

  it("a quote follows the pool where it and the price table differ", async () => {
    const wanted = { from: "USDC", to: "WETH" } as const;
    const before = BigInt((await quoteFor(fixture, wanted)).details.currencyOut.amount);
    await movePool(fixture.beta, "USDC", "WETH", 4n);
    const after = BigInt((await quoteFor(fixture, wanted)).details.currencyOut.amount);
    expect(after < (before * 97n) / 100n && after > (before * 95n) / 100n).to.equal(true);
  });

  // @spec calls/revalidated
  it("a fill below the minimum output is not sent, and the deposit is refunded with SLIPPAGE", async () => {
    for (const tradeType of ["EXACT_INPUT", "EXPECTED_OUTPUT", "EXACT_OUTPUT"] as const) {
      const quote = await quoteFor(fixture, {
        from: "USDC",
        slippageTolerance: "50",
        to: "USDT",
        tradeType,
      });
      await movePool(fixture.beta, "USDC", "USDT", 2n);
      const before = await received("USDT");
      const { failReason, status } = await endOf(fixture, quote);
      expect([status, failReason], tradeType).to.deep.equal(["refund", "SLIPPAGE"]);
      expect(await received("USDT")).to.equal(before);
    }
  });

  it("within the slippage: fills less of a variable output, and refunds a fixed one that costs more than the deposit", async () => {
    const varying = await quoteFor(fixture, { from: "USDC", slippageTolerance: "500", to: "WETH" });
    await movePool(fixture.beta, "USDC", "WETH", 2n);
    const before = await received("WETH");
    await carryOut(fixture, varying);
    const gained = (await received("WETH")) - before;
    const { amount, minimumAmount } = varying.details.currencyOut;
    expect(gained < BigInt(amount) && gained >= BigInt(minimumAmount ?? 0)).to.equal(true);

    const fixed = await quoteFor(fixture, {
      from: "USDC",
      slippageTolerance: "500",
      to: "USDT",
      tradeType: "EXACT_OUTPUT",
    });
    await movePool(fixture.beta, "USDC", "USDT", 2n);
    const start = await received("USDT");
    const { failReason, status } = await endOf(fixture, fixed);
    expect([status, failReason]).to.deep.equal(["refund", "SLIPPAGE"]);
    expect(await received("USDT")).to.equal(start);
  });

  it("an origin swap below its minimum reverts the user's deposit, and the request waits", async () => {
    const quote = await quoteFor(fixture, { from: "USDT", slippageTolerance: "50", to: "USDC" });
    await movePool(fixture.alpha, "USDT", "USDC", 3n);
    const error = await failureOf(carryOut(fixture, quote));
    expect(error).to.be.instanceOf(TransactionRevertedError);
    const { status } = await getStatus(fixture.client, { requestId: requestIdOf(quote) });
    expect(status).to.equal("waiting");
  });

  it("a same-chain swap whose user transaction reverts ends in failure, with one hash on both sides", async () => {
    const quote = await quoteFor(fixture, {
      from: "USDC",
      sameChain: true,
      slippageTolerance: "10",
      to: "WETH",
    });
    await movePool(fixture.alpha, "USDC", "WETH", 3n);
    await carryOut(fixture, quote).catch((error: unknown) => {
      if (!(error instanceof TransactionRevertedError)) throw error;
    });
    const status = await finalStatus(fixture, requestIdOf(quote));
    expect([status.status, status.failReason]).to.deep.equal(["failure", "TRANSACTION_REVERTED"]);
    expect(status.inTxHashes).to.have.length(1);
    expect(status.inTxHashes).to.deep.equal(status.txHashes);
  });
});

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
});
