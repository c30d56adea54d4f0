import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { expect } from "chai";
import type { ZodMiniType as ZodType } from "zod/mini";
import { amountOf, amountSchema, minimumAmountOf } from "../../../src/schema/quote/amount.ts";
import { orderDataSchema } from "../../../src/schema/quote/order.ts";
import { quoteSchema } from "../../../src/schema/quote/quote.ts";
import { quoteRequestSchema } from "../../../src/schema/quote/quoteRequest.ts";
import { stepSchema } from "../../../src/schema/quote/step.ts";
import { signatureRecordSchema } from "../../../src/schema/record/signatureRecord.ts";
import { failReasonSchema, failReasons } from "../../../src/schema/request/failReason.ts";
import { legacyStatusSchema, statusV2Schema } from "../../../src/schema/request/legacyStatus.ts";
import { refundFailReasons } from "../../../src/schema/request/refundFailReason.ts";
import { requestStatusSchema } from "../../../src/schema/request/requestStatus.ts";
import { statusSchema } from "../../../src/schema/request/status.ts";
import { errorBodySchema } from "../../../src/schema/wire/errorBody.ts";
import { firstIssue } from "../../../src/schema/wire/firstIssue.ts";
import { bytes32Schema, evmAddressSchema, hexSchema, signatureSchema } from "../../../src/schema/wire/hex.ts";
import {
  chainIdSchema,
  intStringSchema,
  quantitySchema,
  uintStringSchema,
} from "../../../src/schema/wire/wireAmount.ts";
import {
  bridgeQuote,
  depositStep,
  etherAmount,
  native,
  statusAnswer,
  token,
  user,
} from "../client/support/samples.ts";

function refuses(schema: ZodType, values: readonly unknown[]): void {
  for (const value of values) expect(schema.safeParse(value).success, inspect(value)).to.equal(false);
}

function keeps(schema: ZodType, values: readonly unknown[]): void {
  for (const value of values) expect(schema.parse(value)).to.deep.equal(value);
}

function issueOf(schema: ZodType, value: unknown): { path: string; reason: string } {
  const { error } = schema.safeParse(value);
  if (error === undefined) throw new Error("expected an issue");
  return firstIssue(error);
}

describe("amounts on the wire", () => {
  const largest = (2n ** 256n - 1n).toString();
  const beyond = (2n ** 256n).toString();

  it("are decimal strings that fit a uint256, and nothing else", () => {
    refuses(uintStringSchema, [
      "",
      "-1",
      "+1",
      "1.5",
      "1e18",
      "0x10",
      " 1",
      "1 ",
      "abc",
      1,
      1n,
      null,
      beyond,
    ]);
    refuses(intStringSchema, ["", "-", "--1", "1-", "1.5", `-${beyond}`, -1]);
  });

  it("keep their exact value at every size", () => {
    keeps(uintStringSchema, ["0", "1", (2n ** 53n + 1n).toString(), largest]);
    keeps(intStringSchema, ["0", "-1", `-${largest}`, largest]);
  });

  it("of a transaction may also be hexadecimal, or a number that is exact", () => {
    keeps(quantitySchema, ["42", "0x2a", 42, Number.MAX_SAFE_INTEGER]);
    refuses(quantitySchema, [-1, 1.5, 2 ** 53, Number.NaN, "0x", `0x${"f".repeat(65)}`, true]);
  });

  it("are read by helpers", () => {
    const amount = amountSchema.parse({ ...etherAmount("100"), minimumAmount: "99" });
    expect([amountOf(amount), minimumAmountOf(amount)]).to.deep.equal([100n, 99n]);
    expect(minimumAmountOf({ amount: "100" })).to.equal(100n);
  });
});

describe("identifiers on the wire", () => {
  it("are refused when they are cut, padded or not hexadecimal", () => {
    refuses(hexSchema, ["", "0x1", "12", "0xzz", "0X12", 7]);
    refuses(bytes32Schema, ["0x", `0x${"ab".repeat(31)}`, `0x${"ab".repeat(33)}`, "ab".repeat(32)]);
    refuses(evmAddressSchema, [
      "",
      "0x1234",
      `${user}00`,
      user.slice(2),
      "So11111111111111111111111111111111111111112",
    ]);
    refuses(signatureSchema, ["0x", `0x${"11".repeat(63)}`, `0x${"11".repeat(66)}`]);
    refuses(chainIdSchema, [0, -1, 1.5, "1", 2 ** 53, Number.NaN]);
  });

  it("pass in any letter case, signatures of 64 and of 65 bytes alike", () => {
    keeps(evmAddressSchema, [user, user.toLowerCase(), native]);
    keeps(signatureSchema, [`0x${"1B".repeat(64)}`, `0x${"1b".repeat(65)}`]);
    keeps(hexSchema, ["0x", "0xABcd"]);
  });
});

