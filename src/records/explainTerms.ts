import { type Hex, hashMessage, recoverAddress, zeroAddress } from "viem";
import { readHex } from "../internal/readHex.ts";
import { assertNumber } from "../internal/readParts.ts";
import { hashOrder } from "./hashOrder.ts";
import type { Order, OrderInput } from "./Order.ts";
import { hashCalls, hashTerms, type OrderTerms } from "./orderTerms.ts";
import { highestS } from "./recoverSigner.ts";

/** Errors of the Solidity library `OrderTerms`, in the order of its checks. */
export type OrderTermsFault =
  | "VersionDiffers"
  | "SolverDiffers"
  | "InputCountDiffers"
  | "InputChainDiffers"
  | "InputCurrencyDiffers"
  | "InputAmountDiffers"
  | "InputWeightDiffers"
  | "RefundToIsZero"
  | "RefundCurrencyDiffers"
  | "RefundDeadlineTooEarly"
  | "RefundChainDiffers"
  | "RefundRecipientDiffers"
  | "OriginRefundMissing"
  | "OutputChainDiffers"
  | "PaymentCountDiffers"
  | "RecipientDiffers"
  | "RecipientIsZero"
  | "OutputCurrencyDiffers"
  | "MinimumIsZero"
  | "MinimumTooLow"
  | "DeadlineOutsideWindow"
  | "CallsDiffer"
  | "FeeCurrencyDiffers"
  | "FeesTooHigh"
  | "SignatureLengthDiffers"
  | "SignatureSAboveHalf"
  | "SignerDiffers";

/** A term that an order does not meet. */
export type OrderTermsDifference = {
  /** The error that the contract reverts with. */
  readonly fault: OrderTermsFault;
  /** Path in the order, or the term itself. */
  readonly path: string;
  /** A sentence for people. */
  readonly message: string;
};

export type ExplainTermsParameters = {
  order: Order;
  /** `protocol.v2.orderSignature`: 65 bytes, or the 64 bytes of ERC-2098. */
  signature: Hex;
  terms: OrderTerms;
  /** Unix milliseconds. Default: the present. */
  now?: number | undefined;
};

export type ExplainTermsReturnType = Promise<readonly OrderTermsDifference[]>;

type Report = (fault: OrderTermsFault, path: string, actual: unknown, allowed: unknown) => void;
type Check = { readonly order: Order; readonly terms: OrderTerms; readonly report: Report };

/**
 * Lists the terms that an order does not meet, in the order of the Solidity library's checks and with the names of its
 * errors. The library reverts with the first of them. Of a list with another length than one, it checks only the length.
 *
 * @returns All differences; empty for an order that the library accepts at this time.
 * @throws {InvalidParameterError} For an invalid member of order or terms, by path.
 *
 * @example
 * import { explainTerms, type Order, type OrderTerms } from "waybill";
 *
 * declare const order: Order;
 * declare const signature: `0x${string}`;
 * declare const terms: OrderTerms;
 * for (const { message } of await explainTerms({ order, signature, terms })) console.log(message);
 */
export async function explainTerms(parameters: ExplainTermsParameters): ExplainTermsReturnType {
  const { now = Date.now(), order, terms } = parameters;
  assertNumber("now", now, 0);
  const signature = readHex(parameters.signature, "signature");
  const orderId = hashOrder({ order });
  hashTerms(terms);
  const found: OrderTermsDifference[] = [];
  const report: Report = (fault, path, actual, allowed) => {
    found.push({ fault, message: `${path} is ${text(actual)}; allowed is ${text(allowed)}.`, path });
  };
  const check = { order, report, terms };
  if (order.version !== "v1") report("VersionDiffers", "order.version", order.version, "v1");
  if (!isEqual(order.solver, terms.solver))
    report("SolverDiffers", "order.solver", order.solver, terms.solver);
  checkInput(check);
  checkOutput(check, BigInt(Math.floor(now / 1_000)));
  checkFees(check);
  await checkSignature(check, orderId, signature);
  return found;
}

function checkInput({ order, report, terms }: Check): void {
  const [input] = order.inputs;
  if (input === undefined || order.inputs.length !== 1) {
    report("InputCountDiffers", "order.inputs", `a list of ${order.inputs.length}`, "one input");
    return;
  }
  const path = "order.inputs[0].payment";
  const { amount, chainId, currency, weight } = input.payment;
  if (chainId !== terms.originChain)
    report("InputChainDiffers", `${path}.chainId`, chainId, terms.originChain);
  if (!isEqual(currency, terms.currency))
    report("InputCurrencyDiffers", `${path}.currency`, currency, terms.currency);
  if (amount !== terms.amount) report("InputAmountDiffers", `${path}.amount`, amount, terms.amount);
  if (weight !== 1n) report("InputWeightDiffers", `${path}.weight`, weight, 1);
  if (isEqual(terms.refundTo, zeroAddress))
    report("RefundToIsZero", "terms.refundTo", terms.refundTo, "an account");
  input.refunds.forEach((refund, index) => {
    checkRefund({ order, report, terms }, refund, `order.inputs[0].refunds[${index}]`);
  });
  if (!input.refunds.some((refund) => refund.chainId === terms.originChain)) {
    report(
      "OriginRefundMissing",
      "order.inputs[0].refunds",
      "without one on the origin chain",
      `one on ${terms.originChain}`,
    );
  }
}

