import { readFileSync } from "node:fs";
import { expect } from "chai";
import { orderDataSchema } from "../../../src/schema/quote/order.ts";
import { quoteSchema } from "../../../src/schema/quote/quote.ts";
import { signatureRecordSchema } from "../../../src/schema/record/signatureRecord.ts";
import { failReasonSchema, failReasons, refundFailReasons } from "../../../src/schema/request/failReason.ts";
import { requestStatusSchema } from "../../../src/schema/request/requestStatus.ts";
import { legacyStatusSchema, statusSchema, statusV2Schema } from "../../../src/schema/request/status.ts";
import { errorBodySchema } from "../../../src/schema/wire/errorBody.ts";
import { bridgeQuote, depositStep, statusAnswer } from "../client/support/samples.ts";
import { keeps, refuses } from "./support/schemaChecks.ts";

/** In the order of the specification ("Errors"). */
const documentedFailReasons = `
  UNKNOWN SLIPPAGE AMOUNT_TOO_LOW_TO_REFUND DEPOSIT_ADDRESS_MISMATCH DEPOSIT_CHAIN_MISMATCH
  INCORRECT_DEPOSIT_CURRENCY DOUBLE_SPEND SOLVER_CAPACITY_EXCEEDED SOLVER_BALANCE_TOO_LOW
  DEPOSITED_AMOUNT_TOO_LOW_TO_FILL NEGATIVE_NEW_AMOUNT_AFTER_FEES NO_QUOTES MISSING_REVERT_DATA
  REVERSE_SWAP_FAILED GENERATE_SWAP_FAILED TOO_LITTLE_RECEIVED EXECUTION_REVERTED
  NEW_CALLDATA_INCLUDES_HIGHER_RENT_FEE TRANSACTION_REVERTED TRANSACTION_TOO_LARGE
  ORIGIN_CURRENCY_MISMATCH NO_INTERNAL_SWAP_ROUTES_FOUND SWAP_USES_TOO_MUCH_GAS
  INSUFFICIENT_FUNDS_FOR_RENT SPONSOR_BALANCE_TOO_LOW ORDER_EXPIRED ORDER_IS_CANCELLED
  TRANSFER_FROM_FAILED TRANSFER_FAILED SIGNATURE_EXPIRED INVALID_SIGNATURE
  INSUFFICIENT_NATIVE_TOKENS_SUPPLIED TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE
  TRANSFER_AMOUNT_EXCEEDS_BALANCE INVALID_SENDER ACCOUNT_ABSTRACTION_INVALID_NONCE
  ACCOUNT_ABSTRACTION_SIGNATURE_ERROR SEAPORT_INEXACT_FRACTION TOKEN_NOT_TRANSFERABLE ZERO_SELL_AMOUNT
  MINT_NOT_ACTIVE ERC_1155_TOO_MANY_REQUESTED INCORRECT_PAYMENT INVALID_GAS_PRICE FLUID_DEX_ERROR
  ORDER_ALREADY_FILLED SEAPORT_INVALID_FULFILLER INVALID_SIGNER MINT_QUANTITY_EXCEEDS_MAX_PER_WALLET
  MINT_QUANTITY_EXCEEDS_MAX_SUPPLY JUPITER_INVALID_TOKEN_ACCOUNT INVALID_NONCE
  ACCOUNT_ABSTRACTION_GAS_LIMIT CONTRACT_PAUSED SWAP_IMPACT_TOO_HIGH INSUFFICIENT_POOL_LIQUIDITY
  TTL_EXPIRED DEPOSIT_CONFIRMATION_TIMEOUT ORPHANED_DEPOSIT_REFUND GASLESS_PERMIT_BALANCE_TOO_LOW
  MANUAL_ADMIN_REFUND QUOTED_GAS_LIMIT_EXCEEDED DESTINATION_TOKEN_TRANSFER_REJECTED DEPOSIT_REORGED
  BLOCKED_WALLET PROTOCOL_DEADLINE_EXPIRED TRANSACTION_NOT_INCLUDED TRANSACTION_SUBMISSION_FAILED N/A
`;

describe("the schemas of answers", () => {
  it("an answer with unknown fields at every depth: passes unchanged", () => {
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
  it("the published orders of production: pass", () => {
    for (const name of ["order-base-arbitrum", "order-base-optimism"]) {
      const file = new URL(`../../vectors/${name}.json`, import.meta.url);
      keeps(orderDataSchema, [JSON.parse(readFileSync(file, "utf8")).orderData]);
    }
  });

  // @spec signature/shape signature/request-data
  it("the published signed record of production: passes", () => {
    const file = new URL("../../vectors/attestation-ethereum-zora.json", import.meta.url);
    const { requestData, signature } = JSON.parse(readFileSync(file, "utf8"));
    keeps(signatureRecordSchema, [{ requestData, signature }]);
  });
});

describe("the enums", () => {
  // @spec error/fail-reasons error/refund-fail-reasons
  it("the enum of reasons: has every documented reason once, by its exact name", () => {
    expect(failReasons).to.have.ordered.members(documentedFailReasons.trim().split(/\s+/));
    expect(refundFailReasons).to.have.ordered.members([
      ...["AMOUNT_TOO_LOW_TO_REFUND", "NEGATIVE_NEW_AMOUNT_AFTER_FEES"],
      ...["SWAP_CURRENCY_NOT_ON_ORIGIN", "REFUND_RECIPIENT_IS_VASP", "N/A"],
    ]);
  });

  it("an undocumented value of an enum: passes, a value of another type does not", () => {
    keeps(failReasonSchema, ["BRAND_NEW", "SLIPPAGE"]);
    keeps(requestStatusSchema, ["paused", "refund"]);
    refuses(requestStatusSchema, [7, null, {}]);
  });
});