describe("quoteRequestSchema", () => {
  const request = {
    amount: "1",
    destinationChainId: 31338,
    destinationCurrency: native,
    originChainId: 31337,
    originCurrency: native,
    tradeType: "EXACT_INPUT",
    user,
  };
  const required = Object.keys(request);

  it("refuses a body that is not an object", () => {
    refuses(quoteRequestSchema, [null, [], "x", 7, undefined]);
  });

  for (const field of required) {
    it(`refuses a body without ${field}, and with null or an object in its place`, () => {
      for (const value of [undefined, null, {}, []]) {
        expect(issueOf(quoteRequestSchema, { ...request, [field]: value }).path).to.equal(field);
      }
    });
  }

  it("refuses every optional field of another type", () => {
    const optional = Object.keys(quoteRequestSchema.shape).filter((field) => !required.includes(field));
    expect(optional.length).to.be.greaterThan(40);
    for (const field of optional) {
      // No field takes a function of JSON: null is neither text, number, flag, list nor object here.
      expect(issueOf(quoteRequestSchema, { ...request, [field]: null }).path).to.equal(field);
    }
  });

  it("accepts addresses of other virtual machines, whose format only their chain defines", () => {
    const solana = "So11111111111111111111111111111111111111112";
    keeps(quoteRequestSchema, [{ ...request, originCurrency: solana, refundTo: solana, user: solana }]);
  });

  it("keeps fields that it does not know", () => {
    const parsed = quoteRequestSchema.parse({
      ...request,
      brandNew: { a: 1 },
      txs: [{ extra: 1, to: token }],
    });
    expect(parsed).to.deep.include({ brandNew: { a: 1 }, txs: [{ extra: 1, to: token }] });
  });

  it("refuses more calls than the limit", () => {
    const txs = Array.from({ length: 257 }, () => ({ to: token }));
    expect(issueOf(quoteRequestSchema, { ...request, txs }).path).to.equal("txs");
  });
});

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

  it("read the published orders of production", () => {
    for (const name of ["order-base-arbitrum", "order-base-optimism"]) {
      const file = new URL(`../../vectors/${name}.json`, import.meta.url);
      keeps(orderDataSchema, [JSON.parse(readFileSync(file, "utf8")).orderData]);
    }
  });

  it("read the published signed record of production", () => {
    const file = new URL("../../vectors/attestation-ethereum-zora.json", import.meta.url);
    const { requestData, signature } = JSON.parse(readFileSync(file, "utf8"));
    keeps(signatureRecordSchema, [{ requestData, signature }]);
  });

  it("name the field that is wrong inside of the step that was meant", () => {
    const broken = (fields: Record<string, unknown>) => ({ ...depositStep(), ...fields });
    const item = (data: unknown) => ({ items: [{ data, status: "incomplete" }] });
    const post = { body: {}, endpoint: "/x", method: "POST" };
    const sign = { domain: { chainId: [] }, primaryType: "T", signatureKind: "eip712", types: {}, value: {} };
    const cases: [unknown, string][] = [
      [broken(item({ to: "0x12" })), "items.0.data.to"],
      [broken(item({ data: "0x1", to: token })), "items.0.data.data"],
      [broken({ items: "none" }), "items"],
      [broken({ id: 7 }), "id"],
      [broken({ items: "none", kind: "signature" }), "items"],
      [broken({ ...item({ sign }), kind: "signature" }), "items.0.data.sign.domain.chainId"],
      [
        broken({ ...item({ post, sign: { signatureKind: "eip191" } }), kind: "signature" }),
        "items.0.data.sign.message",
      ],
      [broken({ kind: 7 }), "kind"],
    ];
    for (const [step, path] of cases) expect(issueOf(stepSchema, step).path).to.equal(path);
  });

  it("never take a malformed transaction for one of another virtual machine", () => {
    const data = (value: unknown) => ({ ...depositStep(), items: [{ data: value, status: "incomplete" }] });
    refuses(stepSchema, [
      data({ to: "0x" }),
      data({ to: null }),
      data({ action: null }),
      data("0x"),
      data([]),
    ]);
    keeps(stepSchema, [data({ instructions: [{ programId: "x" }] })]);
  });

  it("let a step of an unknown kind pass, so that the quote can be shown", () => {
    keeps(stepSchema, [{ ...depositStep(), kind: "carrier-pigeon" }]);
  });
});

describe("the enums", () => {
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
