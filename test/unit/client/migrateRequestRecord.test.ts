import { expect } from "chai";
import fc from "fast-check";
import { migrateRequestRecord, type RequestV2 } from "../../../src/client/index.ts";
import { requestV2Schema } from "../../../src/schema/record/requestV2.ts";
import { requestSchema } from "../../../src/schema/record/requestV3.ts";
import { protocol, recordV2 } from "../schema/record/support/records.ts";
import { native, requestId, solver, token, txHash, user } from "./support/samples.ts";

function migrate(data: Record<string, unknown> = {}, root: Record<string, unknown> = {}) {
  const migrated = migrateRequestRecord(requestV2Schema.parse(recordV2(data, root)));
  expect(requestSchema.safeParse(migrated).success).to.equal(true);
  return migrated;
}

const usdc = { address: token, chainId: 31337, decimals: 6, name: "USD Coin", symbol: "USDC" };

describe("migrateRequestRecord", () => {
  // @spec record-v3/deposit-address version/v3-superseded version/v3-partner-id version/v3-added
  // @spec version/v3-metadata record-v3/superseded record-v3/features record-v3/refund-to
  it("moves the fields of the root, and adds those that version 2 does not have", () => {
    const { data, depositAddress, features, ...root } = migrate({ supersededByRequestId: "0x02" });
    expect(root).to.deep.equal({
      createdAt: "2026-05-25T22:21:11.161Z",
      id: requestId,
      protocol,
      recipient: solver,
      refundTo: null,
      requestType: null,
      sender: user,
      status: "success",
      supersededByRequestId: "0x02",
      updatedAt: "2026-05-25T22:21:51.291Z",
      user,
    });
    expect(depositAddress).to.deep.equal({
      address: solver,
      depositTxHash: txHash,
      depositor: user,
      recoveryAddress: null,
      type: "open",
    });
    expect(features).to.deep.equal(["fast_fill", "gas_top_up", "app_fees", "deposit_address"]);
    expect(data?.referrer).to.equal("my-app");
    expect(data?.externalMetadata).to.deep.equal({ moonpayId: "partner-1" });
  });

  // @spec version/v3-currencies version/v3-fees version/v3-impact version/v3-app-fees
  // @spec version/v3-sponsorship version/v3-metadata version/v3-superseded
  it("drops every field that version 3 does not have", () => {
    const { data } = migrate({}, { orderData: { version: "1" } });
    const currencies = [
      "currency",
      "feeCurrency",
      "appFeeCurrencyObject",
      "currencyObject",
      "feeCurrencyObject",
    ];
    const fees = ["feesUsd", "subsidizedRequest", "subsidizedFee", "expandedPriceImpact", "paidAppFees"];
    expect(data).to.not.have.any.keys(...currencies, ...fees, "metadata", "price", "supersededByRequestId");
    expect(migrate({}, { orderData: 1 })).to.not.have.any.keys("orderData", "moonpayId", "referrer");
  });

  // @spec version/v3-null-reasons
  it("turns N/A into null, and keeps real reasons", () => {
    expect(migrate().data).to.include({ failReason: null, refundFailReason: null });
    const failed = migrate({ failReason: "SLIPPAGE", refundFailReason: "AMOUNT_TOO_LOW_TO_REFUND" });
    expect(failed.data).to.include({ failReason: "SLIPPAGE", refundFailReason: "AMOUNT_TOO_LOW_TO_REFUND" });
  });

  // @spec version/v3-statuses record-v2/fallback
  it("renames the statuses that version 3 does not have", () => {
    expect(migrate({}, { status: "delayed" }).status).to.equal("pending");
    expect(migrate({}, { status: "fallback" }).status).to.equal("refund");
    expect(migrate({}, { status: "depositing" }).status).to.equal("depositing");
  });

  // @spec version/v3-tx-hash record-v3/transactions
  it("renames the hashes of transactions and keeps the rest of them", () => {
    const { inTxs, outTxs } = migrate().data ?? {};
    expect(inTxs?.[0]).to.deep.include({ chainId: 31337, fee: "139725000000000", txHash });
    expect(inTxs?.[0]).to.not.have.property("hash");
    expect(outTxs?.[0]).to.deep.include({ chainId: 31338, txHash });
  });

  // @spec version/v3-app-fees record-v3/app-fees
  it("joins the two lists of app fees, with exact formatted amounts", () => {
    expect(migrate().data?.appFees).to.deep.equal({
      actual: [{ amount: "4900000", amountFormatted: "4.9", amountUsd: "4.90", bps: "5", recipient: solver }],
      currency: usdc,
      quoted: [{ amount: "5000000", amountFormatted: "5", bps: "5", recipient: solver }],
    });
    const largest = (2n ** 256n - 1n).toString();
    const { quoted } = migrate({ appFees: [{ amount: largest }] }).data?.appFees ?? {};
    expect(quoted?.[0]?.amountFormatted?.replace(".", "")).to.equal(largest);
  });

  // @spec version/v3-impact version/v3-platform
  it("turns the price impact into fees, with relay as platform", () => {
    expect(migrate().data?.fees).to.deep.equal({
      actual: {
        app: { usd: "-4.9" },
        platform: { usd: "0" },
        sponsored: { usd: "6.9" },
        swap: { usd: "-2" },
      },
      currency: usdc,
      quoted: { execution: { usd: "-0.1" }, platform: { usd: "0.0" }, swap: { usd: "-1.9" } },
    });
    expect(migrate({ expandedPriceImpact: null }).data?.fees).to.equal(null);
  });

  // @spec version/v3-sponsorship record-v3/sponsorship record-v3/sponsor-payment version/v3-added
  it("takes the currency out of the sponsorship, with relay as platform and what the sponsor paid", () => {
    const { actual, currency, quoted } = migrate().data?.feeSponsorship ?? {};
    const value = (amount: string) => ({ amount, amountFormatted: "1.0", amountUsd: "1.00" });
    const bucket = { selected: true, sponsored: value("2"), total: value("3"), userPays: value("1") };
    expect(currency).to.deep.equal(usdc);
    expect(quoted).to.deep.equal({
      capHit: false,
      components: { execution: bucket, platform: bucket },
      maxSubsidizationAmount: null,
      selectedComponents: ["execution", "platform"],
      sponsoredTotal: value("4"),
      userPaysTotal: value("2"),
    });
    const capped = { capHit: true, components: { platform: bucket }, maxSubsidizationAmount: "7000000" };
    expect(actual).to.deep.include(capped);
    expect(actual?.sponsorPayment).to.deep.equal({ address: token, amount: "7000949", chainId: 31338 });
  });

  // @spec version/v3-metadata record-v3/route record-v3/swap-sources
  it("folds the metadata into the route: deposited, quoted and received", () => {
    const { actual, quoted, ...sources } = migrate().data?.route ?? {};
    const { destination, origin, rate } = actual ?? {};
    expect(rate).to.equal("0.999");
    expect(origin?.inputCurrency?.amount).to.equal("10000000000");
    expect(destination?.inputCurrency?.amount).to.equal("9995000000");
    expect(destination?.outputCurrency?.amount).to.equal("9990000000");
    expect(destination?.currencyGasTopup?.amount).to.equal("9");
    expect(quoted?.destination?.outputCurrency?.amount).to.equal("9994000000");
    expect(sources).to.deep.include({
      includedDestinationSwapSources: ["uniswap"],
      includedOriginSwapSources: [],
      includedSwapSources: ["uniswap"],
    });
  });

  const amount = (value: string, chainId = 1) => ({ amount: value, currency: { chainId, decimals: 6 } });

  // @spec record-v3/received-same-chain
  it("given one chain, puts the received amount at the origin", () => {
    const route = { origin: { inputCurrency: amount("10"), outputCurrency: amount("9"), router: "uniswap" } };
    const metadata = { currencyIn: amount("10"), currencyOut: amount("8"), route };
    const { actual } = migrate({ metadata }).data?.route ?? {};
    expect(actual?.destination).to.equal(null);
    expect(actual?.origin).to.deep.equal({
      inputCurrency: amount("10"),
      outputCurrency: amount("8"),
      router: "uniswap",
    });
  });

  // @spec record-v3/oracle-price-form version/v3-added
  it("writes the oracle's price with its amounts", () => {
    expect(migrate().data?.quoteOraclePrice).to.deep.equal({
      inputCurrency: { amount: "10", currency: { address: token, chainId: 31337, decimals: 6 } },
      observedAt: "2026-05-25T22:21:00.000Z",
      outputCurrency: { amount: "9", currency: { address: native, chainId: 31338, decimals: 18 } },
      rate: "0.9",
    });
  });

  it("turns any record that version 2 allows into one that version 3 allows", () => {
    const fields = Object.keys(recordV2().data);
    const partial = fc.subarray(fields).map((keep) => {
      const { data, ...root } = recordV2();
      const kept = Object.fromEntries(Object.entries(data).filter(([name]) => keep.includes(name)));
      return { ...root, data: kept } as RequestV2;
    });
    fc.assert(
      fc.property(partial, (record) => requestSchema.safeParse(migrateRequestRecord(record)).success),
    );
  });
});
