import { expect } from "chai";
import { requestV2Schema } from "../../../src/schema/record/requestV2.ts";
import { requestSchema } from "../../../src/schema/record/requestV3.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { carryOut, endOf, quoteFor, type Wanted } from "../../helpers/quotes/intents.ts";
import { newSponsor, recordOf, sponsorshipOf } from "../../helpers/quotes/sponsors.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";

describe("records of sponsored requests", () => {
  const fixture = useEmulator();
  const start = 10n ** 9n;
  const wanted: Wanted = {
    appFees: [{ fee: "50", recipient: fresh() }],
    from: "USDC",
    maxSubsidizationAmount: "5000000",
    subsidizeFees: true,
    to: "USDT",
  };

  const v3 = async (quote: Parameters<typeof recordOf>[1]) =>
    requestSchema.parse(await recordOf(fixture.emulator, quote, "v3"));
  const v2 = async (quote: Parameters<typeof recordOf>[1]) =>
    requestV2Schema.parse(await recordOf(fixture.emulator, quote, "v2"));

  // @spec record-v3/sponsored record-v3/sponsored-by-total record-v3/sponsorship record-v3/sponsor-payment
  it("version 3: the quoted division, and after success the same as actual with the sponsor's payment", async () => {
    const { as, id } = await newSponsor(fixture, start);
    const quote = await quoteFor(as, wanted);
    const { data: waiting } = await v3(quote);
    expect(waiting?.feeSponsorship?.actual).to.equal(null);
    const quoted = sponsorshipOf(quote);
    expect(waiting?.feeSponsorship?.quoted).to.deep.include({
      capHit: false,
      maxSubsidizationAmount: "5000000",
      selectedComponents: ["execution", "swap", "platform", "app"],
    });
    expect(waiting?.feeSponsorship?.quoted?.components.platform?.total.amount).to.equal(
      quoted.components.relay?.total.amount,
    );
    await carryOut(as, quote);
    const { data } = await v3(quote);
    const { actual, currency } = data?.feeSponsorship ?? {};
    const charged = start - ((await fixture.emulator.control.sponsors.get(id)) ?? 0n);
    const { sponsorPayment, ...phase } = actual ?? {};
    expect(phase).to.deep.equal(data?.feeSponsorship?.quoted);
    expect(sponsorPayment).to.deep.equal({
      address: fixture.alpha.currency("USDC").toLowerCase(),
      amount: charged.toString(),
      chainId: fixture.alpha.info.id,
    });
    expect(currency?.symbol).to.equal("USDC");
    expect(Number(actual?.sponsoredTotal.amountUsd)).to.be.greaterThan(0);
    expect(data?.fees?.quoted?.sponsored).to.include({
      amount: quote.fees.subsidized?.amount,
      usd: quote.fees.subsidized?.amountUsd,
    });
    expect(data?.fees?.actual?.sponsored?.usd).to.equal(quote.fees.subsidized?.amountUsd);
  });

  // @spec record-v2/subsidized record-v2/subsidized-fee record-v2/sponsorship
  it("version 2: the request is subsidized, and after success names who paid which amount", async () => {
    const { as, id } = await newSponsor(fixture, start);
    const quote = await quoteFor(as, wanted);
    const { data: waiting } = await v2(quote);
    expect(waiting?.subsidizedRequest).to.equal(true);
    expect(waiting?.subsidizedFee).to.equal(undefined);
    expect(waiting?.feeSponsorship).to.deep.equal(quote.feeSponsorship);
    await carryOut(as, quote);
    const { data } = await v2(quote);
    const charged = start - ((await fixture.emulator.control.sponsors.get(id)) ?? 0n);
    const place = { address: fixture.alpha.currency("USDC").toLowerCase(), chainId: fixture.alpha.info.id };
    const amountUsd = quote.fees.subsidized?.amountUsd;
    expect(data?.subsidizedFee).to.deep.equal({
      amountUsd,
      amountUsdCurrent: amountUsd,
      origin: { ...place, amount: quote.fees.subsidized?.amount },
      sponsor: { ...place, amount: charged.toString() },
    });
    expect(data?.feeSponsorship?.actual?.sponsorPayment?.amount).to.equal(charged.toString());
    expect(data?.expandedPriceImpact?.actual?.sponsored?.usd).to.equal(amountUsd);
  });

  it("a refunded request: shows the quoted division and no payment", async () => {
    const { as, id } = await newSponsor(fixture, 0n);
    const quote = await quoteFor(as, wanted);
    expect((await endOf(as, quote)).failReason).to.equal("SPONSOR_BALANCE_TOO_LOW");
    expect((await v3(quote)).data?.feeSponsorship?.actual).to.equal(null);
    const { data } = await v2(quote);
    expect(data?.subsidizedFee).to.equal(undefined);
    expect(data?.feeSponsorship?.actual).to.equal(undefined);
    expect(await fixture.emulator.control.sponsors.get(id)).to.equal(0n);
  });

  it("a request without a sponsor: is not subsidized, in either version", async () => {
    const quote = await quoteFor(fixture, { from: "USDC", to: "USDC" });
    expect((await v2(quote)).data).to.include({ subsidizedRequest: false });
    expect((await v2(quote)).data).to.not.have.any.keys("feeSponsorship", "subsidizedFee");
    expect((await v3(quote)).data).to.not.have.property("feeSponsorship");
  });
});
