import type { Hex } from "viem";
import type { Control, FaultInput } from "../../../emulator/index.ts";
import type { Draws } from "../seededDraws.ts";
import type { Payment } from "./Payment.ts";
import { type PaymentKind, type PaymentPlan, paymentPlans } from "./paymentKinds.ts";

/** Longest delay of a fault, in milliseconds: much less than the time that a payment has to settle. */
const longestDelayMs = 150;
const fillReasons = ["SOLVER_BALANCE_TOO_LOW", "SLIPPAGE", "NO_QUOTES", "EXECUTION_REVERTED"] as const;
const delays = ["deposit-ignored", "fill-slow", "fill-unconfirmed", "signed-deposit-slow"] as const;

/**
 * Adds faults to a quoted request. Delays strike any payment. Fills and refunds fail only for payments whose end follows from
 * that: an advance that fails leaves its request open for another fill, and a claim needs a success.
 */
export async function addFaults(
  { faults }: Pick<Control, "faults">,
  kind: PaymentKind,
  requestId: Hex,
  draws: Draws,
): Promise<void> {
  const drawn: FaultInput[] = delays
    .filter(() => draws.chance(0.25))
    .map((delay) => ({ delayMs: draws.whole(1, longestDelayMs), kind: delay }));
  const plan: PaymentPlan = paymentPlans[kind];
  const mayFail = plan.end === "success" && !plan.isAdvanced && kind !== "fees claimed";
  if (mayFail && draws.chance(0.3)) {
    drawn.push({ failReason: draws.pick(fillReasons), kind: "fill-fails" });
    if (draws.chance(0.3)) drawn.push({ delayMs: draws.whole(0, longestDelayMs), kind: "transient-failure" });
    if (draws.chance(0.3)) drawn.push({ kind: "refund-rejected" });
  }
  for (const fault of drawn) await faults.add({ ...fault, requestId } as FaultInput);
}

/** Number of faults that fired, by request and kind. */
export type Fired = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads the fired faults of all requests. */
export async function readFired({ log }: Pick<Control, "log">): Promise<Fired> {
  const fired = new Map<string, Set<string>>();
  for (let after = 0; ; ) {
    const entries = await log({ after, limit: 1_000 });
    for (const { data, kind, requestId } of entries) {
      if (kind !== "fault" || requestId === undefined) continue;
      const kinds = fired.get(requestId) ?? new Set();
      fired.set(requestId, kinds.add(String(data?.["fault"])));
    }
    const last = entries.at(-1);
    if (last === undefined) return fired;
    after = last.seq;
  }
}

/**
 * The payment with the end that its fired faults lead to.
 *
 * @param status Status of its request: a deposit that returns after a reorg is refunded after all, because the fault has fired.
 */
export function afterFaults(payment: Payment, fired: Fired, status?: string): Payment {
  const kinds = fired.get(payment.requestId ?? "") ?? new Set();
  if (!kinds.has("fill-fails")) return payment;
  const { deposited, kind, plan } = payment;
  const isRejected = kinds.has("refund-rejected") && status !== "refund";
  return {
    ...payment,
    deposited: kind === "overpaid" ? 2n * deposited : deposited,
    plan: {
      ...plan,
      end: isRejected ? "failure" : "refund",
      fills: 0,
      refunds: plan.refunds + plan.fills - (isRejected ? 1 : 0),
    },
    sponsored: 0n,
    topup: 0n,
  };
}
