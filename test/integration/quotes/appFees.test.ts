import { expect } from "chai";
import { formatUnits, type Hex } from "viem";
import { getAppFeeBalances, type Quote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import {
  carryOut,
  endOf,
  fiftyDollars,
  quoteFor,
  requestIdOf,
  sendAs,
} from "../../helpers/quotes/intents.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";
import { historyOf, reached, until } from "../../helpers/requests/requestHistory.ts";

describe("app fees", () => {
  const fixture = useEmulator();

  /** Earnings of a wallet: chain, currency and smallest units. */
  async function earnedBy(wallet: Hex): Promise<(readonly [number, string, bigint])[]> {
    const { balances } = await getAppFeeBalances(fixture.client, { wallet });
    return balances.map(
      ({ amount = "0", currency }) =>
        [currency?.chainId ?? 0, currency?.symbol ?? "", BigInt(amount ?? 0)] as const,
    );
  }

  async function recordOf(quote: Quote) {
    const [key] = fixture.emulator.info.apiKeys;
    const url = `${fixture.emulator.info.apiUrl}/requests/v3?id=${requestIdOf(quote)}`;
    const answer = await fetch(url, { headers: { "x-api-key": key?.key ?? "" } });
    const { requests } = (await answer.json()) as {
      requests: { data: { appFees: { quoted: Fee[]; actual: Fee[]; currency: { symbol: string } } } }[];
    };
    return requests[0]?.data.appFees;
  }
  type Fee = { recipient: string; bps: string; amount: string; amountFormatted: string; amountUsd?: string };

  /** Worth of a quote's app fee in USDC, with ETH at a price in dollars. */
  function worthInUsdc({ fees }: Quote, etherPrice: string): bigint {
    const { amount = "0", currency } = fees.app ?? {};
    const isDollar = currency?.symbol === "USDC" || currency?.symbol === "USDT";
    return isDollar ? BigInt(amount) : (BigInt(amount) * BigInt(etherPrice)) / 10n ** 12n;
  }

  /** Pays a quote by a transfer of another amount to the depository. */
  async function payUsdc(quote: Quote, amount: bigint): Promise<void> {
    const { alpha } = fixture;
    const { depository } = alpha.info.contracts;
    const data = erc20Data("transfer", depository, amount);
    const orderId = quote.protocol?.v2?.orderId as Hex;
    await sendAs(alpha, 0, { data: `${data}${orderId.slice(2)}`, to: alpha.currency("USDC") });
  }

  // @spec endpoints/app-fees record-v3/app-fees-actual
  it("app fees are credited to each recipient when a request succeeds, to the unit, and not before", async () => {
    const [first, second] = [fresh(), fresh()];
    const appFees = [
      { fee: "100", recipient: first },
      { fee: "33", recipient: second },
      { fee: "7", recipient: first },
    ];
    const quote = await quoteFor(fixture, { appFees, from: "USDC", to: "ETH" });
    expect(await earnedBy(first)).to.deep.equal([]);
    await carryOut(fixture, quote);
    const paid = fiftyDollars("USDC");
    const shares = [100n, 33n, 7n].map((bps) => (paid * bps) / 10_000n) as [bigint, bigint, bigint];
    const { id } = fixture.alpha.info;
    expect(await earnedBy(first)).to.deep.equal([[id, "USDC", shares[0] + shares[2]]]);
    expect(await earnedBy(second)).to.deep.equal([[id, "USDC", shares[1]]]);
    expect(quote.fees.app?.amount).to.equal(shares.reduce((sum, share) => sum + share, 0n).toString());
    const record = await recordOf(quote);
    expect(record?.actual.map(({ amount, recipient }) => [recipient, amount])).to.deep.equal([
      [first, shares[0].toString()],
      [second, shares[1].toString()],
      [first, shares[2].toString()],
    ]);
  });

  // @spec record-v3/app-fees record-v3/app-fees-actual
  it("app fees accrue in USDC at the price of the success, and show the worth then and today", async () => {
    const recipient = fresh();
    const { prices } = fixture.emulator.control;
    const quote = await quoteFor(fixture, { appFees: [{ fee: "50", recipient }], from: "ETH", to: "ETH" });
    try {
      await prices.set({ ETH: "3000" });
      await carryOut(fixture, quote);
      await prices.set({ ETH: "1000", USDC: "0.5" });
      const earned = worthInUsdc(quote, "3000");
      expect((await earnedBy(recipient))[0]?.[2]).to.equal(earned);
      const record = await recordOf(quote);
      expect(record?.currency.symbol).to.equal("USDC");
      expect(record?.quoted[0]?.amount).to.equal(worthInUsdc(quote, "2500").toString());
      expect(record?.actual[0]).to.include({
        amount: earned.toString(),
        amountUsd: formatUnits(earned, 6).padEnd(8, "0"),
      });
      const { totalBalanceUsd } = await getAppFeeBalances(fixture.client, { wallet: recipient });
      expect(totalBalanceUsd).to.equal(Number(formatUnits(earned / 2n, 6)));
    } finally {
      await prices.set({ ETH: "2500", USDC: "1" });
    }
  });

  // @spec record-v3/app-fees
  it("app fees follow a larger deposit with a variable output, and are constant with a fixed output", async () => {
    const varying = fresh();
    const fixed = fresh();
    const more = fiftyDollars("USDC") * 2n;
    const first = await quoteFor(fixture, {
      appFees: [{ fee: "100", recipient: varying }],
      from: "USDC",
      to: "USDC",
    });
    await payUsdc(first, more);
    await reached(fixture.emulator, requestIdOf(first), "success");
    const quotedFirst = BigInt(first.fees.app?.amount ?? 0);
    expect((await earnedBy(varying))[0]?.[2]).to.equal(quotedFirst * 2n);
    const record = await recordOf(first);
    expect(record?.quoted[0]?.amount).to.equal(quotedFirst.toString());
    expect(record?.actual[0]?.amount).to.equal((quotedFirst * 2n).toString());
    expect(Number(record?.actual[0]?.amountUsd)).to.equal(Number(record?.actual[0]?.amountFormatted));

    const second = await quoteFor(fixture, {
      appFees: [{ fee: "100", recipient: fixed }],
      from: "USDC",
      to: "USDC",
      tradeType: "EXACT_OUTPUT",
    });
    await payUsdc(second, more);
    await reached(fixture.emulator, requestIdOf(second), "success");
    expect((await earnedBy(fixed))[0]?.[2].toString()).to.equal(second.fees.app?.amount);
  });

  it("a refunded deposit, and a second deposit, credit no app fees", async () => {
    const recipient = fresh();
    const appFees = [{ fee: "100", recipient }];
    const quote = await quoteFor(fixture, { appFees, from: "USDC", to: "USDC" });
    await payUsdc(quote, fiftyDollars("USDC") - 1n);
    await reached(fixture.emulator, requestIdOf(quote), "refund");
    expect(await earnedBy(recipient)).to.deep.equal([]);
    expect((await recordOf(quote))?.actual).to.deep.equal([]);
    const paidTwice = await quoteFor(fixture, { appFees, from: "USDC", to: "USDC" });
    expect((await endOf(fixture, paidTwice)).status).to.equal("success");
    const once = await earnedBy(recipient);
    await payUsdc(paidTwice, fiftyDollars("USDC"));
    const child = await until(
      async () => (await historyOf(fixture.emulator, requestIdOf(paidTwice))).children[0],
      "the second deposit",
    );
    await reached(fixture.emulator, child.requestId, "refund");
    expect(await earnedBy(recipient)).to.deep.equal(once);
  });

  // @spec endpoints/app-fees
  it("app fee balances are in dollars, and an account without fees has none", async () => {
    const recipient = fresh();
    const quote = await quoteFor(fixture, {
      appFees: [{ fee: "1000", recipient }],
      from: "USDC",
      to: "USDC",
    });
    await carryOut(fixture, quote);
    const { availableBalanceUsd, balances, totalBalanceUsd } = await getAppFeeBalances(fixture.client, {
      wallet: recipient.toUpperCase().replace("0X", "0x"),
    });
    expect(totalBalanceUsd).to.equal(Number(quote.fees.app?.amountUsd));
    expect(availableBalanceUsd).to.equal(totalBalanceUsd);
    expect(balances[0]?.amountUsd).to.equal(quote.fees.app?.amountUsd);
    const nothing = await getAppFeeBalances(fixture.client, { wallet: fresh() });
    expect(nothing).to.include({ totalBalanceUsd: 0 });
    expect(nothing.balances).to.deep.equal([]);
  });
});
