import * as z from "zod/mini";
import { assertNumber } from "../internal/readParts.ts";
import { type RequestStatus, requestStatuses } from "../schema/request/requestStatus.ts";
import { readBy } from "../schema/wire/readBy.ts";

/**
 * A report about a request from any source: a response of any status endpoint, or the `data` of a websocket event or
 * webhook.
 */
export type StatusUpdate = {
  destinationChainId?: number | null | undefined;
  /** Kept if it is text. */
  details?: unknown;
  failReason?: string | null | undefined;
  inTxHashes?: readonly string[] | undefined;
  originChainId?: number | null | undefined;
  /** Time of arrival, in unix milliseconds. Dates a provisional `failure`; see {@link isSettled}. */
  receivedAt?: number | undefined;
  refundFailReason?: string | null | undefined;
  status: string;
  /** Unix milliseconds, under its older name. */
  time?: number | null | undefined;
  txHashes?: readonly string[] | undefined;
  /** Unix milliseconds. */
  updatedAt?: number | null | undefined;
};

/** Progress of a request. */
export type RequestProgress = {
  readonly destinationChainId: number | undefined;
  /** Extra context such as decoded revert data. */
  readonly details: string | undefined;
  /** Reason of the failed fill; `undefined` without one. */
  readonly failReason: string | undefined;
  /** Whether a `failure` was ever reported. */
  readonly failureSeen: boolean;
  /**
   * Time of the first report of the current `failure`, in unix milliseconds; `undefined` without one. From the
   * listener's clock, else the service's.
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

const maybeNumber = z.nullish(z.number());
const maybeText = z.nullish(z.string());
const maybeTexts = z.optional(z.array(z.string()));

/** Types of the fields of a report and of a progress: both may come from another process as JSON. */
const reportSchema = z.object({
  destinationChainId: maybeNumber,
  failReason: maybeText,
  failureSince: z.optional(z.number()),
  inTxHashes: maybeTexts,
  originChainId: maybeNumber,
  receivedAt: maybeNumber,
  refundFailReason: maybeText,
  status: z.string(),
  time: maybeNumber,
  txHashes: maybeTexts,
  updatedAt: maybeNumber,
});

/** Statuses only rise in rank. A failure may become a refund, so it ranks below the two final statuses. */
const rank: Readonly<Record<RequestStatus, number>> = {
  waiting: 0,
  depositing: 1,
  pending: 2,
  submitted: 3,
  failure: 4,
  refund: 5,
  success: 5,
};

/** Milliseconds for which a `failure` is provisional: the official client's wait on its stream. */
export const defaultFailureGrace = 2_000;

/** Statuses of the oldest endpoint. */
const legacyNames: ReadonlyMap<string, RequestStatus> = new Map([
  ["fallback", "refund"],
  ["received", "waiting"],
]);

/**
 * Folds a report into the progress of a request. Pure; reports of polls, websocket and webhooks may be mixed.
 *
 * Reports may be lost, late, duplicated or out of order, so the status only moves forward: waiting, depositing,
 * pending, submitted, failure, then success or refund, which are final. The only step back is from `failure` to
 * `pending`, because the service shows a failed fill before the refund starts. After a failure, older reports count
 * only if they are final. Undocumented statuses are ignored.
 *
 * @param previous Progress so far; `undefined` at first.
 * @returns `previous` itself if the report changes nothing.
 * @throws InvalidParameterError for an invalid argument.
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
  readBy(reportSchema, update, "update");
  if (previous !== undefined) readBy(reportSchema, previous, "previous");
  const status = readStatus(update.status);
  if (status === undefined) return previous;
  if (previous !== undefined && !follows(previous, status, update)) return previous;
  const next = merge(previous, status, update);
  return previous !== undefined && isSame(previous, next) ? previous : next;
}

/**
 * Returns whether a status is final. `failure` is not: a refund may follow.
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
 * Returns whether a request is over: filled, refunded, or failed for longer than the grace time. {@link reduceStatus}
 * still accepts a later refund.
 *
 * @param options.failureGrace Milliseconds for which a `failure` is provisional. Default: 2000.
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
  readBy(reportSchema, progress, "progress");
  assertNumber("failureGrace", failureGrace, 0);
  assertNumber("now", now, 0);
  const { failureSince, status } = progress;
  if (failureSince !== undefined) return now - failureSince >= failureGrace;
  return isFinalStatus(status);
}

function readStatus(status: string): RequestStatus | undefined {
  return requestStatuses.find((known) => known === status) ?? legacyNames.get(status);
}

function follows(previous: RequestProgress, status: RequestStatus, update: StatusUpdate): boolean {
  const isOlder = (timeOf(update) ?? Number.POSITIVE_INFINITY) < (previous.updatedAt ?? 0);
  if (status === previous.status) return !isOlder;
  // After a failure, statuses repeat, so their rank is not enough.
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
  // A reason persists from the failure into the refund only.
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

/** An empty list means no information; it does not retract hashes. */
function readHashes(hashes: readonly string[] | undefined): readonly string[] | undefined {
  return hashes === undefined || hashes.length === 0 ? undefined : hashes;
}

/** A new `updatedAt` alone is a change only after a failure, where it identifies late reports. */
function isSame(left: RequestProgress, right: RequestProgress): boolean {
  return (
    left.status === right.status &&
    (!right.failureSeen || left.updatedAt === right.updatedAt) &&
    left.details === right.details &&
    left.failReason === right.failReason &&
    left.refundFailReason === right.refundFailReason &&
    left.originChainId === right.originChainId &&
    left.destinationChainId === right.destinationChainId &&
    String(left.inTxHashes) === String(right.inTxHashes) &&
    String(left.txHashes) === String(right.txHashes)
  );
}
