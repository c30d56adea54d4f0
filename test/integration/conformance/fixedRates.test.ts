import { expect } from "chai";
import type { Quote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { carryOut, endOf, quoteFor, refusalOf, sendAs, type Wanted } from "../../helpers/quotes/intents.ts";
import { newSponsor, sponsorshipOf } from "../../helpers/quotes/sponsors.ts";
import { fresh, idOf } from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";

describe("a quote with a fixedRate of input to output", () => {
  const fixture = useEmulator({}, { each: true });
  const balance = 100_000_000n;
  /** The published sample: a hundred dollars of USDC to USDT on another chain. */
  const sample = {
    amount: 100_000_000n,
    fixedRate: "1:1",
    from: "USDC",
    subsidizeFees: true,
    to: "USDT",
    tradeType: "EXACT_INPUT",
  } as const satisfies Wanted;
  const outputOf = (quote: Quote) => BigInt(quote.details.currencyOut.amount);

  for (const [market, price] of [
    ["at par", "1"],
    ["dearer than par", "1.0005"],
    ["cheaper than par", "0.9"],
  ] as const) {
    it(`of 1:1, with USDT ${market}: a hundred dollars arrive, and the sponsor pays what that costs`, async () => {
      await fixture.emulator.control.prices.set({ USDT: price });
      const { as, id } = await newSponsor(fixture, balance);
      const recipient = fresh();
      const quote = await quoteFor(as, { ...sample, recipient });
      expect(quote.details).to.include({ isFixedRate: true, rate: "1" });
      expect(quote.details.currencyOut).to.include({ amount: "100000000", minimumAmount: "100000000" });
      const { sponsoredTotal, userPaysTotal } = sponsorshipOf(quote);
      const parts = [quote.fees.relayerGas, quote.fees.relayerService].map((fee) => BigInt(fee?.amount ?? 0));
      const spent = BigInt(quote.details.route?.destination?.inputCurrency?.amount ?? 0);
      const paid = BigInt(sponsoredTotal?.amount ?? 0);
      // The deposit and the sponsor pay for the pool and the fees, to the unit.
      expect(100_000_000n + paid).to.equal(parts.reduce((sum, part) => sum + part, spent));
      expect(paid > 0n).to.equal(market !== "cheaper than par");
      await carryOut(as, quote);
      expect(await fixture.beta.balanceOf(fixture.beta.currency("USDT"), recipient)).to.equal(100_000_000n);
      expect(await fixture.emulator.control.sponsors.get(id)).to.equal(balance - paid);
      if (market === "at par") expect(userPaysTotal?.amount).to.equal("0");
    });
  }

  it("of 1:1.0005: 99.95 dollars arrive for a hundred, and a fixed output costs the least input that gives it", async () => {
    const { as } = await newSponsor(fixture, balance);
    const wanted = { ...sample, fixedRate: "1:1.0005" };
    expect(outputOf(await quoteFor(as, wanted))).to.equal(99_950_024n);
    const exact = await quoteFor(as, { ...wanted, amount: 99_950_024n, tradeType: "EXACT_OUTPUT" });
    const input = BigInt(exact.details.currencyIn.amount);
    expect((input * 10_000n) / 10_005n).to.equal(99_950_024n);
    expect(((input - 1n) * 10_000n) / 10_005n < 99_950_024n).to.equal(true);
  });

  it("a sponsor with a micro-dollar too little: the deposit is refunded, and nothing is charged", async () => {
    const { as, id } = await newSponsor(fixture, balance);
    const quote = await quoteFor(as, sample);
    const least = BigInt(sponsorshipOf(quote).sponsoredTotal?.amount ?? 0) - 1n;
    await fixture.emulator.control.sponsors.set({ amount: least, apiKeyId: id });
    expect(await endOf(as, quote)).to.include({ failReason: "SPONSOR_BALANCE_TOO_LOW", status: "refund" });
    expect(await fixture.emulator.control.sponsors.get(id)).to.equal(least);
  });

  it("a deposit one unit short: is refunded, and nothing is charged", async () => {
    const { as, id } = await newSponsor(fixture, balance);
    const quote = await quoteFor(as, sample);
    const { depository } = fixture.alpha.info.contracts;
    const data = erc20Data("transfer", depository, 99_999_999n);
    const orderId = quote.protocol?.v2?.orderId ?? "";
    await sendAs(fixture.alpha, 0, {
      data: `${data}${orderId.slice(2)}`,
      to: fixture.alpha.currency("USDC"),
    });
    await reached(fixture.emulator, idOf(quote), "refund");
    expect(await fixture.emulator.control.sponsors.get(id)).to.equal(balance);
  });

  it("without a sponsor, with a part of one, of other currencies than stable ones, or in another form: is refused", async () => {
    const { as } = await newSponsor(fixture, balance);
    const cases: readonly Wanted[] = [
      { ...sample, subsidizeFees: false },
      { ...sample, sponsoredFeeComponents: ["execution"] },
      { ...sample, maxSubsidizationAmount: "1" },
      { ...sample, to: "ETH" },
      { ...sample, fixedRate: "0:1" },
      { ...sample, fixedRate: "1:0" },
      { ...sample, fixedRate: "1:1:1" },
      { ...sample, fixedRate: "30" },
    ];
    for (const wanted of cases) {
      expect(
        await refusalOf(as, wanted),
        JSON.stringify(wanted, (_, value) => String(value)),
      ).to.equal("UNSUPPORTED_EXECUTION_TYPE");
    }
    expect(await failureOf(quoteFor(fixture, sample))).to.include({ errorCode: "UNAUTHORIZED" });
  });
});
