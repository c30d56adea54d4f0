import { sql } from "kysely";
import {
  type Address,
  concatHex,
  decodeErrorResult,
  type Hex,
  isAddressEqual,
  keccak256,
  size,
  slice,
  stringToHex,
  zeroAddress,
} from "viem";
import type { ExecuteErrorBody, ExecuteRequest } from "../../../src/schema/quote/executeCalls.ts";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { amountObject } from "../../currencies/currencyId.ts";
import { ExecuteRefusedError } from "../../errors/refusals.ts";
import { isSponsor } from "../../money/sponsorLedger.ts";
import { applyTrigger, findRequest, lockStatus } from "../../requests/applyTrigger.ts";
import { parseIntent } from "../../requests/Intent.ts";
import { quotedTrigger } from "../../requests/insertRequest.ts";
import { isAdvanceOwed } from "../../requests/isAdvanceOwed.ts";
import { featureBits, withSearchFacts } from "../../requests/search/searchFacts.ts";
import type { SolverCall } from "../../router/fillCall.ts";
import { prepareCall } from "../../router/prepareFill.ts";
import { knownErrors } from "../../router/revertReason.ts";
import type { Store, StoreTransaction } from "../../store/tables.ts";
import { bareIntent, bareRow } from "../bareRequest.ts";
import { type FailedFrame, failedFrames } from "../receipts/traceCalls.ts";
import { storeRelayed } from "../relayedRows.ts";
import {
  assertAuthorized,
  callGasExcess,
  callOf,
  type RawCalls,
  readRawCalls,
  serializeRawCalls,
} from "./rawCallsKind.ts";

/** Feature of requests whose transaction the service sends. */
const feature = "gasless_execution";

/**
 * Accepts calls that the service sends and pays for. Idempotent, so that a client may repeat a submission whose answer
 * was lost: without a requestId, the calls themselves identify the request. The solver is the sender, so its money is
 * out of reach only if it sends no value and calls no contract directly: calls go to an account that delegates to a
 * batch executor, which checks the account's signature and is the sender of every call.
 */
export async function acceptRawCalls(
  request: ExecuteRequest,
  context: Context,
  apiKeyId?: string,
): Promise<Hex> {
  const { data, executionOptions } = request;
  const { referrer } = executionOptions;
  const chain = context.chains.get(data.chainId);
  if (chain === undefined) throw new ExecuteRefusedError(`Chain ${data.chainId} is not supported`);
  const calls = readRawCalls(data);
  if (calls === undefined) throw new ExecuteRefusedError("`authorizationList` has a malformed authorization");
  const payload = serializeRawCalls(calls);
  const requestId = (request.requestId?.toLowerCase() ?? hashCalls(chain, payload)) as Hex;
  // Checked before everything that changes with time: the calls may have been made, and the request may have ended.
  if (await isTaken(context.store, requestId, payload)) return requestId;
  try {
    assertSupported(request, chain, context);
    if (executionOptions.subsidizeFees) await assertSponsor(apiKeyId, context);
    if (request.requestId !== undefined) await assertQuoted(request, context);
    await assertAuthorized(calls, chain, context);
    await assertSucceeds(calls, request.requestId, chain, context);
  } catch (error) {
    // Another request may have submitted the same calls meanwhile. Its acceptance stored them with the new status.
    if (await isTaken(context.store, requestId, payload)) return requestId;
    throw error;
  }
  const at = context.now();
  await context.store.transaction().execute(async (transaction) => {
    if (request.requestId === undefined) {
      await openCallRequest(
        transaction,
        { account: calls.to, apiKeyId, at, chain, referrer, requestId },
        context,
      );
    }
    const status = await lockStatus(transaction, requestId);
    // Two requests may submit the same calls at once.
    if (await isTaken(transaction, requestId, payload)) return;
    const isOwed = await isAdvanceOwed(transaction, requestId);
    if (status !== "waiting" && !isOwed) throw new ExecuteRefusedError(paidAlready(status));
    const terms = { at, chain_id: chain.definition.id, payload, request_id: requestId };
    await storeRelayed(transaction, "accepted", { ...terms, kind: "raw-calls" });
    await markGasless(transaction, requestId, referrer);
    // A fast fill left the request without its payment, whatever the status.
    if (!isOwed) await applyTrigger(transaction, requestId, { trigger: "deposit-confirmed" }, at);
  });
  return requestId;
}

