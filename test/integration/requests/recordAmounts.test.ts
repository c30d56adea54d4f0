import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { getStatus } from "../../../src/client/index.ts";
import { requestV2Schema } from "../../../src/schema/record/requestV2.ts";
import { requestSchema } from "../../../src/schema/record/requestV3.ts";
import { clockFrom } from "../../helpers/clockFrom.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import {
  carryOut,
  endOf,
  gasSpent,
  quoteFor,
  recipient,
  requestIdOf,
  type Wanted,
} from "../../helpers/quotes/intents.ts";
import { newSponsor, recordOf, sponsorshipOf } from "../../helpers/quotes/sponsors.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";
import { recordReaders } from "../../helpers/requests/recordReaders.ts";
import { waitForStatus } from "../../helpers/requests/requestRun.ts";

describe("the amounts of a request's record", () => {
  // Version 2 ends in November.
  const fixture = useEmulator({ now: clockFrom(Date.UTC(2026, 9, 1)) });

  const { recordOf, recordV2Of } = recordReaders(fixture);

  /** Growth of the refund recipient's balance while a quote ends in a refund. */
  async function refundedTo(wanted: Wanted, symbol: "USDC" | "USDT") {
    const { alpha } = fixture;
    const quote = await quoteFor(fixture, { ...wanted, refundTo: recipient, referrer: "debug-force-refund" });
    const before = await alpha.balanceOf(alpha.currency(symbol), recipient);
    expect(await endOf(fixture, quote)).to.include({ status: "refund" });
    return { got: (await alpha.balanceOf(alpha.currency(symbol), recipient)) - before, quote };
  }

  // @spec record-v2/in-txs
  it("a record has the deposit's gas cost, paid by its sender", async () => {
    const quote = await quoteFor(fixture, { from: "ETH", to: "ETH" });
    await carryOut(fixture, quote);
    const [paid] = (await recordOf(quote)).inTxs ?? [];
    const cost = await gasSpent(fixture.alpha, (paid?.txHash ?? "0x") as `0x${string}`);
    expect(paid?.fee).to.equal(cost.toString());
    expect((await recordV2Of(quote)).inTxs?.[0]?.fee).to.equal(cost.toString());
  });

  // @spec record-v3/fee-parts record-v3/fees
  it("a record has the quote's fees, to the unit", async () => {
    const appFees = [{ fee: "33", recipient }];
    for (const wanted of [
      { from: "ETH", to: "USDC" },
      { from: "USDT", to: "WETH", tradeType: "EXACT_OUTPUT" },
      { from: "USDC", sameChain: true, to: "ETH" },
    ] satisfies Wanted[]) {
      const { fees, ...quote } = await quoteFor(fixture, { ...wanted, appFees });
      const { currency, quoted } = (await recordOf({ ...quote, fees })).fees ?? {};
      expect(currency?.address).to.equal(fees.relayer?.currency.address);
      expect([quoted?.execution?.amount, quoted?.platform?.amount, quoted?.app?.amount]).to.deep.equal(
        [fees.relayerGas, fees.relayerService, fees.app].map((fee) => fee?.amount),
      );
      expect(fees.app?.amount).to.not.equal("0");
      const amounts = Object.values(quoted ?? {}).map((component) => component?.amount);
      expect(amounts.filter((amount) => amount?.startsWith("-"))).to.deep.equal([]);
    }
  });

  // @spec record-v2/refund-currency record-v3/refund-currency
  it("a record has the output of a refund that was swapped back", async () => {
    const { got, quote } = await refundedTo({ from: "USDT", slippageTolerance: "200", to: "USDC" }, "USDT");
    expect(got > 0n).to.equal(true);
    const { refundCurrencyData } = await recordOf(quote);
    expect(refundCurrencyData).to.include({ amount: got.toString() });
    expect(refundCurrencyData?.currency).to.deep.equal(quote.details.currencyIn.currency);
    expect((await recordV2Of(quote)).refundCurrencyData).to.deep.equal(refundCurrencyData);
  });

  it("a record of a refund has the paid and the refunded amount, and the quoted output", async () => {
    const { got, quote } = await refundedTo({ from: "USDC", to: "ETH" }, "USDC");
    const { currencyIn, currencyOut } = quote.details;
    const { refundCurrencyData, route } = await recordOf(quote);
    expect(route?.actual?.origin?.inputCurrency?.amount).to.equal(currencyIn.amount);
    expect(refundCurrencyData).to.deep.include({ amount: got.toString(), currency: currencyIn.currency });
    expect(route?.actual?.destination?.outputCurrency).to.deep.equal(currencyOut);
    const { metadata, ...older } = await recordV2Of(quote);
    expect(metadata?.currencyIn?.amount).to.equal(currencyIn.amount);
    expect(metadata?.currencyOut?.amount).to.equal(currencyOut.amount);
    expect(older.refundCurrencyData).to.deep.equal(refundCurrencyData);
  });

  it("a record has null where the published samples have it, and omits other missing fields", async () => {
    const { apiKeys, apiUrl } = fixture.emulator.info;
    const nullable = {
      v2: ["depositAddress", "supersededByRequestId", "orderData", "moonpayId"],
      v3: [
        ...["depositAddress", "supersededByRequestId", "refundTo", "protocol", "moonpayId", "actual"],
        ...["failReason", "refundFailReason", "refundCurrencyData", "referrer", "destination", "platformFee"],
        ...["failedCallData", "failedTxBlockNumber", "failedTxHash", "feeSponsorship", "quoteOraclePrice"],
      ],
    };
    const seen = new Set<string>();
    for (const version of ["v2", "v3"] as const) {
      const query = "limit=50&includeAuthenticatedData=true";
      const answer = await fetch(`${apiUrl}/requests/${version}?${query}`, {
        headers: { "x-api-key": apiKeys[0]?.key ?? "" },
      });
      const nulls = new Set<string>();
      const page = JSON.parse(await answer.text(), (name, value: unknown) => {
        if (value === null) nulls.add(name);
        return value;
      }) as { requests: { status: string }[] };
      for (const { status } of page.requests) seen.add(status);
      // The page's own: this listing has no sunset.
      nulls.delete("sunsetAt");
      expect([...nulls].filter((name) => !nullable[version].includes(name))).to.deep.equal([]);
    }
    expect([...seen]).to.include.members(["waiting", "success", "refund"]);
  });

  it("a record shows the reason of a refund once the refund is mined", async () => {
    const ask = (method: string, params: unknown[] = []) =>
      fixture.alpha.reader.request({ method, params } as never);
    const quote = await quoteFor(fixture, { from: "ETH", referrer: "debug-force-refund", to: "ETH" });
    const requestId = requestIdOf(quote);
    await ask("evm_setAutomine", [false]);
    try {
      const done = carryOut(fixture, quote).catch(() => undefined);
      while ((await getStatus(fixture.client, { requestId })).status === "waiting") await ask("evm_mine");
      // By now the refund is sent.
      while ((await recordOf(quote)).failReason !== "MANUAL_ADMIN_REFUND") await setTimeout(5);
      const { failReason, refundFailReason, status } = await getStatus(fixture.client, { requestId });
      expect({ failReason, refundFailReason, status }).to.deep.equal({
        failReason: "N/A",
        refundFailReason: "N/A",
        status: "pending",
      });
      await ask("evm_setAutomine", [true]);
      await ask("evm_mine");
      await done;
    } finally {
      await ask("evm_setAutomine", [true]);
    }
    const end = await waitForStatus(fixture, requestId, ["refund"]);
    expect(end.failReason).to.equal("MANUAL_ADMIN_REFUND");
  });
});

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
});
