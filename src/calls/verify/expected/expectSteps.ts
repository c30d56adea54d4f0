import type { Hex } from "viem";
import {
  type EvmTransactionData,
  type SignatureData,
  type Step,
  stepKinds,
} from "../../../schema/quote/step.ts";
import { decodeCall } from "../../decodeCall.ts";
import { Coded, isSame, mustHold, Unmet } from "../compareWhole.ts";
import { encodeCall, proofFunctions } from "../routedCalls.ts";
import type { Terms } from "../Terms.ts";
import { expectPermission } from "./expectPermission.ts";
import { type ExpectedPayment, expectPayment, expectSent, sentOf, tagged } from "./expectTransaction.ts";

/** What the steps must be, beside what they are, and what they leave to prove. */
export type ExpectedSteps = {
  /** By path below `steps`. */
  readonly actual: object;
  readonly expected: object;
  readonly payment: ExpectedPayment | undefined;
  /** Path of the payment, below `steps`. */
  readonly paymentPath: string;
  readonly unmet: readonly Unmet[];
};

type Approval = { readonly amount: bigint; readonly data: EvmTransactionData; readonly tag: Hex };

type Item = {
  readonly actual: object;
  readonly approval?: Approval;
  readonly expected: object;
  readonly payment?: ExpectedPayment | undefined;
  /** a: approval; p: ERC-2612 permit; $: payment; &: payment that uses the permit; ?: anything else. */
  readonly role: "$" | "&" | "?" | "a" | "p";
};

/** One payment, after the approvals that it needs. After an ERC-2612 permit, the service appends the payment. */
const plans = /^(?:a{0,2}\$|p&?)$/;
const roleNames = { $: "payment", "&": "payment by permit", "?": "unknown", a: "approval", p: "permit" };

/** The items of all steps, by path. */
export function expectSteps(terms: Terms): ExpectedSteps {
  const { origin, quote, requestId } = terms;
  const items = quote.steps.flatMap((step, stepIndex) =>
    step.items.map(({ data }, itemIndex) => {
      return { ...readItem(terms, step, data), path: `${stepIndex}.items.${itemIndex}.data` };
    }),
  );
  const paying = items.find(({ role }) => role === "$" || role === "&");
  const last = items.findLast(({ approval }) => approval !== undefined);
  const expected = items.map((item) => [
    item.path,
    item.approval ? expectAllowed(terms, paying?.payment, item.approval, item === last) : item.expected,
  ]);
  const plan = items.map(({ role }) => role).join("");
  const names = items.map(({ role }) => roleNames[role]).join(", ") || "none";
  const vmType = origin?.vmType ?? "evm";
  const strange = quote.steps.find(({ kind }) => !stepKinds.includes(kind));
  const isBytes32 = /^0x[0-9a-fA-F]{64}$/.test(String(requestId));
  return {
    actual: Object.fromEntries(items.map(({ actual, path }) => [path, actual])),
    expected: Object.fromEntries(expected),
    payment: paying?.payment,
    paymentPath: paying?.path ?? "",
    unmet: [
      ...mustHold(vmType === "evm", "EVM transactions", "QUOTE_CALL", vmType),
      ...mustHold(strange === undefined, "transactions and signatures", "QUOTE_CALL", String(strange?.kind)),
      ...mustHold(plans.test(plan), "one payment, after its approvals", "QUOTE_PAYMENT", names),
      ...mustHold(isBytes32, "a request id of 32 bytes", "QUOTE_REQUEST_ID", String(requestId)),
      ...(paying?.payment?.unmet ?? []),
    ],
  };
}

/** Reads an item. A hostile one may hold values that cannot be encoded. */
function readItem(terms: Terms, step: Step, given: unknown): Item {
  const data = given as (EvmTransactionData & SignatureData) | undefined;
  try {
    if (step.kind === "signature" && data !== undefined) {
      const permission = expectPermission(terms, data);
      return { ...permission, role: permission.payment === undefined ? "p" : "$" };
    }
    if (step.kind === "transaction" && data?.to !== undefined) return readTransaction(terms, data);
  } catch {
    return { actual: {}, expected: new Unmet("a payment that can be encoded", "QUOTE_CALL"), role: "?" };
  }
  const expected = new Unmet("an EVM transaction or a signature", "QUOTE_CALL", String((step as Step).kind));
  return { actual: {}, expected, role: "?" };
}

function readTransaction(terms: Terms, data: EvmTransactionData): Item {
  const actual = sentOf(terms, data);
  const call = decodeCall(proofFunctions, data.data ?? "0x");
  if (call?.functionName === "approve") {
    const approval = { amount: call.args[1], data, tag: call.tag };
    return { actual, approval, expected: {}, role: "a" };
  }
  const payment = expectPayment(terms, data);
  const value = terms.isNative ? terms.amountIn : 0n;
  const expected = expectSent(terms, data, { data: payment.data, to: payment.to, value });
  const role = call?.functionName === "permitTransferAndMulticall" ? "&" : "$";
  return { actual, expected, payment, role };
}

/** At most two approvals: a reset to zero, then the payment's amount. Permit2 may keep a larger allowance. */
function expectAllowed(
  terms: Terms,
  payment: ExpectedPayment | undefined,
  { amount, data, tag }: Approval,
  isLast: boolean,
): object {
  const { amountIn, origin, policy, request } = terms;
  const puller = payment?.puller;
  // Permit2 needs a signature for each payment; any other spender could take more than this payment.
  const isPermit2 = puller !== undefined && isSame(puller, origin?.permit2);
  const limit = isPermit2 ? (policy.maximumAllowance ?? amountIn) : amountIn;
  const allowed = amount >= amountIn && amount <= limit ? amount : amountIn;
  return expectSent(terms, data, {
    data:
      puller === undefined
        ? new Unmet("no approval, as nobody pulls", "QUOTE_SPENDER")
        : tagged(terms, encodeCall("approve", [puller, isLast ? allowed : 0n]), tag),
    to: new Coded(request.originCurrency, "QUOTE_CURRENCY"),
    value: 0n,
  });
}
