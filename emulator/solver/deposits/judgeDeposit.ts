import type { FailReason } from "../../../src/schema/failReason.ts";
import type { Intent } from "../../requests/Intent.ts";
import type { FoundDeposit } from "./findDeposits.ts";

/** What becomes of a deposit: it is filled, or goes back for a reason. */
export type Judgement =
  | { readonly outcome: "accepted" }
  | { readonly outcome: "refused"; readonly reason: FailReason };

/** What a deposit is held against: not what the user paid, but what was to come of it. */
export type Promised = Pick<Intent, "user" | "expiresAt"> & {
  readonly origin: Pick<Intent["origin"], "chainId">;
  readonly deposit: Pick<Intent["deposit"], "via" | "currency" | "minimumAmount">;
};

/** What else a judgement depends on. */
export type Circumstances = {
  /** Whether another deposit has decided the request. */
  readonly isPaid: boolean;
  /** When the deposit was found; unix milliseconds. */
  readonly now: number;
  /** Until when the order itself could be filled; unix milliseconds. A quote may have asked for less. */
  readonly orderDeadline: number;
};

/**
 * Holds a deposit against the intent it names. Pure: what has been paid before is told.
 *
 * More than was asked for is accepted; the surplus is the fill's to deliver.
 */
export function judgeDeposit(
  deposit: Pick<FoundDeposit, "chainId" | "currency" | "amount" | "depositors">,
  intent: Promised,
  { isPaid, now, orderDeadline }: Circumstances,
): Judgement {
  if (isPaid) return refused("DOUBLE_SPEND");
  if (intent.deposit.via === "self") return refused("DEPOSIT_ADDRESS_MISMATCH");
  if (deposit.chainId !== intent.origin.chainId) return refused("DEPOSIT_CHAIN_MISMATCH");
  if (deposit.currency.toLowerCase() !== intent.deposit.currency.toLowerCase()) {
    return refused("INCORRECT_DEPOSIT_CURRENCY");
  }
  if (!deposit.depositors.some((address) => address.toLowerCase() === intent.user.toLowerCase())) {
    return refused("INVALID_SENDER");
  }
  if (now > intent.expiresAt) {
    return refused(intent.expiresAt < orderDeadline ? "TTL_EXPIRED" : "ORDER_EXPIRED");
  }
  if (deposit.amount < intent.deposit.minimumAmount) return refused("DEPOSITED_AMOUNT_TOO_LOW_TO_FILL");
  return { outcome: "accepted" };
}

/**
 * Whether a deposit decides what becomes of its request. The right one does, whoever made it, and what the user himself
 * signed does: he polls at this request for what became of his money. What somebody else sends must not spoil it.
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

function refused(reason: FailReason): Judgement {
  return { outcome: "refused", reason };
}
