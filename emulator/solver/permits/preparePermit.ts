import type { Hex } from "viem";
import type { FailReason } from "../../../src/schema/request/failReason.ts";
import { allowanceOf, balanceOf } from "../../chains/balanceOf.ts";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { chainTime, permitTransaction } from "../../quote/permits/permitTransaction.ts";
import type { Change } from "../../requests/applyTrigger.ts";
import type { SolverCall } from "../../router/fillCall.ts";
import { prepareCall, slippageReverts } from "../../router/prepareFill.ts";
import type { PermitRow } from "../../store/tables.ts";
import { type PermitIntent, permitWork } from "./permitWork.ts";

/** A deposit that succeeds on the chain's present state, or the reason why it fails. */
export type PreparedPermit =
  | { readonly call: SolverCall; readonly gas: bigint }
  | Pick<Change, "failReason" | "details" | "failedCall">;

/** Simulates the deposit that a user signed. */
export async function preparePermit(
  intent: PermitIntent,
  { signature }: Pick<PermitRow, "signature">,
  chain: Chain,
  { accounts, now }: Pick<Context, "accounts" | "now">,
): Promise<PreparedPermit> {
  const hindrance = await hindranceOf(intent, chain, now());
  if (hindrance !== undefined) return hindrance;
  const { permit, routerVersion, user } = intent;
  const signed = { signature: signature as Hex, user };
  const call = permitTransaction(permitWork(intent), permit, signed, routerVersion);
  const prepared = await prepareCall(call, chain, accounts.solver.account.address);
  if ("call" in prepared) return prepared;
  const { details, failedCall, failReason } = prepared;
  return {
    ...failureOf(depositFailReason(details, failReason), details),
    ...(failedCall !== undefined && { failedCall }),
  };
}

/** Finds an obstacle that no signature could overcome: deadline, balance, allowance, in this order. */
export async function hindranceOf(
  { origin: { amount, currency }, permit, user }: PermitIntent,
  chain: Chain,
  now: number,
): Promise<Pick<Change, "failReason" | "details"> | undefined> {
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

/** Chooses the fail reason of a signed deposit that reverts. */
export function depositFailReason(message: string, otherwise: FailReason): FailReason {
  return reasons.find(([pattern]) => pattern.test(message))?.[1] ?? otherwise;
}

/** Builds a failure. Clients of signatures treat it as final only if its details begin like this. */
export function failureOf(failReason: FailReason, details: string): Pick<Change, "failReason" | "details"> {
  return { details: `Transaction failed: ${details}`, failReason };
}

const reasons: readonly (readonly [RegExp, FailReason])[] = [
  [slippageReverts, "SLIPPAGE"],
  [/SignatureExpired|InvalidAuthorizationTime|AuthorizationNotValid|expired/i, "SIGNATURE_EXPIRED"],
  [/InvalidNonce|UsedAuthorization|AuthorizationUsed|is used/i, "INVALID_NONCE"],
  [/InvalidSigner|Invalid\w*Signature|NotSigned|invalid signature/i, "INVALID_SIGNATURE"],
];
