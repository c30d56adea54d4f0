import { expect } from "chai";
import { HttpError } from "../../../src/errors/HttpError.ts";
import { requestV2Schema } from "../../../src/schema/record/requestV2.ts";
import { requestSchema } from "../../../src/schema/record/requestV3.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { carryOut, endOf, movePool, quoteFor, symbols, type Wanted } from "../../helpers/quotes/intents.ts";
import { asIntegrator, recordOf } from "../../helpers/quotes/sponsors.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";

describe("fixed rates", () => {
  const fixture = useEmulator({}, { each: true });
  const dollars = (symbol: string) => (symbol === "ETH" || symbol === "WETH" ? 2_500n : 1n);
  const units = (symbol: string) => 10n ** (symbol === "ETH" || symbol === "WETH" ? 18n : 6n);

  for (const from of ["ETH", "USDC"] as const) {
    it(`${from} to any currency: the output is the oracle's price less the spread, to the unit, and arrives`, async () => {
      const as = asIntegrator(fixture);
      for (const to of symbols) {
        const recipient = fresh();
        const quote = await quoteFor(as, { fixedRate: "30", from, recipient, to });
        const { currencyIn, currencyOut, isFixedRate } = quote.details;
        const kept = (BigInt(currencyIn.amount) * 9_970n) / 10_000n;
        const expected = (kept * dollars(from) * units(to)) / (units(from) * dollars(to));
        expect(currencyOut, `${from} ${to}`).to.include({
          amount: expected.toString(),
          minimumAmount: expected.toString(),
        });
        expect(isFixedRate).to.equal(true);
        await carryOut(as, quote);
        expect(await fixture.beta.balanceOf(fixture.beta.currency(to), recipient)).to.equal(expected);
      }
    });
  }

  it("a pool that moved by a quarter before a fixed rate: the quote is refused with SWAP_IMPACT_TOO_HIGH", async () => {
    await movePool(fixture.beta, "USDC", "WETH", 13n);
    const wanted: Wanted = { amount: 50_000_000_000n, fixedRate: "0", from: "USDC", to: "WETH" };
    const refused = quoteFor(asIntegrator(fixture), { ...wanted, overridePriceImpact: true });
    expect(await failureOf(refused)).to.include({ errorCode: "SWAP_IMPACT_TOO_HIGH", status: 400 });
  });

  it("a pool that moves by three percent after a fixed rate: the deposit is refunded with SLIPPAGE", async () => {
    const as = asIntegrator(fixture);
    const wanted: Wanted = { amount: 500_000_000n, fixedRate: "30", from: "USDC", to: "WETH" };
    const quote = await quoteFor(as, wanted);
    await movePool(fixture.beta, "USDC", "WETH", 3n);
    expect(await endOf(as, quote)).to.include({ failReason: "SLIPPAGE", status: "refund" });
  });

  it("a deposit after five minutes: is refunded, even if the request asks for a longer time", async () => {
    const as = asIntegrator(fixture);
    const quote = await quoteFor(as, { fixedRate: "30", from: "USDC", to: "USDC", ttl: 3_600 });
    await fixture.emulator.control.clock.advance(301_000);
    expect(await endOf(as, quote)).to.include({ failReason: "TTL_EXPIRED", status: "refund" });
  });

  // @spec record-v3/oracle-price record-v3/oracle-price-form
  it("records: have the oracle's price and the feature, and no others do", async () => {
    const as = asIntegrator(fixture);
    const quote = await quoteFor(as, { fixedRate: "30", from: "ETH", to: "USDC" });
    const { data, features } = requestSchema.parse(await recordOf(fixture.emulator, quote, "v3"));
    const { amount } = quote.details.currencyIn;
    const worth = (BigInt(amount) * 2_500n) / 10n ** 12n;
    expect(data?.quoteOraclePrice).to.deep.include({ rate: "2500" });
    expect(data?.quoteOraclePrice?.inputCurrency?.amount).to.equal(amount);
    expect(data?.quoteOraclePrice?.outputCurrency?.amount).to.equal(worth.toString());
    expect(Date.parse(data?.quoteOraclePrice?.observedAt ?? "")).to.be.closeTo(Date.now(), 60_000);
    expect(features).to.deep.equal(["fixed_rate"]);
    const v2 = requestV2Schema.parse(await recordOf(fixture.emulator, quote, "v2"));
    expect(v2.data?.metadata?.quoteOraclePrice).to.include({
      inputAmount: amount,
      outputAmount: worth.toString(),
      rate: "2500",
    });
    const market = await quoteFor(as, { from: "ETH", to: "USDC" });
    expect(requestSchema.parse(await recordOf(fixture.emulator, market, "v3")).data).to.have.property(
      "quoteOraclePrice",
      null,
    );
    expect(market.details).to.include({ isFixedRate: false }).and.not.have.property("fixedRateFee");
  });

  it("rejects a fixed rate without a key, another form, an input that must be swapped, and a top-up", async () => {
    const as = asIntegrator(fixture);
    const refusal = async (by: typeof fixture, wanted: Wanted) => {
      const error = await failureOf(quoteFor(by, wanted));
      if (!(error instanceof HttpError)) throw error;
      return [error.status, error.errorCode];
    };
    const usdc = { fixedRate: "30", from: "USDC", to: "USDC" } as const;
    expect(await refusal(fixture, usdc)).to.deep.equal([401, "UNAUTHORIZED"]);
    const unsupported: readonly Wanted[] = [
      ...["10000", "-1", "0.3", "", "fast"].map((fixedRate) => ({ ...usdc, fixedRate })),
      { ...usdc, from: "USDT" },
      { ...usdc, topupGas: true },
      { ...usdc, useDepositAddress: true },
    ];
    for (const wanted of unsupported) {
      expect(await refusal(as, wanted), JSON.stringify(wanted)).to.deep.equal([
        400,
        "UNSUPPORTED_EXECUTION_TYPE",
      ]);
    }
    expect(await refusal(as, { ...usdc, amount: 1n, fixedRate: "9999" })).to.deep.equal([
      400,
      "AMOUNT_TOO_LOW",
    ]);
  });
});
