import { getRequests } from "../client/getRequests.ts";
import type { Client } from "../client/internal/Client.ts";
import { leastPollingInterval } from "../client/internal/constants.ts";
import { iterateRequestPages } from "../client/iterateRequests.ts";
import { BaseError } from "../errors/BaseError.ts";
import { TimeoutError } from "../errors/TimeoutError.ts";
import { longestTimer, startDeadline } from "../internal/deadline.ts";
import { assertNumber, assertValid } from "../internal/readParts.ts";
import type { RecordTransaction } from "../schema/record/recordTransaction.ts";
import type { RequestRecord } from "../schema/record/requestV3.ts";
import { anyAddressSchema, bytes32Schema } from "../schema/wire/hex.ts";
import { pauseAfterMiss } from "./pauseAfterMiss.ts";
import { isFinalStatus, type RequestProgress, reduceStatus, type StatusUpdate } from "./reduceStatus.ts";

export type TrackDepositAddressParameters = {
  /** The deposit address from the quote. */
  address: string;
  /** Milliseconds between reads, at least 1000. Default: 2000, because listings have lower rate limits than statuses. */
  pollingInterval?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Milliseconds. Default: no limit. */
  timeout?: number | undefined;
};

/** A request of a deposit address, reported when first seen and after each change. */
export type DepositAddressRequest = {
  readonly progress: RequestProgress;
  /** The current record. */
  readonly record: RequestRecord;
  readonly requestId: string;
  /** The request that took over the payment, which is reported too. This one ends. */
  readonly supersededByRequestId: string | undefined;
};

export type TrackDepositAddressReturnType = AsyncGenerator<DepositAddressRequest, void, undefined>;

const operation = "tracking a deposit address";

/**
 * Iterates over the requests of a deposit address and their changes. The service requotes each payment under a new
 * request id, so the quote's id does not identify the payment, and open addresses accept payments indefinitely. Reports
 * each request with the one that supersedes it, which is tracked too.
 *
 * Continues until the caller leaves the loop; leave after a settled request that is not superseded. A `failure` is
 * provisional; see `isSettled`. Reads `GET /requests/v3`, so the client needs an API key or a proxy that adds one.
 * Temporary errors only slow it down.
 *
 * @throws RequestErrorType — TimeoutError when `timeout` is over, AbortedError when `signal` fires.
 *
 * @example
 * import { createClient, isFinalStatus, production, trackDepositAddress } from "waybill/client";
 *
 * const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
 * for await (const request of trackDepositAddress(createClient({ ...production, apiKey: "your-key" }), { address })) {
 *   const { progress, requestId, supersededByRequestId } = request;
 *   console.log(requestId, progress.status, supersededByRequestId);
 *   if (supersededByRequestId === undefined && isFinalStatus(progress.status)) break;
 * }
 */
export async function* trackDepositAddress(
  client: Client,
  parameters: TrackDepositAddressParameters,
): TrackDepositAddressReturnType {
  const {
    address,
    pollingInterval = 2_000,
    signal,
    timeout: timeoutMs = Number.POSITIVE_INFINITY,
  } = parameters;
  assertValid(anyAddressSchema.safeParse(address).success, "address", "not an address");
  assertNumber("pollingInterval", pollingInterval, leastPollingInterval);
  if (parameters.timeout !== undefined) assertNumber("timeout", timeoutMs, 1);
  const deadline = startDeadline({ now: client.now, operation, signal, timeoutMs });
  const known: Known = new Map();
  let misses = 0;
  try {
    for (;;) {
      deadline.signal.throwIfAborted();
      if (deadline.timeLeft() <= 0) throw new TimeoutError({ operation, timeoutMs });
      let pause = pollingInterval;
      let records: RequestRecord[] = [];
      try {
        // Reports only after all pages are read, because a failed read is repeated.
        records = await look(client, { address, known, signal: deadline.signal });
        misses = 0;
      } catch (error) {
        deadline.signal.throwIfAborted();
        if (!(error instanceof BaseError && error.retryable)) throw error;
        misses += 1;
        pause = pauseAfterMiss(client, { error, misses, pollingInterval });
      }
      for (const record of records) {
        const change = take(known, { receivedAt: client.now(), record });
        if (change !== undefined) yield change;
      }
      const ms = Math.min(pause, Math.max(0, deadline.timeLeft()), longestTimer);
      await deadline.race(client.sleep(ms, deadline.signal));
    }
  } finally {
    deadline[Symbol.dispose]();
  }
}

