import { isAddressEqual } from "viem";
import type { FailReason } from "../../../src/schema/request/failReason.ts";
import { ExecuteRefusedError } from "../../errors/ExecuteRefusedError.ts";
import { prepareCall } from "../../router/prepareFill.ts";
import { decodePayments } from "../deposits/find/decodePayments.ts";
import { traceCalls } from "../receipts/traceCalls.ts";
import { isAsQuoted } from "../sameChain/sameChainTransactions.ts";
import { assertAuthorized, isDelegated } from "./assertAuthorized.ts";
import { callGasExcess } from "./callGasExcess.ts";
import { failureOf, type RelayedKind } from "./RelayedKind.ts";
import { callOf, parseRawCalls } from "./rawCalls.ts";

/** Calls that a user's account makes, submitted by the service; see `acceptRawCalls`. */
export const rawCallsKind: RelayedKind = {
  confirm: async ({ intent }, chain, { logs, transaction }, { accounts, log }) => {
    const { deposit, orderId, own, requestId, user } = intent;
    if (deposit.via === "depository") {
      const context = { log, solver: accounts.solver.account.address };
      const payments = await decodePayments(chain, transaction, logs, context);
      const isPaid = payments.some(({ paidTo, tag }) =>
        isSameHex(tag, paidTo === "depository" ? orderId : requestId),
      );
      return isPaid ? undefined : failureOf("INCORRECT_PAYMENT", "the calls made no deposit for the request");
    }
    // A request without a quote is these calls alone. Without the executor's code, the account made none.
    if (own === null) {
      if (await isDelegated(chain, user)) return undefined;
      return failureOf(
        "INVALID_NONCE",
        "the chain skipped the authorization, so that the account made no call",
      );
    }
    const calls = await traceCalls(chain, transaction.hash);
    if (calls === undefined) {
      const cannot = `${chain.definition.name} cannot trace, so that the calls are not confirmed`;
      return failureOf("TRANSACTION_NOT_INCLUDED", cannot);
    }
    const isMade = calls.some((call) => isAddressEqual(call.from, user) && isAsQuoted(intent, chain, call));
    return isMade ? undefined : failureOf("INCORRECT_PAYMENT", "the calls lack the quoted transaction");
  },

  explainRevert: async (_, __, { message }) => failureOf(reasonOf(message, "TRANSACTION_REVERTED"), message),

  prepare: async ({ payload }, chain, { accounts }) => {
    const calls = parseRawCalls(payload);
    const stale = await refusalOf(() => assertAuthorized(calls, chain, { accounts }));
    // The chain would skip the authorization, and the call would do nothing.
    if (stale !== undefined) return failureOf("INVALID_NONCE", stale);
    const prepared = await prepareCall(callOf(calls), chain, accounts.solver.account.address);
    if ("call" in prepared) {
      const excess = callGasExcess(prepared.gas);
      return excess === undefined ? prepared : failureOf("QUOTED_GAS_LIMIT_EXCEEDED", excess);
    }
    const { details, failedCall, failReason } = prepared;
    return { ...failureOf(reasonOf(details, failReason), details), ...(failedCall && { failedCall }) };
  },
};

/** The message of a refusal; `undefined` without one. */
async function refusalOf(check: () => Promise<void>): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (error instanceof ExecuteRefusedError) return error.message;
    throw error;
  }
}

/** Chooses the fail reason of calls that revert, by the errors of the batch executor. */
function reasonOf(message: string, otherwise: FailReason): FailReason {
  return reasons.find(([pattern]) => pattern.test(message))?.[1] ?? otherwise;
}

const reasons: readonly (readonly [RegExp, FailReason])[] = [
  [/^SignatureExpired/, "SIGNATURE_EXPIRED"],
  [/^InvalidNonce/, "INVALID_NONCE"],
  [/^InvalidSignature/, "INVALID_SIGNATURE"],
];

function isSameHex(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
