import type { RouterWork } from "../quote/routerTransaction.ts";
import type { Intent } from "../store/Intent.ts";
import type { PermitTerms } from "./PermitTerms.ts";

/** An intent whose user was offered to pay by signature. */
export type PermitIntent = Intent & { readonly permit: PermitTerms };

/** Whether an intent is one. */
export function hasPermit(intent: Intent): intent is PermitIntent {
  return intent.permit !== undefined;
}

/** What the user signed that is done with his money. */
export function permitWork({ origin, permit, requestId, user }: PermitIntent): RouterWork {
  const { amount, currency } = origin;
  return { amount, calls: permit.calls, currency, nftRecipient: user, refundTo: user, requestId };
}
