import { expect } from "chai";
import { getStatus } from "../../../src/client/index.ts";
import { TransactionRevertedError } from "../../../src/execute/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import {
  carryOut,
  endOf,
  finalStatus,
  movePool,
  quoteFor,
  recipient,
  requestIdOf,
} from "../../helpers/quotes/intents.ts";

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

  it("delivers more of a variable output when the pool's price improved", async () => {
    const quote = await quoteFor(fixture, { from: "USDC", to: "USDT" });
    await movePool(fixture.beta, "USDT", "USDC", 4n);
    const before = await received("USDT");
    await carryOut(fixture, quote);
    expect((await received("USDT")) - before > BigInt(quote.details.currencyOut.amount)).to.equal(true);
  });

  it("an origin swap below its minimum reverts the user's deposit, and the request waits", async () => {
    const quote = await quoteFor(fixture, { from: "USDT", slippageTolerance: "50", to: "USDC" });
    await movePool(fixture.alpha, "USDT", "USDC", 3n);
    const error = await failureOf(carryOut(fixture, quote));
    expect(error).to.be.instanceOf(TransactionRevertedError);
    const { status } = await getStatus(fixture.client, { requestId: requestIdOf(quote) });
    expect(status).to.equal("waiting");
  });

  it("fills less when an origin swap returns less, within the slippage", async () => {
    const quote = await quoteFor(fixture, { from: "USDT", slippageTolerance: "500", to: "USDC" });
    await movePool(fixture.alpha, "USDT", "USDC", 2n);
    const before = await received("USDC");
    await carryOut(fixture, quote);
    const gained = (await received("USDC")) - before;
    const { amount, minimumAmount } = quote.details.currencyOut;
    expect(gained < BigInt(amount) && gained >= BigInt(minimumAmount ?? 0)).to.equal(true);
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
