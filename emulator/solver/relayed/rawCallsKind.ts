import { type Address, concatHex, isAddressEqual, toFunctionSelector } from "viem";
import * as z from "zod";
import type { ExecuteRequest } from "../../../src/schema/quote/executeCalls.ts";
import type { FailReason } from "../../../src/schema/request/failReason.ts";
import { evmAddressSchema, hexSchema } from "../../../src/schema/wire/hex.ts";
import type { Chain } from "../../chains/Chain.ts";
import { caliburAddress } from "../../chains/setup/placeContracts.ts";
import type { Context } from "../../context/Context.ts";
import { ExecuteRefusedError } from "../../errors/refusals.ts";
import { authorizationsSchema, readAuthorizations } from "../../requests/authorizations.ts";
import { signerOf } from "../../router/authorizationRefusal.ts";
import type { SolverCall } from "../../router/fillCall.ts";
import { prepareCall } from "../../router/prepareFill.ts";
import { decodePayments } from "../receipts/decodePayments.ts";
import { traceCalls } from "../receipts/traceCalls.ts";
import { isAsQuoted } from "../sameChain/sameChainTransactions.ts";
import { failureOf, type RelayedKind } from "./RelayedKind.ts";

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

  explainRevert: async (_, __, { message }) =>
    failureOf(chooseFailReason(message, "TRANSACTION_REVERTED"), message),

  prepare: async ({ payload }, chain, { accounts }) => {
    const calls = parseRawCalls(payload);
    const stale = await readRefusal(() => assertAuthorized(calls, chain, { accounts }));
    // The chain would skip the authorization, and the call would do nothing.
    if (stale !== undefined) return failureOf("INVALID_NONCE", stale);
    const prepared = await prepareCall(callOf(calls), chain, accounts.solver.account.address);
    if ("call" in prepared) {
      const excess = callGasExcess(prepared.gas);
      return excess === undefined ? prepared : failureOf("QUOTED_GAS_LIMIT_EXCEEDED", excess);
    }
    const { details, failedCall, failReason } = prepared;
    return {
      ...failureOf(chooseFailReason(details, failReason), details),
      ...(failedCall && { failedCall }),
    };
  },
};

/** The message of a refusal; `undefined` without one. */
async function readRefusal(check: () => Promise<void>): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (error instanceof ExecuteRefusedError) return error.message;
    throw error;
  }
}

/** Chooses the fail reason of calls that revert, by the errors of the batch executor. */
function chooseFailReason(message: string, otherwise: FailReason): FailReason {
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

/** What a relayed deposit of raw calls stores: a call of the user's account, which holds no value. */
const payloadSchema = z.object({
  to: evmAddressSchema,
  data: hexSchema,
  authorizationList: authorizationsSchema,
});

export type RawCalls = z.output<typeof payloadSchema>;

function parseRawCalls(json: string): RawCalls {
  return payloadSchema.parse(JSON.parse(json));
}

/** Writes the calls of a request in their stored form: equal calls have equal text, whatever their letter case. */
export function serializeRawCalls({ authorizationList, data, to }: RawCalls): string {
  const text = JSON.stringify({
    authorizationList: authorizationList.map(({ address, chainId, nonce, r, s, yParity }) => ({
      address,
      chainId,
      nonce,
      r,
      s,
      yParity,
    })),
    data,
    to,
  });
  return text.replace(/"0x[0-9a-fA-F]*"/g, (hex) => hex.toLowerCase());
}

/** Reads the calls of a request; `undefined` for an authorization that no transaction can carry. */
export function readRawCalls({
  authorizationList = [],
  data,
  to,
}: ExecuteRequest["data"]): RawCalls | undefined {
  const authorizations = readAuthorizations(authorizationList);
  return authorizations && { authorizationList: authorizations, data, to };
}

/** The call that the service sends. */
export function callOf({ authorizationList, data, to }: RawCalls): SolverCall {
  const call = { data, to, value: 0n };
  return authorizationList.length === 0 ? call : { ...call, authorizationList };
}

const mostCallGas = 2_000_000n;

/** Describes gas above the limit of one request; `undefined` below it. */
export function callGasExcess(gas: bigint): string | undefined {
  if (gas <= mostCallGas) return undefined;
  return `The calls take ${gas} gas, and the service pays for at most ${mostCallGas}`;
}

/** Code of an account that delegates to the batch executor (EIP-7702). */
const delegated = concatHex(["0xef0100", caliburAddress]).toLowerCase();
/** `execute` of the batch executor, which runs only what the account signed. */
const signedBatch = toFunctionSelector(
  "execute((((address,uint256,bytes)[],bool),uint256,bytes32,address,uint256),bytes)",
);

/**
 * Checks that calls are a signed batch of an account that delegates to the batch executor, now or by its own
 * authorizations. Other calls need no signature of the account: a stranger could use up its request. An invalid
 * authorization would be skipped by the chain, and the call would do nothing.
 */
export async function assertAuthorized(
  { authorizationList, data, to }: RawCalls,
  chain: Chain,
  { accounts }: Pick<Context, "accounts">,
): Promise<void> {
  if (isAddressEqual(to, accounts.solver.account.address)) {
    throw new ExecuteRefusedError("`data.to` must not be the solver: it would call itself");
  }
  if (!data.toLowerCase().startsWith(signedBatch)) {
    throw new ExecuteRefusedError(
      "`data.data` must be a signed batch, `execute` of the batch executor; user operations (ERC-4337) are not supported",
    );
  }
  const last = authorizationList.at(-1);
  if (last === undefined) {
    if (await isDelegated(chain, to)) return;
    throw new ExecuteRefusedError(
      `\`data.to\` must be an account that delegates to ${caliburAddress}: ${to} needs an \`authorizationList\``,
    );
  }
  const next = await chain.client.getTransactionCount({ address: to, blockTag: "pending" });
  for (const [index, authorization] of authorizationList.entries()) {
    const { chainId, nonce } = authorization;
    if (chainId !== 0 && chainId !== chain.definition.id) {
      throw new ExecuteRefusedError(
        `The authorization is for chain ${chainId}, and the calls are for chain ${chain.definition.id}`,
      );
    }
    const signer = await signerOf(authorization);
    if (signer === undefined || !isAddressEqual(signer, to)) {
      throw new ExecuteRefusedError(`The authorization is not signed by \`data.to\`, ${to}`);
    }
    if (nonce !== next + index) {
      throw new ExecuteRefusedError(
        `The authorization has nonce ${nonce}, and the account's next nonce is ${next + index}`,
      );
    }
  }
  if (!isAddressEqual(last.address, caliburAddress) || (await codeOf(chain, last.address)) === "0x") {
    throw new ExecuteRefusedError(
      `The authorization delegates to ${last.address}, which is no batch executor`,
    );
  }
}

async function isDelegated(chain: Chain, account: Address): Promise<boolean> {
  return (await codeOf(chain, account)) === delegated;
}

async function codeOf({ client }: Chain, address: Address): Promise<string> {
  return ((await client.getCode({ address })) ?? "0x").toLowerCase();
}
