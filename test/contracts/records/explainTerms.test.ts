import { expect } from "chai";
import { network } from "hardhat";
import { concat, type Hex } from "viem";
import { explainTerms } from "../../../src/records/explainTerms.ts";
import { formatOrder } from "../../../src/records/normalizeOrder.ts";
import type { Order } from "../../../src/records/Order.ts";
import { type OrderTerms, orderTerms } from "../../../src/records/orderTerms.ts";
import { signOrder } from "../../helpers/contracts/signedOrder.ts";
import { compactSignature, mirroredSignature, testWallet } from "../../helpers/contracts/signedRecord.ts";
import { publishedOrder, signedOrder } from "../../unit/records/support/vectors.ts";

const names = ["order-base-arbitrum", "order-base-optimism", "order-base-robinhood-signed"] as const;
/** Before the deadline of every published order. */
const now = 1_777_000_000;
const { ethers } = await network.create({ override: { initialDate: new Date(now * 1_000) } });
const checker = await ethers.deployContract("TermsChecker");
const { selector } = checker.interface.getFunction("check") ?? {};
const wallet = testWallet(3);
const solver = wallet.address as Hex;
const stranger: Hex = `0x${"ab".repeat(20)}`;

/** Terms that the order meets. */
function termsOf({ inputs, output, solver }: Order): OrderTerms {
  const [input, payment] = [inputs[0], output.payments[0]];
  if (input === undefined || payment === undefined) throw new Error("the order pays nothing");
  return {
    amount: input.payment.amount,
    currency: input.payment.currency,
    destinationChain: output.chainId,
    latestDeadline: BigInt(output.deadline),
    minimumAmount: payment.minimumAmount,
    originChain: input.payment.chainId,
    outputCurrency: payment.currency,
    recipient: payment.recipient,
    refundTo: input.refunds[0]?.recipient ?? stranger,
    solver,
  };
}

const payment = "order.output.payments[]";
/** The member that each fault is about. */
const paths: Readonly<Record<string, string>> = {
  CallsDiffer: "order.output.calls",
  DeadlineOutsideWindow: "order.output.deadline",
  FeeCurrencyDiffers: "order.fees[].currency",
  FeesTooHigh: "order.fees[].amount",
  InputAmountDiffers: "order.inputs[].payment.amount",
  InputChainDiffers: "order.inputs[].payment.chainId",
  InputCountDiffers: "order.inputs",
  InputCurrencyDiffers: "order.inputs[].payment.currency",
  InputWeightDiffers: "order.inputs[].payment.weight",
  MinimumIsZero: "terms.minimumAmount",
  MinimumTooLow: `${payment}.minimumAmount`,
  OriginRefundMissing: "order.inputs[].refunds",
  OutputChainDiffers: "order.output.chainId",
  OutputCurrencyDiffers: `${payment}.currency`,
  PaymentCountDiffers: "order.output.payments",
  RecipientDiffers: `${payment}.recipient`,
  RecipientIsZero: `${payment}.recipient`,
  RefundChainDiffers: "order.inputs[].refunds[].chainId",
  RefundCurrencyDiffers: "order.inputs[].refunds[].currency",
  RefundDeadlineTooEarly: "order.inputs[].refunds[].deadline",
  RefundRecipientDiffers: "order.inputs[].refunds[].recipient",
  RefundToIsZero: "terms.refundTo",
  SignatureLengthDiffers: "signature",
  SignatureSAboveHalf: "signature",
  SignerDiffers: "signature",
  SolverDiffers: "order.solver",
  VersionDiffers: "order.version",
};

/** The error of the Solidity library, from `calldata` as the library made it; `accepted` without one. */
async function faultOnChain(order: Order, signature: Hex, terms: OrderTerms): Promise<string> {
  const quote = { protocol: { v2: { orderData: formatOrder({ order }), orderSignature: signature } } };
  const { calldata, orderId } = orderTerms({ quote, terms });
  const data = concat([selector as Hex, calldata]);
  try {
    expect(await ethers.provider.call({ data, to: await checker.getAddress() })).to.equal(orderId);
    return "accepted";
  } catch (error) {
    const reason = (error as { data?: string }).data;
    if (typeof reason !== "string") throw error;
    return checker.interface.parseError(reason)?.name ?? reason;
  }
}

/** Compares both verdicts, and returns them. */
async function verdictOf(order: Order, terms: OrderTerms, signature?: Hex): Promise<string> {
  const signed = signature ?? (signOrder(wallet, order) as Hex);
  const block = await ethers.provider.getBlock("latest");
  const found = await explainTerms({
    now: (block?.timestamp ?? 0) * 1_000,
    order,
    signature: signed,
    terms,
  });
  const first = found[0]?.fault ?? "accepted";
  for (const { fault, path } of found) expect(path.replace(/\[\d+\]/g, "[]"), fault).to.equal(paths[fault]);
  expect(await faultOnChain(order, signed, terms), JSON.stringify(found)).to.equal(first);
  return first;
}

