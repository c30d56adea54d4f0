import type { FailReason } from "../../../src/schema/request/failReason.ts";
import type { Intent } from "../../requests/Intent.ts";
import type { FoundDeposit } from "./FoundDeposit.ts";

/** Verdict on a deposit: fill it, or refund it for a reason. */
export type Judgement =
  | { readonly outcome: "accepted" }
  | { readonly outcome: "refused"; readonly reason: FailReason };

/** Fields of an intent that a deposit must match. */
export type Promised = Pick<Intent, "depositAddress" | "user" | "expiresAt"> & {
  readonly origin: Pick<Intent["origin"], "chainId">;
  readonly deposit: Pick<Intent["deposit"], "via" | "currency" | "minimumAmount">;
};

/** Other facts that a judgement depends on. */
export type Circumstances = {
  /** Whether another deposit has decided the request. */
  readonly isPaid: boolean;
  /** When the deposit was found; unix milliseconds. */
  readonly now: number;
  /** Deadline of the order itself; unix milliseconds. A quote may have set an earlier one. */
  readonly orderDeadline: number;
};

/**
 * Judges a deposit by the intent that it names. Pure: earlier payments are passed in. An overpayment is accepted; the
 * fill delivers the surplus.
 */
export function judgeDeposit(
  deposit: Pick<FoundDeposit, "chainId" | "currency" | "amount" | "depositors">,
  intent: Promised,
  { isPaid, now, orderDeadline }: Circumstances,
): Judgement {
  if (isPaid) return refused("DOUBLE_SPEND");
  if (intent.depositAddress?.refusal !== undefined) return refused(intent.depositAddress.refusal);
  if (intent.deposit.via === "self") return refused("DEPOSIT_ADDRESS_MISMATCH");
  if (deposit.chainId !== intent.origin.chainId) return refused("DEPOSIT_CHAIN_MISMATCH");
  if (deposit.currency.toLowerCase() !== intent.deposit.currency.toLowerCase()) {
    return refused("INCORRECT_DEPOSIT_CURRENCY");
  }
  // Any account may pay to a deposit address.
  if (intent.depositAddress === undefined && !isPaidBy(deposit, intent)) return refused("INVALID_SENDER");
  if (now > intent.expiresAt) {
    return refused(intent.expiresAt < orderDeadline ? "TTL_EXPIRED" : "ORDER_EXPIRED");
  }
  if (deposit.amount < intent.deposit.minimumAmount) return refused("DEPOSITED_AMOUNT_TOO_LOW_TO_FILL");
  return { outcome: "accepted" };
}

/**
 * Whether a deposit decides the outcome of its request. A matching deposit decides it, whichever account paid. A deposit
 * signed by the user does too, because the user tracks it by this request. Other payers' deposits must not
 * spoil the request.
 */
export function decidesRequest(
  judgement: Judgement,
  { depositors }: Pick<FoundDeposit, "depositors">,
  { deposit, user }: Promised,
  isPaid: boolean,
): boolean {
  if (judgement.outcome === "accepted") return true;
  const signer = depositors.at(-1);
  return !isPaid && deposit.via !== "self" && signer?.toLowerCase() === user.toLowerCase();
}

function isPaidBy(
  { depositors }: Pick<FoundDeposit, "depositors">,
  { user }: Pick<Promised, "user">,
): boolean {
  return depositors.some((address) => address.toLowerCase() === user.toLowerCase());
}

function refused(reason: FailReason): Judgement {
  return { outcome: "refused", reason };
}
