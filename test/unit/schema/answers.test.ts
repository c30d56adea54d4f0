import { readFileSync } from "node:fs";
import { expect } from "chai";
import { orderDataSchema } from "../../../src/schema/quote/order.ts";
import { quoteSchema } from "../../../src/schema/quote/quote.ts";
import { signatureRecordSchema } from "../../../src/schema/record/signatureRecord.ts";
import { failReasonSchema, failReasons } from "../../../src/schema/request/failReason.ts";
import { legacyStatusSchema, statusV2Schema } from "../../../src/schema/request/legacyStatus.ts";
import { refundFailReasons } from "../../../src/schema/request/refundFailReason.ts";
import { requestStatusSchema } from "../../../src/schema/request/requestStatus.ts";
import { statusSchema } from "../../../src/schema/request/status.ts";
import { errorBodySchema } from "../../../src/schema/wire/errorBody.ts";
import { bridgeQuote, depositStep, statusAnswer } from "../client/support/samples.ts";
import { keeps, refuses } from "./support/schemaChecks.ts";

describe("the schemas of answers", () => {
  it("keep unknown fields at every depth, and change nothing", () => {
    const quote = bridgeQuote();
    const extended = {
      ...quote,
      details: { ...quote.details, currencyIn: { ...quote.details.currencyIn, new: 1 }, new: [1] },
      fees: { ...quote.fees, new: {} },
      new: "x",
      steps: [{ ...depositStep({ new: 1 }), new: null }],
    };
    keeps(quoteSchema, [quote, extended]);
    keeps(statusSchema, [{ ...statusAnswer("success"), new: 1 }, { status: "waiting" }]);
    keeps(legacyStatusSchema, [{ status: "fallback", time: 1 }, { status: "paused" }]);
    keeps(statusV2Schema, [{ quoteCreatedAt: 1, status: "depositing", time: 2 }]);
    keeps(errorBodySchema, [
      { message: "No routes found" },
      { code: "X" },
      { errorCode: "BRAND_NEW", errorData: [1] },
    ]);
  });

  // @spec order/head order/inputs order/refunds order/output order/calls order/fees
  it("read the published orders of production", () => {
    for (const name of ["order-base-arbitrum", "order-base-optimism"]) {
      const file = new URL(`../../vectors/${name}.json`, import.meta.url);
      keeps(orderDataSchema, [JSON.parse(readFileSync(file, "utf8")).orderData]);
    }
  });

  // @spec signature/shape signature/request-data
  it("read the published signed record of production", () => {
    const file = new URL("../../vectors/attestation-ethereum-zora.json", import.meta.url);
    const { requestData, signature } = JSON.parse(readFileSync(file, "utf8"));
    keeps(signatureRecordSchema, [{ requestData, signature }]);
  });
});

describe("the enums", () => {
  // @spec error/fail-reasons error/refund-fail-reasons
  it("hold every documented reason once", () => {
    expect(new Set(failReasons).size).to.equal(failReasons.length);
    expect(failReasons).to.have.length(69).and.include.members(["TTL_EXPIRED", "DOUBLE_SPEND", "N/A"]);
    expect(refundFailReasons).to.have.length(5);
  });

  it("let a value pass that is not documented yet, but no other type", () => {
    keeps(failReasonSchema, ["BRAND_NEW", "SLIPPAGE"]);
    keeps(requestStatusSchema, ["paused", "refund"]);
    refuses(requestStatusSchema, [7, null, {}]);
  });
});
