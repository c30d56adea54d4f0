import * as z from "zod";
import type { FailReason } from "../../../src/schema/request/failReason.ts";
import { hexSchema } from "../../../src/schema/wire/hex.ts";
import type { Chain } from "../../chains/Chain.ts";
import { allowanceOf, balanceOf } from "../../chains/rpc.ts";
import { chainTime, permitTransaction } from "../../quote/permits/permitTransaction.ts";
import type { Intent, PermitTerms } from "../../requests/Intent.ts";
import { prepareCall, slippageReverts } from "../../router/prepareFill.ts";
import type { RouterWork } from "../../router/routerCalls.ts";
import { failureOf, type RelayedDeposit, type RelayedKind, type RelayFailure } from "./RelayedKind.ts";

const payloadSchema = z.object({ signature: hexSchema });
type Payload = z.output<typeof payloadSchema>;

/** Reads the stored signature of a relayed deposit. */
export function parsePayload(json: string): Payload {
  return payloadSchema.parse(JSON.parse(json));
}

/** Writes a signature in its stored form. */
export function serializePayload(payload: Payload): string {
  return JSON.stringify(payload);
}

/** Deposits that users authorise by one signature of a token's or Permit2's typed data. */
export const permitKind: RelayedKind = {
  /** Explains a revert: a missing balance or allowance, or a passed deadline, still holds. */
  explainRevert: async (deposit, chain, { message }, { now }) =>
    (await findHindrance(requirePermit(deposit), chain, now())) ??
    failureOf(chooseFailReason(message, "TRANSACTION_REVERTED"), message),

  prepare: async (deposit, chain, { accounts, now }) => {
    const intent = requirePermit(deposit);
    const hindrance = await findHindrance(intent, chain, now());
    if (hindrance !== undefined) return hindrance;
    const { permit, routerVersion, user } = intent;
    const { signature } = parsePayload(deposit.payload);
    const call = permitTransaction(permitWork(intent), permit, { signature, user }, routerVersion);
    const prepared = await prepareCall(call, chain, accounts.solver.account.address);
    if ("call" in prepared) return prepared;
    const { details, failedCall, failReason } = prepared;
    return {
      ...failureOf(chooseFailReason(details, failReason), details),
      ...(failedCall !== undefined && { failedCall }),
    };
  },
};

function requirePermit({ intent }: RelayedDeposit): PermitIntent {
  if (!hasPermit(intent)) throw new Error(`the quote of ${intent.requestId} offered no permit`);
  return intent;
}

/** Finds an obstacle that no signature could overcome: deadline, balance, allowance, in this order. */
async function findHindrance(
  { origin: { amount, currency }, permit, user }: PermitIntent,
  chain: Chain,
  now: number,
): Promise<RelayFailure | undefined> {
  if (chainTime(chain, now) > permit.deadline) {
    return failureOf("SIGNATURE_EXPIRED", "the permit has expired");
  }
  const balance = await balanceOf(chain, currency, user);
  if (balance < amount) {
    return failureOf("GASLESS_PERMIT_BALANCE_TOO_LOW", `the user holds ${balance} of ${amount}`);
  }
  if (permit.way !== "permit2") return undefined;
  const allowance = await allowanceOf(chain, currency, { owner: user, spender: chain.contracts.permit2 });
  return allowance < amount
    ? failureOf("TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE", `Permit2 may take ${allowance} of ${amount}`)
    : undefined;
}

function chooseFailReason(message: string, otherwise: FailReason): FailReason {
  return reasons.find(([pattern]) => pattern.test(message))?.[1] ?? otherwise;
}

const reasons: readonly (readonly [RegExp, FailReason])[] = [
  [slippageReverts, "SLIPPAGE"],
  [/SignatureExpired|InvalidAuthorizationTime|AuthorizationNotValid|expired/i, "SIGNATURE_EXPIRED"],
  [/InvalidNonce|UsedAuthorization|AuthorizationUsed|is used/i, "INVALID_NONCE"],
  [/InvalidSigner|Invalid\w*Signature|NotSigned|invalid signature/i, "INVALID_SIGNATURE"],
];

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