function checkRefund(
  { order, report, terms }: Check,
  refund: OrderInput["refunds"][number],
  path: string,
): void {
  const { currency, deadline, recipient } = refund;
  const isOrigin = refund.chainId === terms.originChain;
  if (isOrigin) {
    if (!isEqual(currency, terms.currency))
      report("RefundCurrencyDiffers", `${path}.currency`, currency, terms.currency);
    const fillBy = order.output.deadline;
    if (deadline < fillBy)
      report("RefundDeadlineTooEarly", `${path}.deadline`, deadline, `${fillBy} or later`);
  } else if (refund.chainId !== terms.destinationChain) {
    const allowed = `${terms.originChain} or ${terms.destinationChain}`;
    report("RefundChainDiffers", `${path}.chainId`, refund.chainId, allowed);
  }
  // With calls, the recipient is a router: anyone could take a refund from it.
  const isFixed = isOrigin || (terms.calls !== undefined && terms.calls.length > 0);
  const accounts = isFixed ? [terms.refundTo] : [terms.refundTo, terms.recipient];
  if (!accounts.some((account) => isEqual(recipient, account))) {
    report("RefundRecipientDiffers", `${path}.recipient`, recipient, accounts.join(" or "));
  }
}

function checkOutput({ order, report, terms }: Check, now: bigint): void {
  const { calls, chainId, deadline } = order.output;
  if (chainId !== terms.destinationChain) {
    report("OutputChainDiffers", "order.output.chainId", chainId, terms.destinationChain);
  }
  checkPayment({ order, report, terms });
  const asked = terms.earliestDeadline ?? 0n;
  const earliest = asked < now ? now : asked;
  if (BigInt(deadline) < earliest || BigInt(deadline) > terms.latestDeadline) {
    report(
      "DeadlineOutsideWindow",
      "order.output.deadline",
      deadline,
      `${earliest} to ${terms.latestDeadline}`,
    );
  }
  const allowed = terms.calls ?? [];
  if (hashCalls(calls) !== hashCalls(allowed)) {
    report("CallsDiffer", "order.output.calls", calls.join() || "empty", allowed.join() || "no call");
  }
}

function checkPayment({ order, report, terms }: Check): void {
  const { payments } = order.output;
  const [payment] = payments;
  if (payment === undefined || payments.length !== 1) {
    report("PaymentCountDiffers", "order.output.payments", `a list of ${payments.length}`, "one payment");
    return;
  }
  const path = "order.output.payments[0]";
  const { currency, minimumAmount, recipient } = payment;
  if (!isEqual(recipient, terms.recipient))
    report("RecipientDiffers", `${path}.recipient`, recipient, terms.recipient);
  if (/^0x0*$/.test(recipient)) report("RecipientIsZero", `${path}.recipient`, recipient, "an account");
  if (terms.outputCurrency !== "any" && !isEqual(currency, terms.outputCurrency)) {
    report("OutputCurrencyDiffers", `${path}.currency`, currency, terms.outputCurrency);
  }
  if (terms.minimumAmount === 0n) report("MinimumIsZero", "terms.minimumAmount", 0, "more than 0");
  if (minimumAmount < terms.minimumAmount) {
    report("MinimumTooLow", `${path}.minimumAmount`, minimumAmount, `at least ${terms.minimumAmount}`);
  }
}

function checkFees({ order, report, terms }: Check): void {
  let left = terms.maximumFees ?? 0n;
  order.fees.forEach(({ amount, currency, currencyChainId }, index) => {
    const path = `order.fees[${index}]`;
    if (currencyChainId !== terms.originChain || !isEqual(currency, terms.currency)) {
      const allowed = `${terms.currency} on ${terms.originChain}`;
      report("FeeCurrencyDiffers", `${path}.currency`, `${currency} on ${currencyChainId}`, allowed);
    }
    if (amount > left) report("FeesTooHigh", `${path}.amount`, amount, `at most ${left}`);
    else left -= amount;
  });
}

async function checkSignature({ report, terms }: Check, orderId: Hex, signature: Hex): Promise<void> {
  const bytes = signature.length / 2 - 1;
  if (bytes !== 65 && bytes !== 64) {
    report("SignatureLengthDiffers", "signature", `${bytes} bytes long`, "65 or 64 bytes");
    return;
  }
  const word = BigInt(`0x${signature.slice(66, 130)}`);
  const isCompact = bytes === 64;
  const s = isCompact ? BigInt.asUintN(255, word) : word;
  if (s > highestS) {
    report("SignatureSAboveHalf", "signature", "mirrored", "the one with the lower `s`");
    return;
  }
  const v = isCompact ? 27n + (word >> 255n) : BigInt(`0x${signature.slice(130)}`);
  const signer = await recover(orderId, `0x${signature.slice(2, 66)}`, s, v);
  if (signer === undefined || !isEqual(signer, terms.solver)) {
    report(
      "SignerDiffers",
      "signature",
      signer === undefined ? "no account's" : `that of ${signer}`,
      terms.solver,
    );
  }
}

async function recover(orderId: Hex, r: Hex, s: bigint, v: bigint): Promise<Hex | undefined> {
  if (v !== 27n && v !== 28n) return undefined;
  const hash = hashMessage({ raw: orderId });
  const signature = { r, s: `0x${s.toString(16).padStart(64, "0")}`, v } as const;
  return recoverAddress({ hash, signature }).catch(() => undefined);
}

function isEqual(first: string, second: string): boolean {
  return first.toLowerCase() === second.toLowerCase();
}

function text(value: unknown): string {
  return value === "" ? "empty" : String(value);
}
