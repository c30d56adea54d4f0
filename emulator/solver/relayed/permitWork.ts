import type { Intent, PermitTerms } from "../../requests/Intent.ts";
import type { RouterWork } from "../../router/routerTransaction.ts";

/** An intent that offered payment by signature. */
export type PermitIntent = Intent & { readonly permit: PermitTerms };

/** Whether an intent offered payment by signature. */
export function hasPermit(intent: Intent): intent is PermitIntent {
  return intent.permit !== undefined;
}

/** Calls that the user signed, with the money they use. */
export function permitWork(intent: PermitIntent): RouterWork {
  const { deposit, origin, permit, recipient, requestId, user } = intent;
  const { amount, currency } = origin;
  const owner = deposit.via === "self" ? recipient : user;
  return { amount, calls: permit.calls, currency, nftRecipient: owner, refundTo: owner, requestId };
}
