import type { FailReason } from "../../src/schema/failReason.ts";
import type { Intent } from "../store/Intent.ts";
import type { FoundDeposit } from "./findDeposits.ts";

/** What becomes of a deposit: it is filled, or goes back for a reason. */
export type Judgement =
  | { readonly outcome: "accepted" }
  | { readonly outcome: "refused"; readonly reason: FailReason };

/** What a deposit is held against: not what the user paid, but what was to come of it. */
export type Promised = Pick<Intent, "user"> & {
  readonly origin: Pick<Intent["origin"], "chainId">;
  readonly deposit: Pick<Intent["deposit"], "via" | "currency" | "minimumAmount">;
};

/**
 * Holds a deposit against the intent it names. Pure: what has been paid before is told.
 *
 * More than was asked for is accepted; the surplus is the fill's to deliver.
 */
export function judgeDeposit(
  deposit: Pick<FoundDeposit, "chainId" | "currency" | "amount" | "depositors">,
  intent: Promised,
  isPaid: boolean,
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
  if (deposit.amount < intent.deposit.minimumAmount) return refused("DEPOSITED_AMOUNT_TOO_LOW_TO_FILL");
  return { outcome: "accepted" };
}

function refused(reason: FailReason): Judgement {
  return { outcome: "refused", reason };
}