/** The id of calls without a quote: the same calls are the same request. */
function hashCalls({ definition }: Chain, payload: string): Hex {
  return keccak256(concatHex([stringToHex(`raw calls on ${definition.id}: `), stringToHex(payload)]));
}

async function isTaken(store: Store, requestId: string, payload: string): Promise<boolean> {
  const taken = await store
    .selectFrom("relayed_deposits")
    .select(["kind", "payload"])
    .where("request_id", "=", requestId)
    .executeTakeFirst();
  if (taken === undefined) return false;
  if (taken.kind === "raw-calls" && taken.payload === payload) return true;
  throw new ExecuteRefusedError("The request was submitted with another payment already");
}

function paidAlready(status: string): string {
  return `The request no longer accepts a payment: its status is ${status}`;
}

/** @throws ExecuteRefusedError for what the service does not execute for any request. */
function assertSupported(
  { data, executionOptions }: ExecuteRequest,
  { definition }: Chain,
  { control }: Context,
): void {
  if (control.health.of(definition.id).disabled) {
    throw new ExecuteRefusedError(`Chain ${definition.id} is disabled`);
  }
  if (BigInt(data.value) !== 0n) {
    throw new ExecuteRefusedError("`data.value` must be 0: calls spend the account's own balance");
  }
  if (executionOptions.destinationChainExecutionData !== undefined) {
    throw new ExecuteRefusedError("`executionOptions.destinationChainExecutionData` is not supported");
  }
}

/** The sponsor of the origin needs an app balance, whether the quote has a sponsor or not (page "Gasless Swaps"). */
async function assertSponsor(
  apiKeyId: string | undefined,
  { control, store }: Pick<Context, "control" | "store">,
): Promise<void> {
  if (control.config.get().lenient) return;
  if (apiKeyId !== undefined && (await isSponsor(store, apiKeyId))) return;
  throw new ExecuteRefusedError("`subsidizeFees` needs an API key with an app balance");
}

/** @throws ExecuteRefusedError when the request was not quoted for a payment by these calls. */
async function assertQuoted(
  { data, requestId = "" }: ExecuteRequest,
  { now, store }: Context,
): Promise<void> {
  const quoted = await findRequest(store, requestId);
  if (quoted === undefined) throw new ExecuteRefusedError(`Request ${requestId} not found`);
  const { deposit, expiresAt, origin, own, permit, user } = parseIntent(quoted.intent);
  if (origin.chainId !== data.chainId) {
    throw new ExecuteRefusedError(`The request is paid on chain ${origin.chainId}, not on ${data.chainId}`);
  }
  if (!isAddressEqual(user, data.to)) {
    throw new ExecuteRefusedError(`The request's user is ${user}: \`data.to\` must be the same account`);
  }
  if (permit !== undefined) {
    throw new ExecuteRefusedError("The request was quoted with `usePermit`: submit its signature instead");
  }
  const isOwed = await isAdvanceOwed(store, quoted.id);
  if (quoted.status !== "waiting" && !isOwed) throw new ExecuteRefusedError(paidAlready(quoted.status));
  if (now() > expiresAt || (deposit.via === "self" && own === null)) {
    throw new ExecuteRefusedError("The request has expired");
  }
}

