import * as z from "zod/mini";
import { assertNumber } from "../internal/assertNumber.ts";
import { type RequestStatus, requestStatuses } from "../schema/request/requestStatus.ts";
import { readBy } from "../schema/wire/readBy.ts";

/**
 * One report about a request, whatever brought it: the answer to a poll of any version of the status endpoint, the
 * `data` of a websocket event or of a webhook.
 */
export type StatusUpdate = {
  destinationChainId?: number | null | undefined;
  /** Kept when it is text. */
  details?: unknown;
  failReason?: string | null | undefined;
  inTxHashes?: readonly string[] | undefined;
  originChainId?: number | null | undefined;
  /** When the listener got it, in unix milliseconds. It dates a `failure`, which is provisional: {@link isSettled}. */
  receivedAt?: number | undefined;
  refundFailReason?: string | null | undefined;
  status: string;
  /** Unix milliseconds, under its older name. */
  time?: number | null | undefined;
  txHashes?: readonly string[] | undefined;
  /** Unix milliseconds. */
  updatedAt?: number | null | undefined;
};

/** What is known about a request so far. */
export type RequestProgress = {
  readonly destinationChainId: number | undefined;
  /** Extra context such as decoded revert data. */
  readonly details: string | undefined;
  /** Why the fill failed; `undefined` when it did not, or no reason was given. */
  readonly failReason: string | undefined;
  /** Whether a `failure` was seen, even if the request has moved on since. */
  readonly failureSeen: boolean;
  /**
   * When the present `failure` was first reported; `undefined` without one. Unix milliseconds, by the listener's
   * clock, or by the service's where the listener gave no time.
   */
  readonly failureSince: number | undefined;
  /** Origin transactions. */
  readonly inTxHashes: readonly string[];
  readonly originChainId: number | undefined;
  readonly refundFailReason: string | undefined;
  readonly status: RequestStatus;
  /** Destination transactions, or the refund's. */
  readonly txHashes: readonly string[];
  /** Unix milliseconds, by the service's clock. */
  readonly updatedAt: number | undefined;
};

/** A request only climbs. A failure can still turn into a refund, so it stands below the two real ends. */
const maybeNumber = z.nullish(z.number());
const maybeText = z.nullish(z.string());
const hashes = z.array(z.string());

const updateSchema = z.object({
  destinationChainId: maybeNumber,
  failReason: maybeText,
  inTxHashes: z.optional(hashes),
  originChainId: maybeNumber,
  receivedAt: z.optional(z.number()),
  refundFailReason: maybeText,
  status: z.string(),
  time: maybeNumber,
  txHashes: z.optional(hashes),
  updatedAt: maybeNumber,
});

const progressSchema = z.object({
  destinationChainId: z.optional(z.number()),
  details: z.optional(z.string()),
  failReason: z.optional(z.string()),
  failureSeen: z.boolean(),
  failureSince: z.optional(z.number()),
  inTxHashes: hashes,
  originChainId: z.optional(z.number()),
  refundFailReason: z.optional(z.string()),
  status: z.enum(requestStatuses),
  txHashes: hashes,
  updatedAt: z.optional(z.number()),
});

const rank: Readonly<Record<RequestStatus, number>> = {
  waiting: 0,
  depositing: 1,
  pending: 2,
  submitted: 3,
  failure: 4,
  refund: 5,
  success: 5,
};

/** Milliseconds for which a `failure` is not believed: as long as the official client waits on its stream. */
export const defaultFailureGrace = 2_000;

/** Names of the oldest status endpoint. */
const legacyNames: ReadonlyMap<string, RequestStatus> = new Map([
  ["fallback", "refund"],
  ["received", "waiting"],
]);

/**
 * Folds one report into what is known about a request. Pure, and the same for every source: what polls, a websocket and
 * webhooks say may be mixed.
 *
 * Reports may be lost, come late, twice and out of order, so the status only moves forward: waiting, depositing,
 * pending, submitted, failure, then success or refund, which are final. The one way back is from `failure` to
 * `pending`, because the service shows a failed fill before it starts the refund; from then on reports that are older
 * than what is known count no more, unless they tell the end. A status that is not documented changes nothing.
 *
 * @param previous What was known before; `undefined` at first.
 * @returns `previous` itself when the report brought nothing new.
 * @throws InvalidParameterError when either is of another form.
 *
 * @example
 * import { reduceStatus } from "waybill/client";
 *
 * const failed = reduceStatus(undefined, { failReason: "SLIPPAGE", status: "failure" });
 * const refunded = reduceStatus(failed, { status: "refund", txHashes: ["0x01"] });
 * console.log(refunded?.status, refunded?.failReason); // refund SLIPPAGE
 */
