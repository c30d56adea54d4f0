import type { Hex } from "viem";
import {
  type EvmTransactionData,
  type SignatureData,
  type Step,
  stepKinds,
} from "../../../schema/quote/step.ts";
import { decodeCall } from "../../decodeCall.ts";
import { Coded, isSame, mustHold, Unmet } from "../compareWhole.ts";
import type { OutputClaim } from "../OutputClaim.ts";
import { encodeCall, proofFunctions } from "../proofFunctions.ts";
import { paysNative, type Terms } from "../Terms.ts";
import { expectPermission, signedOf } from "./expectPermission.ts";
import { type ExpectedPayment, expectPayment, expectSent, sentOf, tagged } from "./expectTransaction.ts";

/** What the steps must be, beside what they are, and what they leave to prove. */
export type ExpectedSteps = {
  /** By path below `steps`. */
  readonly actual: object;
  readonly claims: readonly OutputClaim[];
  readonly expected: object;
  readonly payment: ExpectedPayment | undefined;
  readonly unmet: readonly Unmet[];
};

type Item = {
  readonly actual: object;
  readonly expected: object | Unmet;
  readonly path: string;
  readonly payment?: ExpectedPayment | undefined;
  /** a: approval; p: ERC-2612 permit; $: payment; &: payment that uses the permit; ?: anything else. */
  readonly role: "$" | "&" | "?" | "a" | "p";
};

type Approval = { readonly amount: bigint; readonly data: EvmTransactionData; readonly tag: Hex };

/** One payment, after the approvals that it needs. After an ERC-2612 permit, the service appends the payment. */
const plans = /^(?:a{0,2}\$|p&?)$/;

/** The items of all steps, by path. */
export function expectSteps(terms: Terms): ExpectedSteps {
  const { quote, requestId } = terms;
  const approvals: [path: string, approval: Approval][] = [];
  const items = quote.steps.flatMap((step, stepIndex) =>
    step.items.map(({ data }, itemIndex): Item => {
      const path = `${stepIndex}.items.${itemIndex}.data`;
      const approval = step.kind === "transaction" ? readApproval(data as EvmTransactionData) : undefined;
      if (approval === undefined) return { ...attempt(() => readItem(terms, step, data)), path };
      approvals.push([path, approval]);
      return { actual: sentOf(terms, approval.data), expected: {}, path, role: "a" };
    }),
  );
  const payments = items.filter(({ role }) => role === "$" || role === "&");
  const [paying] = payments;
  const payment = paying?.payment;
  const allowed = approvals.map(
    ([path, approval], index) =>
      [path, expectAllowed(terms, payment, { approval, at: [index, approvals.length] })] as const,
  );
  const byPath = new Map<string, unknown>(allowed);
  const plan = items.map(({ role }) => role).join("");
  const vmType = terms.origin?.vmType ?? "evm";
  const strange = quote.steps.find(({ kind }) => !stepKinds.includes(kind));
  const isBytes32 = /^0x[0-9a-fA-F]{64}$/.test(String(requestId));
  return {
    actual: Object.fromEntries(items.map(({ actual, path }) => [path, actual])),
    claims: (payment?.claims ?? []).map((claim) => ({ ...claim, path: `steps.${paying?.path}` })),
    expected: Object.fromEntries(items.map(({ expected, path }) => [path, byPath.get(path) ?? expected])),
    payment,
    unmet: [
      ...mustHold(vmType === "evm", "EVM transactions", "QUOTE_CALL", vmType),
      ...mustHold(strange === undefined, "transactions and signatures", "QUOTE_CALL", String(strange?.kind)),
      ...mustHold(plans.test(plan), "one payment, after its approvals", "QUOTE_PAYMENT", namesOf(items)),
      ...mustHold(isBytes32, "a request id of 32 bytes", "QUOTE_REQUEST_ID", String(requestId)),
      ...(payment?.unmet ?? []),
    ],
  };
}

const roleNames = { $: "payment", "&": "payment by permit", "?": "unknown", a: "approval", p: "permit" };

function namesOf(items: readonly Item[]): string {
  return items.map(({ role }) => roleNames[role]).join(", ") || "none";
}

/** A hostile item may hold values that cannot be encoded. */
function attempt(read: () => Omit<Item, "path">): Omit<Item, "path"> {
  try {
    return read();
  } catch {
    return { actual: {}, expected: new Unmet("a payment that can be encoded", "QUOTE_CALL"), role: "?" };
  }
}

function readApproval(data: EvmTransactionData | undefined): Approval | undefined {
  const call = data?.to === undefined ? undefined : decodeCall(proofFunctions, data.data ?? "0x");
  if (data === undefined || call?.functionName !== "approve") return undefined;
  return { amount: call.args[1], data, tag: call.tag };
}

function readItem(terms: Terms, step: Step, given: unknown): Omit<Item, "path"> {
  const data = given as (EvmTransactionData & SignatureData) | undefined;
  if (step.kind === "signature" && data !== undefined) {
    const { expected, payment } = expectPermission(terms, data);
    return { actual: signedOf(data), expected, payment, role: payment === undefined ? "p" : "$" };
  }
  if (step.kind === "transaction" && data?.to !== undefined) {
    const payment = expectPayment(terms, data);
    const value = paysNative(terms) ? terms.amountIn : 0n;
    const call = { data: payment.data, to: payment.to, value };
    const usesPermit =
      decodeCall(proofFunctions, data.data ?? "0x")?.functionName === "permitTransferAndMulticall";
    return {
      actual: sentOf(terms, data),
      expected: expectSent(terms, data, call),
      payment,
      role: usesPermit ? "&" : "$",
    };
  }
  const expected = new Unmet("an EVM transaction or a signature", "QUOTE_CALL", String((step as Step).kind));
  return { actual: {}, expected, role: "?" };
}

/** At most two approvals: a reset to zero, then the payment's amount. Permit2 may keep a larger allowance. */
function expectAllowed(
  terms: Terms,
  payment: ExpectedPayment | undefined,
  { approval, at: [index, count] }: { approval: Approval; at: readonly [number, number] },
): object {
  const { amountIn, origin, policy } = terms;
  const puller = payment?.puller;
  // Permit2 needs a signature for each payment; any other spender could take more than this payment.
  const isPermit2 = puller !== undefined && isSame(puller, origin?.permit2);
  const limit = isPermit2 ? (policy.maximumAllowance ?? amountIn) : amountIn;
  const { amount, data, tag } = approval;
  const isLast = index === count - 1;
  const expected = !isLast ? 0n : amount >= amountIn && amount <= limit ? amount : amountIn;
  return expectSent(terms, data, {
    data:
      puller === undefined
        ? new Unmet("no approval, as nobody pulls", "QUOTE_SPENDER")
        : tagged(terms, encodeCall("approve", [puller, expected]), tag),
    to: new Coded(terms.request.originCurrency, "QUOTE_CURRENCY"),
    value: 0n,
  });
}
