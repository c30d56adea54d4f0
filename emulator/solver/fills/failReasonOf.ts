import type { FailReason } from "../../../src/schema/failReason.ts";
import type { Intent } from "../../requests/Intent.ts";

/** What tokens of different libraries say, and what it means for calls of a user. */
const callFailures: readonly (readonly [RegExp, FailReason])[] = [
  [/InsufficientAllowance|exceeds allowance/i, "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE"],
  [/InsufficientBalance|exceeds balance/i, "TRANSFER_AMOUNT_EXCEEDS_BALANCE"],
  [/TransferFromFailed|TRANSFER_FROM_FAILED/, "TRANSFER_FROM_FAILED"],
  [/TransferFailed|TRANSFER_FAILED/, "TRANSFER_FAILED"],
  [/INSUFFICIENT_OUTPUT_AMOUNT|Too little received/, "TOO_LITTLE_RECEIVED"],
  [/EnforcedPause|Pausable: paused/, "CONTRACT_PAUSED"],
];

/**
 * The reason that the service tells for a fill that reverts when it is run. Nothing but the delivery itself can revert
 * where there are no calls: the recipient does not take it, or the token does not let it go there.
 *
 * @param failReason As far as it is known without reading the revert.
 * @param message The revert, decoded.
 */
export function failReasonOf(
  { txs }: Pick<Intent, "txs">,
  { failReason, message }: { readonly failReason: FailReason; readonly message: string },
): FailReason {
  if (failReason !== "EXECUTION_REVERTED" && failReason !== "MISSING_REVERT_DATA") return failReason;
  if (txs.length === 0) return "DESTINATION_TOKEN_TRANSFER_REJECTED";
  return callFailures.find(([pattern]) => pattern.test(message))?.[1] ?? failReason;
}