export function reduceStatus(
  previous: RequestProgress | undefined,
  update: StatusUpdate,
): RequestProgress | undefined {
  readBy(updateSchema, update, "update");
  if (previous !== undefined) readBy(progressSchema, previous, "previous");
  const status = readStatus(update.status);
  if (status === undefined) return previous;
  if (previous !== undefined && !follows(previous, status, update)) return previous;
  const next = merge(previous, status, update);
  return previous !== undefined && isSame(previous, next) ? previous : next;
}

/**
 * Whether nothing can follow a status. `failure` is not final by itself: a refund may come.
 *
 * @example
 * import { isFinalStatus } from "waybill/client";
 *
 * isFinalStatus("refund"); // true
 */
export function isFinalStatus(status: RequestStatus): status is "success" | "refund" {
  return status === "success" || status === "refund";
}

/**
 * Whether a request is over: filled, refunded, or failed for so long that no refund is to be expected. A refund that
 * comes later all the same is still taken by {@link reduceStatus}.
 *
 * @param options.failureGrace Milliseconds for which a `failure` is not believed. Default 2000.
 * @param options.now Unix milliseconds, by the clock that dated the reports.
 * @throws InvalidParameterError
 *
 * @example
 * import { isSettled, reduceStatus } from "waybill/client";
 *
 * const failed = reduceStatus(undefined, { receivedAt: 10_000, status: "failure" });
 * console.log(failed && isSettled(failed, { now: 11_000 })); // false
 */
export function isSettled(
  progress: RequestProgress,
  { failureGrace = defaultFailureGrace, now }: { failureGrace?: number | undefined; now: number },
): boolean {
  const { failureSince, status } = readBy(progressSchema, progress, "progress");
  assertNumber("failureGrace", failureGrace, 0);
  assertNumber("now", now, 0);
  if (failureSince !== undefined) return now - failureSince >= failureGrace;
  return isFinalStatus(status);
}

function readStatus(status: string): RequestStatus | undefined {
  return requestStatuses.find((known) => known === status) ?? legacyNames.get(status);
}

function follows(previous: RequestProgress, status: RequestStatus, update: StatusUpdate): boolean {
  const isOlder = (timeOf(update) ?? Number.POSITIVE_INFINITY) < (previous.updatedAt ?? 0);
  if (status === previous.status) return !isOlder;
  // From the failure on, statuses come twice, so their order is not enough.
  if (isOlder && previous.failureSeen && !isFinalStatus(status)) return false;
  return rank[status] > rank[previous.status] || (previous.status === "failure" && status === "pending");
}

function timeOf({ time, updatedAt }: StatusUpdate): number | undefined {
  return updatedAt ?? time ?? undefined;
}

function merge(
  previous: RequestProgress | undefined,
  status: RequestStatus,
  update: StatusUpdate,
): RequestProgress {
  const isFailure = status === "failure";
  const { details, receivedAt } = update;
  // A reason outlives the failure into the refund, and nothing else.
  const isFailing = isFailure || status === "refund" || (status === "pending" && previous?.failureSeen);
  const reasons = isFailing ? previous : undefined;
  return {
    destinationChainId: update.destinationChainId ?? previous?.destinationChainId,
    details: typeof details === "string" ? details : reasons?.details,
    failReason: readReason(update.failReason) ?? reasons?.failReason,
    failureSeen: isFailure || (previous?.failureSeen ?? false),
    failureSince: isFailure ? (previous?.failureSince ?? receivedAt ?? timeOf(update) ?? 0) : undefined,
    inTxHashes: readHashes(update.inTxHashes) ?? previous?.inTxHashes ?? [],
    originChainId: update.originChainId ?? previous?.originChainId,
    refundFailReason: readReason(update.refundFailReason) ?? reasons?.refundFailReason,
    status,
    txHashes: readHashes(update.txHashes) ?? previous?.txHashes ?? [],
    updatedAt: timeOf(update) ?? previous?.updatedAt,
  };
}

function readReason(reason: string | null | undefined): string | undefined {
  return reason === null || reason === "N/A" || reason === "" ? undefined : reason;
}

/** An empty list says that nothing is known yet, not that a hash was taken back. */
function readHashes(hashes: readonly string[] | undefined): readonly string[] | undefined {
  return hashes === undefined || hashes.length === 0 ? undefined : hashes;
}

/** `updatedAt` alone is not news until there is a failure: from then on it tells what is late. */
function isSame(left: RequestProgress, right: RequestProgress): boolean {
  return (
    left.status === right.status &&
    (!right.failureSeen || left.updatedAt === right.updatedAt) &&
    left.details === right.details &&
    left.failReason === right.failReason &&
    left.refundFailReason === right.refundFailReason &&
    left.originChainId === right.originChainId &&
    left.destinationChainId === right.destinationChainId &&
    left.inTxHashes.join() === right.inTxHashes.join() &&
    left.txHashes.join() === right.txHashes.join()
  );
}