/** Adds the feature to the request, and the referrer if its quote named none. */
async function markGasless(
  transaction: StoreTransaction,
  requestId: string,
  referrer: string | undefined,
): Promise<void> {
  await transaction
    .insertInto("request_features")
    .values({ feature, request_id: requestId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await transaction
    .updateTable("requests")
    .set({ features: sql<number>`features | ${sql.lit(featureBits[feature])}` })
    .where("id", "=", requestId)
    .execute();
  if (referrer === undefined || referrer === "") return;
  await transaction
    .updateTable("requests")
    .set({ referrer })
    .where("id", "=", requestId)
    .where("referrer", "is", null)
    .execute();
}

/** Calls without a quote. */
type Calls = {
  readonly account: Address;
  readonly apiKeyId: string | undefined;
  /** Unix milliseconds. */
  readonly at: number;
  readonly chain: Chain;
  readonly referrer: string | undefined;
  readonly requestId: Hex;
};

/**
 * Opens the request of calls without a quote, in the caller's transaction: a call on one chain that moves no amount and
 * waits for its execution. A request that exists is left unchanged.
 */
async function openCallRequest(
  transaction: StoreTransaction,
  calls: Calls,
  { random32 }: Pick<Context, "random32">,
): Promise<void> {
  const { account, apiKeyId, at, chain, referrer, requestId } = calls;
  const [native] = chain.currencies;
  const nothing = { amount: 0n, currency: zeroAddress } as const;
  const intent = bareIntent({
    deposit: { ...nothing, minimumAmount: 0n, via: "self" },
    expiresAt: at,
    kind: "Call",
    orderId: random32(),
    origin: { ...nothing, chainId: chain.definition.id },
    recipient: account,
    refundTo: account,
    requestId,
    user: account,
  });
  const row = {
    ...bareRow(intent, amountObject(chain, native, 0n), "call", at),
    api_key_id: apiKeyId ?? null,
    referrer: referrer || null,
  };
  const added = await transaction
    .insertInto("requests")
    .values(await withSearchFacts(transaction, [{ features: [], row }]))
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirstOrThrow();
  if (added.numInsertedOrUpdatedRows === 0n) return;
  await transaction
    .insertInto("events")
    .values({ at, data: "{}", request_id: requestId, status: "waiting", trigger: quotedTrigger })
    .execute();
}

type Details = NonNullable<ExecuteErrorBody["details"]>;

/** Runs calls on the chain's present state, without sending them. */
async function assertSucceeds(
  calls: RawCalls,
  requestId: string | undefined,
  chain: Chain,
  { accounts }: Pick<Context, "accounts">,
): Promise<void> {
  const solver = accounts.solver.account.address;
  const call = callOf(calls);
  const prepared = await prepareCall(call, chain, solver);
  if ("call" in prepared) {
    const message = callGasExcess(prepared.gas);
    if (message === undefined) return;
    throw new ExecuteRefusedError({ error: "QUOTED_GAS_LIMIT_EXCEEDED", message });
  }
  const { details, failReason, revertData } = prepared;
  throw new ExecuteRefusedError({
    error: failReason,
    message: `The calls would fail: ${details}`,
    ...(requestId !== undefined && { requestId }),
    ...(prepared.failedCall && { details: await locate(call, revertData ?? "0x", chain, solver) }),
  });
}

/** Locates a revert: by the node's trace where it has one, else in the outermost call alone. */
async function locate(call: SolverCall, data: Hex, chain: Chain, from: Address): Promise<Details> {
  const outermost = { input: call.data, output: data, to: call.to, type: "CALL" };
  const traced = await failedFrames(chain, { ...call, from });
  const frames = traced.length === 0 ? [outermost] : traced;
  const path = frames.map(describeFrame);
  const [topLevel = describeFrame(outermost)] = path;
  const innermost = path.at(-1) ?? topLevel;
  return { innermost, path, revert: describeRevert(frames.at(-1)?.output ?? data), topLevel };
}

function describeFrame({ error, gasUsed, input, output, to, type }: FailedFrame): Details["topLevel"] {
  return {
    type,
    ...(to !== undefined && { address: to }),
    ...(size(input) >= 4 && { selector: slice(input, 0, 4) }),
    ...(error !== undefined && { error }),
    revertReason: describeRevert(output).message,
    ...(gasUsed !== undefined && { gasUsed: gasUsed.toString() }),
  };
}

function describeRevert(data: Hex): Details["revert"] {
  if (size(data) < 4) {
    return { label: "EmptyRevert", message: "The call reverted without data", type: "empty" };
  }
  const selector = slice(data, 0, 4);
  try {
    const { abiItem, args = [], errorName } = decodeErrorResult({ abi: knownErrors, data });
    const values = args.map(String);
    const inputs = "inputs" in abiItem ? abiItem.inputs : [];
    return {
      args: Object.fromEntries(values.map((value, index) => [inputs[index]?.name ?? String(index), value])),
      label: errorName,
      message: errorName === "Error" ? (values[0] ?? "") : `${errorName}(${values.join(", ")})`,
      name: errorName,
      selector,
      type: errorName === "Error" ? "errorString" : errorName === "Panic" ? "panic" : "customError",
    };
  } catch {
    return { label: "UnknownError", message: data, rawArgsHex: data, selector, type: "unknownCustomError" };
  }
}