type Known = Map<string, DepositAddressRequest>;

/** Reads the records of an address that may have changed, and of superseding requests. */
async function look(
  client: Client,
  { address, known, signal }: { address: string; known: Known; signal: AbortSignal },
): Promise<RequestRecord[]> {
  const records: RequestRecord[] = [];
  const query = {
    includeChildRequests: true,
    limit: 50,
    signal,
    sortBy: "updatedAt",
    sortDirection: "desc",
  } as const;
  for await (const { requests } of iterateRequestPages(client, { ...query, depositAddress: address })) {
    records.push(...requests);
    // Sorted by change, so no change follows a page without one.
    if (requests.every((record) => isUnchanged(known.get(keyOf(record)), record))) break;
  }
  const listed = new Set(records.map(keyOf));
  const before = [...known.values()].map(({ record }) => record);
  for (const successor of new Set([...before, ...records].flatMap(successorOf))) {
    const progress = known.get(successor)?.progress;
    if (listed.has(successor) || (progress !== undefined && isFinalStatus(progress.status))) continue;
    const { requests } = await getRequests(client, { id: successor, includeChildRequests: true, signal });
    records.push(...requests.filter((record) => keyOf(record) === successor));
  }
  // Oldest first.
  return records.reverse();
}

function take(
  known: Known,
  { receivedAt, record }: { receivedAt: number; record: RequestRecord },
): DepositAddressRequest | undefined {
  const before = known.get(keyOf(record));
  const progress = reduceStatus(before?.progress, { ...toStatusUpdate(record), receivedAt });
  if (progress === undefined) return undefined;
  const [supersededByRequestId = before?.supersededByRequestId] = successorOf(record);
  const after = { progress, record, requestId: record.id, supersededByRequestId };
  known.set(keyOf(record), after);
  const isNews = progress !== before?.progress || supersededByRequestId !== before.supersededByRequestId;
  return isNews ? after : undefined;
}

function isUnchanged(
  before: DepositAddressRequest | undefined,
  { status, updatedAt }: RequestRecord,
): boolean {
  if (before === undefined || typeof updatedAt !== "string") return false;
  return before.record.updatedAt === updatedAt && before.record.status === status;
}

function keyOf({ id }: RequestRecord): string {
  return id.toLowerCase();
}

function successorOf({ supersededByRequestId }: RequestRecord): string[] {
  const { data } = bytes32Schema.safeParse(supersededByRequestId);
  return data === undefined ? [] : [data.toLowerCase()];
}

/** Converts a request record of version 3 to a status report for `reduceStatus`. */
function toStatusUpdate({ data, status, updatedAt }: RequestRecord): StatusUpdate {
  const { failReason, inTxs = [], outTxs = [], refundFailReason } = data ?? {};
  const time = Date.parse(updatedAt ?? "");
  return {
    destinationChainId: outTxs[0]?.chainId,
    failReason,
    inTxHashes: hashesOf(inTxs),
    originChainId: inTxs[0]?.chainId,
    refundFailReason,
    status,
    txHashes: hashesOf(outTxs),
    updatedAt: Number.isNaN(time) ? undefined : time,
  };
}

function hashesOf(transactions: readonly RecordTransaction[]): string[] {
  return transactions.flatMap(({ txHash }) => txHash ?? []);
}