/** Every value that differs from `value` in one leaf or one list. */
function variants(value: unknown): unknown[] {
  if (typeof value === "bigint") return value === 0n ? [1n] : [value + 1n, value - 1n, 0n];
  if (typeof value === "number") return [value + 1, value - 1, 0];
  if (typeof value === "string") {
    if (/^0x[0-9a-f]{40}$/i.test(value)) return [stranger, `0x${"00".repeat(20)}`];
    return value.startsWith("0x") ? ["0x", "0x12"] : [`${value} `, "ethereum", ""];
  }
  if (Array.isArray(value)) {
    const changed = value.flatMap((item, index) =>
      variants(item).map((variant) => value.with(index, variant)),
    );
    const longer = value.length === 0 ? [] : [[...value, value[0]], value.slice(1), []];
    return [...changed, ...longer];
  }
  return Object.entries(value as object).flatMap(([name, member]) =>
    variants(member).map((variant) => ({ ...(value as object), [name]: variant })),
  );
}

describe("explainTerms and the Solidity library OrderTerms", () => {
  it("the production order under its own signature: both accept it", async () => {
    const { order } = publishedOrder("order-base-robinhood-signed");
    expect(await verdictOf(order, termsOf(order), signedOrder.orderSignature)).to.equal("accepted");
  });

  for (const name of names) {
    const order: Order = { ...publishedOrder(name).order, solver };

    it(`${name} with one member changed, signed again: both name the same error`, async () => {
      const seen = new Map<string, number>();
      for (const changed of variants(order) as Order[]) {
        const verdict = await verdictOf(changed, termsOf(order));
        seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
      }
      expect([...seen.keys()]).to.include.members([
        "accepted",
        "VersionDiffers",
        "SolverDiffers",
        "InputCountDiffers",
        "InputChainDiffers",
        "InputCurrencyDiffers",
        "InputAmountDiffers",
        "InputWeightDiffers",
        "RefundChainDiffers",
        "RefundCurrencyDiffers",
        "RefundDeadlineTooEarly",
        "RefundRecipientDiffers",
        "OriginRefundMissing",
        "OutputChainDiffers",
        "PaymentCountDiffers",
        "RecipientDiffers",
        "OutputCurrencyDiffers",
        "MinimumTooLow",
        "DeadlineOutsideWindow",
      ]);
    }).timeout(60_000);

    it(`${name} under changed terms: both name the same error`, async () => {
      const seen = new Set<string>();
      for (const terms of variants(termsOf(order)) as OrderTerms[]) seen.add(await verdictOf(order, terms));
      expect([...seen]).to.include.members(["RefundToIsZero", "MinimumIsZero", "SolverDiffers"]);
    }).timeout(60_000);
  }

  const order: Order = { ...publishedOrder("order-base-arbitrum").order, solver };
  const terms = termsOf(order);
  const currency = terms.currency as Hex;
  const fee = {
    amount: 3n,
    currency,
    currencyChainId: "base",
    recipient: stranger,
    recipientChainId: "base",
  };
  const withFees = (...fees: Order["fees"]): Order => ({ ...order, fees });
  const withCalls = (...calls: Hex[]): Order => ({ ...order, output: { ...order.output, calls } });
  const payTo = (recipient: Hex): Order => ({
    ...order,
    output: {
      ...order.output,
      payments: order.output.payments.map((payment) => ({ ...payment, recipient })),
    },
  });
  const shop: Hex = `0x${"51".repeat(20)}`;
  /** With an output to an account, and a refund to it on the destination. */
  const refunded = (recipient: Hex): Order => ({
    ...payTo(recipient),
    inputs: order.inputs.map(({ payment, refunds }) => ({
      payment,
      refunds: [
        ...refunds,
        ...refunds.map((refund) => ({ ...refund, chainId: order.output.chainId, recipient })),
      ],
    })),
  });
  const anyCurrency = { ...terms, outputCurrency: "any" } as const;
  const zero: Hex = `0x${"00".repeat(20)}`;

  for (const [what, changed, given, verdict] of [
    ["fees up to their sum", withFees(fee, fee), { ...terms, maximumFees: 6n }, "accepted"],
    ["fees above their sum", withFees(fee, fee), { ...terms, maximumFees: 5n }, "FeesTooHigh"],
    ["a fee without allowance", withFees(fee), terms, "FeesTooHigh"],
    [
      "a fee of another chain",
      withFees({ ...fee, currencyChainId: "arbitrum" }),
      terms,
      "FeeCurrencyDiffers",
    ],
    ["a fee in another token", withFees({ ...fee, currency: stranger }), terms, "FeeCurrencyDiffers"],
    ["the stated calls", withCalls("0x12", "0x"), { ...terms, calls: ["0x12", "0x"] }, "accepted"],
    ["calls in another order", withCalls("0x", "0x12"), { ...terms, calls: ["0x12", "0x"] }, "CallsDiffer"],
    ["an unstated call", withCalls("0x"), terms, "CallsDiffer"],
    ["a missing call", order, { ...terms, calls: ["0x"] }, "CallsDiffer"],
    ["any output currency", order, anyCurrency, "accepted"],
    [
      "the earliest deadline",
      order,
      { ...terms, earliestDeadline: BigInt(order.output.deadline) },
      "accepted",
    ],
    ["a destination refund to the recipient", refunded(shop), { ...terms, recipient: shop }, "accepted"],
    [
      "a destination refund to the recipient of calls",
      { ...refunded(shop), output: { ...refunded(shop).output, calls: ["0x12"] } },
      { ...terms, calls: ["0x12"], recipient: shop },
      "RefundRecipientDiffers",
    ],
    ["a zero recipient", payTo(zero), { ...terms, recipient: zero }, "RecipientIsZero"],
    [
      "a window that has not begun",
      order,
      { ...terms, earliestDeadline: 2n ** 40n },
      "DeadlineOutsideWindow",
    ],
  ] as const) {
    it(`${what}: both say ${verdict}`, async () => {
      expect(await verdictOf(changed, given)).to.equal(verdict);
    });
  }

  it("signatures of other forms and signers: both name the same error", async () => {
    const signature = signOrder(wallet, order) as Hex;
    // Of either parity.
    for (let salt = 0n; salt < 8n; salt += 1n) {
      const salted = { ...order, salt };
      const compact = compactSignature(signOrder(wallet, salted) as Hex) as Hex;
      expect(await verdictOf(salted, terms, compact)).to.equal("accepted");
    }
    for (const [given, verdict] of [
      [compactSignature(signature), "accepted"],
      [mirroredSignature(signature), "SignatureSAboveHalf"],
      [`${signature}00`, "SignatureLengthDiffers"],
      ["0x", "SignatureLengthDiffers"],
      [signature.replace(/1[bc]$/, "00"), "SignerDiffers"],
      [`0x${"00".repeat(65)}`, "SignerDiffers"],
      [`0x${"ff".repeat(32)}${signature.slice(66)}`, "SignerDiffers"],
      [signOrder(testWallet(4), order), "SignerDiffers"],
    ] as const) {
      expect(await verdictOf(order, terms, given as Hex), given).to.equal(verdict);
    }
  });

  it("messages: name an empty list, a mirrored signature and an unreadable one", async () => {
    const messageOf = async (changed: Order, given: OrderTerms, signature?: Hex) => {
      const signed = signature ?? (signOrder(wallet, changed) as Hex);
      const [first] = await explainTerms({
        now: now * 1_000,
        order: changed,
        signature: signed,
        terms: given,
      });
      return first?.message;
    };
    expect(await messageOf(withCalls("0x12"), terms)).to.equal(
      "order.output.calls is 0x12; allowed is no call.",
    );
    const missing = await messageOf(order, { ...terms, calls: ["0x12"] });
    expect(missing).to.equal("order.output.calls is empty; allowed is 0x12.");
    expect(await messageOf({ ...order, version: "" }, terms)).to.equal(
      "order.version is empty; allowed is v1.",
    );
    const mirrored = mirroredSignature(signOrder(wallet, order)) as Hex;
    expect(await messageOf(order, terms, mirrored)).to.match(/^signature is mirrored/);
    const [own, unreadable] = [signOrder(testWallet(4), order) as Hex, `0x${"00".repeat(65)}` as const];
    expect(await messageOf(order, terms, own)).to.include(testWallet(4).address);
    expect(await messageOf(order, terms, unreadable)).to.not.include("undefined");
  });

  it("a quote without a signed order, or an invalid term: is named", () => {
    const quote = { protocol: { v2: { orderData: formatOrder({ order }) } } };
    expect(() => orderTerms({ quote, terms })).to.throw("quote.protocol.v2.orderSignature");
    expect(() => orderTerms({ quote: {}, terms })).to.throw("includeProtocolData: true");
    const signed = { protocol: { v2: { ...quote.protocol.v2, orderSignature: signOrder(wallet, order) } } };
    for (const [name, value] of Object.entries({
      amount: -1n,
      calls: ["0x1"],
      currency: "0x",
      earliestDeadline: -1n,
      latestDeadline: -1n,
      maximumFees: -1n,
      minimumAmount: -1n,
      outputCurrency: "some",
      recipient: "",
      refundTo: 7,
      solver: "0x12",
    })) {
      const given = { ...terms, [name]: value } as OrderTerms;
      expect(() => orderTerms({ quote: signed, terms: given }), name).to.throw(`terms.${name}`);
    }
    expect(() => orderTerms({ quote: signed, terms, vmTypes: null as never })).to.throw("vmTypes");
  });

  it("a time that is no number: is refused, and never read as the beginning of time", async () => {
    const signature = signOrder(wallet, order) as Hex;
    for (const time of [null, Number.NaN, Number.POSITIVE_INFINITY, 1n, "1"]) {
      const given = { now: time as number, order, signature, terms };
      expect(await explainTerms(given).catch(({ parameter }) => parameter), String(time)).to.equal("now");
    }
  });
});
