import { type RequestStatus, requestStatuses } from "../schema/requestStatus.ts";

/**
 * One report about a request, whatever brought it: a poll of any version of the status endpoint, a
 * websocket message, a webhook.
 */
export type StatusUpdate = {
  destinationChainId?: number | null | undefined;
  details?: string | null | undefined;
  failReason?: string | null | undefined;
  inTxHashes?: readonly string[] | undefined;
  originChainId?: number | null | undefined;
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
  /** Why the fill failed; `undefined` when it did not, or nobody said. */
  readonly failReason: string | undefined;
  /** Whether a `failure` was seen, even if the request has moved on since. */
  readonly failureSeen: boolean;
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
const rank: Readonly<Record<RequestStatus, number>> = {
  waiting: 0,
  depositing: 1,
  pending: 2,
  submitted: 3,
  failure: 4,
  refund: 5,
  success: 5,
};

/** Names of the oldest status endpoint. */
const legacyNames: ReadonlyMap<string, RequestStatus> = new Map([
  ["fallback", "refund"],
  ["received", "waiting"],
]);

/**
 * Folds one report into what is known about a request. Pure.
 *
 * Reports may come late, twice and out of order, so the status only moves forward: waiting, depositing,
 * pending, submitted, failure, then success or refund, which are final. The one way back is from `failure`
 * to `pending`, because the service shows a failed fill before it starts the refund; a report older than
 * the failure does not take it. A status that is not documented changes nothing.
 *
 * @param previous What was known before; `undefined` at first.
 * @returns `previous` itself when the report brought nothing new.
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
 * isFinalStatus("refund"); // true
 */
export function isFinalStatus(status: RequestStatus): status is "success" | "refund" {
  return status === "success" || status === "refund";
}

function readStatus(status: string): RequestStatus | undefined {
  return requestStatuses.find((known) => known === status) ?? legacyNames.get(status);
}

function follows(previous: RequestProgress, status: RequestStatus, update: StatusUpdate): boolean {
  if (status === previous.status || rank[status] > rank[previous.status]) return true;
  if (previous.status !== "failure" || status !== "pending") return false;
  const updatedAt = update.updatedAt ?? update.time ?? undefined;
  return updatedAt === undefined || previous.updatedAt === undefined || updatedAt >= previous.updatedAt;
}

function merge(
  previous: RequestProgress | undefined,
  status: RequestStatus,
  update: StatusUpdate,
): RequestProgress {
  // A reason outlives the failure into the refund, and nothing else.
  const isFailing =
    status === "failure" || status === "refund" || (status === "pending" && previous?.failureSeen);
  const reasons = isFailing ? previous : undefined;
  return {
    destinationChainId: update.destinationChainId ?? previous?.destinationChainId,
    details: update.details ?? reasons?.details,
    failReason: readReason(update.failReason) ?? reasons?.failReason,
    failureSeen: status === "failure" || (previous?.failureSeen ?? false),
    inTxHashes: readHashes(update.inTxHashes) ?? previous?.inTxHashes ?? [],
    originChainId: update.originChainId ?? previous?.originChainId,
    refundFailReason: readReason(update.refundFailReason) ?? reasons?.refundFailReason,
    status,
    txHashes: readHashes(update.txHashes) ?? previous?.txHashes ?? [],
    updatedAt: update.updatedAt ?? update.time ?? previous?.updatedAt,
  };
}

function readReason(reason: string | null | undefined): string | undefined {
  return reason === null || reason === "N/A" || reason === "" ? undefined : reason;
}

/** An empty list says that nothing is known yet, not that a hash was taken back. */
function readHashes(hashes: readonly string[] | undefined): readonly string[] | undefined {
  return hashes === undefined || hashes.length === 0 ? undefined : hashes;
}

/** `updatedAt` alone is not news. */
function isSame(left: RequestProgress, right: RequestProgress): boolean {
  return (
    left.status === right.status &&
    left.details === right.details &&
    left.failReason === right.failReason &&
    left.refundFailReason === right.refundFailReason &&
    left.originChainId === right.originChainId &&
    left.destinationChainId === right.destinationChainId &&
    left.inTxHashes.join() === right.inTxHashes.join() &&
    left.txHashes.join() === right.txHashes.join()
  );
}
