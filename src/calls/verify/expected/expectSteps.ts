import type { Hex } from "viem";
import {
  type EvmTransactionData,
  type SignatureData,
  type Step,
  stepKinds,
} from "../../../schema/quote/step.ts";
import { decodeCall } from "../../decodeCall.ts";
import { Coded, choose, isSame, mustHold, Unmet } from "../compareWhole.ts";
import { usualMaximumGas } from "../proofDefaults.ts";
import { encodeCall, proofFunctions } from "../routedCalls.ts";
import type { Terms } from "../Terms.ts";
import { expectPermission } from "./expectPermission.ts";
import { type ExpectedPayment, expectPayment, tagged } from "./expectTransaction.ts";

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

/** What the steps are and must be, by path below `steps`, with the payment and the conditions that are not met. */
export function expectSteps(terms: Terms) {
  const { origin, quote, requestId } = terms;
  const read = quote.steps.flatMap((step, stepIndex) =>
    step.items.map(({ data }, itemIndex) => {
      return { ...readItem(terms, step, data), path: `${stepIndex}.items.${itemIndex}.data` };
    }),
  );
  const paying = read.find(({ role }) => role === "$" || role === "&");
  const payment = paying?.payment;
  const last = read.findLast(({ approval }) => approval !== undefined);
  const items = read.map((item) => ({
    ...item,
    ...(item.approval && expectAllowed(terms, payment, item.approval, item === last)),
  }));
  const plan = items.map(({ role }) => role).join("");
  const names = items.map(({ role }) => roleNames[role]).join(", ") || "none";
  const vmType = origin?.vmType ?? "evm";
  const strange = quote.steps.find(({ kind }) => !stepKinds.includes(kind));
  const isBytes32 = /^0x[0-9a-fA-F]{64}$/.test(String(requestId));
  return {
    actual: Object.fromEntries(items.map(({ actual, path }) => [path, actual])),
    expected: Object.fromEntries(items.map(({ expected, path }) => [path, expected])),
    payment,
    paymentPath: paying?.path ?? "",
    unmet: [
      ...mustHold(vmType === "evm", "EVM transactions", "QUOTE_CALL", vmType),
      ...mustHold(strange === undefined, "transactions and signatures", "QUOTE_CALL", String(strange?.kind)),
      ...mustHold(plans.test(plan), "one payment, after its approvals", "QUOTE_PAYMENT", names),
      ...mustHold(isBytes32, "a request id of 32 bytes", "QUOTE_REQUEST_ID", String(requestId)),
      ...(payment?.unmet ?? []),
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
  const call = decodeCall(proofFunctions, data.data ?? "0x");
  if (call?.functionName === "approve") {
    const approval = { amount: call.args[1], data, tag: call.tag };
    return { actual: {}, approval, expected: {}, role: "a" };
  }
  const payment = expectPayment(terms, data, call);
  const value = terms.isNative ? terms.amountIn : 0n;
  const compared = compareSent(terms, data, { data: payment.data, to: payment.to, value });
  const role = call?.functionName === "permitTransferAndMulticall" ? "&" : "$";
  return { ...compared, payment, role };
}

/** A transaction as it is and as it must be sent: from the user, on the origin chain, with this value. */
function compareSent(
  { policy: { maximumGas = usualMaximumGas }, request: { originChainId, user } }: Terms,
  { chainId = originChainId, data = "0x", from, gas, to, value = 0 }: EvmTransactionData,
  call: { readonly data: unknown; readonly to: unknown; readonly value: bigint },
): Pick<Item, "actual" | "expected"> {
  const bounded = choose(gas, BigInt(gas ?? 0) <= maximumGas, `at most ${maximumGas}`);
  return {
    actual: { chainId, data, from: from ?? user, gas, to, value: BigInt(value) },
    expected: { ...call, chainId: originChainId, from: user, gas: bounded },
  };
}

/** At most two approvals: a reset to zero, then the payment's amount. Permit2 may keep a larger allowance. */
function expectAllowed(
  terms: Terms,
  payment: ExpectedPayment | undefined,
  { amount, data, tag }: Approval,
  isLast: boolean,
): Pick<Item, "actual" | "expected"> {
  const { amountIn, origin, policy, request } = terms;
  const puller = payment?.puller;
  // Permit2 needs a signature for each payment; any other spender could take more than this payment.
  const limit = isSame(puller, origin?.permit2) ? (policy.maximumAllowance ?? amountIn) : amountIn;
  const allowed = amount >= amountIn && amount <= limit ? amount : amountIn;
  const approved =
    puller === undefined
      ? new Unmet("no approval, as nobody pulls", "QUOTE_SPENDER")
      : tagged(terms, encodeCall("approve", [puller, isLast ? allowed : 0n]), tag);
  const to = new Coded(request.originCurrency, "QUOTE_CURRENCY");
  return compareSent(terms, data, { data: approved, to, value: 0n });
}
