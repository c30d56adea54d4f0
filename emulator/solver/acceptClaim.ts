import { type Address, type Hex, hashMessage, isAddressEqual } from "viem";
import type { Context } from "../context/Context.ts";
import { PermitRefusedError } from "../errors/refusals.ts";
import { claimableBalances } from "../quote/claims/planDebits.ts";
import { applyTrigger, findRequest, lockStatus } from "../requests/applyTrigger.ts";
import { type Intent, parseIntent } from "../requests/Intent.ts";
import { lockName } from "../store/locks.ts";
import type { Store, StoreTransaction } from "../store/tables.ts";
import { storeObligation } from "./deposits/depositRows.ts";
import { isSignedByUser } from "./relayed/acceptPermit.ts";

type Claim = Intent & { readonly claim: NonNullable<Intent["claim"]> };

/**
 * Accepts the signature of a claim of app fees: debits the balances and makes the payout due, in one transaction.
 * Idempotent, so that a client may repeat a call whose answer was lost.
 */
export async function acceptClaim(requestId: string, signature: Hex, context: Context): Promise<void> {
  const request = await findRequest(context.store, requestId);
  if (request === undefined) throw new PermitRefusedError("Request not found");
  const intent = parseIntent(request.intent);
  if (!isClaim(intent)) throw new PermitRefusedError("The request is no claim of app fees");
  // Checked before everything that changes with time: the money may have moved.
  if (await isTaken(context.store, intent.requestId, signature)) return;
  const { deadline, digest } = intent.claim;
  if (context.now() > deadline * 1_000) throw new PermitRefusedError("The claim has expired");
  const chain = context.chains.get(intent.destination.chainId);
  if (chain === undefined) throw new Error(`chain ${intent.destination.chainId} is not configured`);
  // A wallet with code on the claimed chain answers for itself, as at Permit2.
  // The service's documents show the request's id as the signed message, in place of typed data.
  const digests = [digest, hashMessage({ raw: intent.requestId })];
  const isSigned = (each: Hex) =>
    isSignedByUser({ digest: each, way: "permit2" }, intent.user, signature, chain);
  if (!(await Promise.all(digests.map(isSigned))).includes(true)) {
    throw new PermitRefusedError("The wallet did not sign this claim with this signature");
  }
  await context.store.transaction().execute((transaction) => record(transaction, intent, signature, context));
}

function isClaim(intent: Intent): intent is Claim {
  return intent.claim !== undefined;
}

async function isTaken(store: Store, requestId: string, signature: Hex): Promise<boolean> {
  const taken = await store
    .selectFrom("app_fee_claims")
    .select("signature")
    .where("request_id", "=", requestId)
    .executeTakeFirst();
  if (taken === undefined) return false;
  if (taken.signature === signature.toLowerCase()) return true;
  throw new PermitRefusedError("The claim has another signature already");
}

/** Debits the balances and makes the payout due, or neither. */
async function record(
  transaction: StoreTransaction,
  intent: Claim,
  signature: Hex,
  context: Pick<Context, "chains" | "now">,
): Promise<void> {
  const { destination, requestId, user } = intent;
  const wallet = user.toLowerCase();
  const status = await lockStatus(transaction, requestId);
  // Another call may have submitted the same signature meanwhile.
  if (await isTaken(transaction, requestId, signature)) return;
  if (status !== "waiting") throw new PermitRefusedError(`The claim's status is ${status}`);
  // Other claims of the wallet wait: the balance cannot change between this check and the debit.
  await lockName(transaction, `app-fees ${wallet}`);
  const balances = await claimableBalances(wallet, transaction, context);
  const { debits } = intent.claim;
  const covers = ({ amount, chainId, currency }: (typeof debits)[number]) =>
    balances.some(
      (held) =>
        held.chain.definition.id === chainId &&
        isAddressEqual(held.currency.address, currency as Address) &&
        held.amount >= amount,
    );
  if (!debits.every(covers)) throw new PermitRefusedError("The balance no longer covers the claim");
  const at = context.now();
  const rows = debits.map(({ amount, chainId, currency }, place) => ({
    amount: amount.toString(),
    at,
    chain_id: chainId,
    currency: currency.toLowerCase(),
    place,
    request_id: requestId,
    signature: signature.toLowerCase(),
    wallet,
  }));
  await transaction.insertInto("app_fee_claims").values(rows).execute();
  await storeObligation(transaction, intent, { ...destination, source: "claim" }, at);
  await applyTrigger(transaction, requestId, { trigger: "claim-signed" }, at);
}
