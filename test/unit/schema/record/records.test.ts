import { expect } from "chai";
import { requestsV2PageSchema, requestV2Schema } from "../../../../src/schema/record/requestV2.ts";
import { requestSchema } from "../../../../src/schema/record/requestV3.ts";
import { findUnknown } from "../../../../src/schema/wire/findUnknown.ts";
import { solver, token, user } from "../../client/support/samples.ts";
import { refusesAt } from "../support/schemaChecks.ts";
import { recordV2, recordV3 } from "./support/records.ts";

describe("request records", () => {
  // @spec requests-v2/page
  it("of version 2 pass unchanged, with the notice of the listing's end", () => {
    const deprecation = {
      deprecatedAt: "2026-07-22T00:00:00Z",
      message: "GET /requests/v2 is deprecated.",
      migrationGuide: "https://docs.relay.link/references/api/api_guides/migrating-to-requests-v3",
      successor: "https://api.relay.link/requests/v3",
      sunsetAt: "2026-11-24T00:00:00Z",
      throttledFrom: "2026-09-01T00:00:00Z",
    };
    const page = {
      continuation: "abc",
      deprecation,
      requests: [recordV2(), recordV2({}, { status: "delayed" })],
    };
    expect(requestsV2PageSchema.parse(page)).to.deep.equal(page);
  });

  const call = { data: "0x12", from: user, to: token, value: "1" };
  const failed = { failedCallData: call, failedTxBlockNumber: 7, failedTxHash: `0x${"cd".repeat(32)}` };
  const fees = { fixed: "0", gas: "1160", gateway: "0", price: "1999930" };
  const subsidizedFee = {
    amountUsd: "6.99",
    amountUsdCurrent: "7.00",
    origin: { address: token, amount: "7001090", chainId: 31337 },
    sponsor: { address: token, amount: "7000949", chainId: 31338 },
  };

  // @spec record-v2/deposit-address record-v2/subsidized-fee record-v2/sponsorship record-v2/currencies
  // @spec record-v2/failed-call record-v2/refund-currency record-v2/other-fields
  it("of version 2 have every documented field, and no field of another type", () => {
    const data = { ...failed, fees, feesUsd: fees, subsidizedFee, supersededByRequestId: "0x02" };
    const record = recordV2(data, { orderData: { version: "v1" } });
    expect(findUnknown(requestV2Schema, record)).to.deep.equal([]);
    refusesAt(
      requestV2Schema,
      Object.entries({
        ...{ appFees: {}, currency: 1, failedCallData: "0x", failedTxBlockNumber: "7", failedTxHash: 1 },
        ...{ failReason: 1, feeSponsorship: [], fees: "0", feesUsd: 1, inTxs: {}, metadata: "x" },
        ...{ outTxs: {}, refundCurrencyData: "1", slippageTolerance: 50, subsidizedFee: 1 },
        ...{ subsidizedRequest: "yes", supersededByRequestId: 2, timeEstimate: "4" },
        usesExternalLiquidity: "no",
      }).map(([field, value]) => [recordV2({ [field]: value }), `data.${field}`] as [unknown, string]),
    );
    refusesAt(requestV2Schema, [
      [recordV2({ fees: { ...fees, gas: "1.5" } }), "data.fees.gas"],
      [recordV2({}, { createdAt: 1 }), "createdAt"],
      [recordV2({}, { depositAddress: "0x" }), "depositAddress"],
      [recordV2({ subsidizedFee: { ...subsidizedFee, sponsor: "0x" } }), "data.subsidizedFee.sponsor"],
    ]);
  });

  // @spec record-v3/deposit-address record-v3/platform-fee record-v3/oracle-price-form
  // @spec record-v3/sponsorship record-v3/features record-v3/refund-currency record-v3/refund-to
  it("of version 3 have every documented field, and no field of another type", () => {
    const { data, ...root } = recordV3({
      depositAddress: {
        address: solver,
        depositTxHash: null,
        depositor: null,
        recoveryAddress: user,
        type: "strict",
      },
      features: ["gasless_execution", "fast_fill", "gas_top_up", "app_fees", "deposit_address"],
    });
    const amount = { amount: "1", currency: { chainId: 1, decimals: 6 } };
    const oracle = { inputCurrency: amount, observedAt: "2026-05-25T22:21:00.000Z", outputCurrency: amount };
    const known = { ...failed, platformFee: null, quoteOraclePrice: { ...oracle, rate: "0.9" } };
    const more = { ...known, referrer: "app", refundCurrencyData: null, triggeredByFastFill: true };
    expect(findUnknown(requestSchema, { ...root, data: { ...data, ...more } })).to.deep.equal([]);
    const wrong = (field: string, value: unknown): [unknown, string] => [
      { ...root, data: { ...data, [field]: value } },
      `data.${field}`,
    ];
    refusesAt(
      requestSchema,
      Object.entries({
        ...{ appFees: [], externalMetadata: "x", failedCallData: "0x", failedTxBlockNumber: "7" },
        ...{ failedTxHash: 1, failReason: 1, fees: "0", feeSponsorship: [], inTxs: {}, outTxs: {} },
        ...{ platformFee: "1", quoteOraclePrice: "0.9", referrer: 1, refundCurrencyData: "1" },
        ...{ route: [], slippageTolerance: 50, timeEstimate: "4", triggeredByFastFill: "yes" },
        usesExternalLiquidity: "no",
      }).map(([field, value]) => wrong(field, value)),
    );
  });

  it("never pass an amount that lost its exactness", () => {
    for (const amount of [1e22, "1e22", "0x1", "1.5", "", (2n ** 256n).toString()]) {
      const route = { actual: { origin: { inputCurrency: { amount } } } };
      const path = "data.route.actual.origin.inputCurrency.amount";
      refusesAt(requestSchema, [[recordV3({ data: { route } }), path]]);
      refusesAt(requestV2Schema, [[recordV2({ price: amount }), "data.price"]]);
    }
    const largest = (2n ** 256n - 1n).toString();
    expect(requestV2Schema.parse(recordV2({ price: largest })).data?.price).to.equal(largest);
  });
});
