import { sql } from "kysely";
import type { RequestStatus } from "../../src/schema/request/requestStatus.ts";
import { payingKinds } from "../store/tables/paymentTables.ts";
import type { EventRow, RequestRow, Store } from "../store/tables.ts";
import { parseEventData } from "./applyTrigger.ts";

/** Fields that status answers and webhook deliveries share. */
export type StatusData = {
  readonly status: RequestStatus;
  readonly inTxHashes: string[];
  readonly txHashes: string[];
  /** Unix milliseconds. */
  readonly updatedAt: number;
  readonly originChainId: number;
  readonly destinationChainId: number;
};

/**
 * Why a request failed: `N/A` in every other status, although the reason of a pending refund is stored already
 * (specification, "Webhook").
 */
export function reasonsOf(
  status: RequestStatus,
  { fail_reason, refund_fail_reason }: Pick<RequestRow, "fail_reason" | "refund_fail_reason">,
): { readonly failReason: string; readonly refundFailReason: string } {
  if (!hasFailed(status)) return { failReason: "N/A", refundFailReason: "N/A" };
  return { failReason: fail_reason ?? "UNKNOWN", refundFailReason: refund_fail_reason ?? "N/A" };
}

/** Whether a status carries a fail reason. */
export function hasFailed(status: RequestStatus): boolean {
  return status === "failure" || status === "refund";
}

/** Columns of a request that its status depends on. */
export const statusColumns = [
  "destination_chain_id",
  "id",
  "origin_chain_id",
  "status",
  "updated_at",
] as const satisfies (keyof RequestRow)[];

/**
 * The status of a request with its transaction hashes, now or after an event. A late delivery has the same content as an
 * immediate one.
 */
export async function statusData(
  store: Store,
  request: Pick<RequestRow, (typeof statusColumns)[number]>,
  event?: EventRow,
): Promise<StatusData> {
  const { inTxHashes, txHashes } = await transactionHashes(store, request.id);
  const later = event === undefined ? new Set<string>() : await hashesAfter(store, event);
  const mined = txHashes.filter((hash) => !later.has(hash));
  const sent = event === undefined ? await sentFills(store, request) : sentFill(event);
  return {
    destinationChainId: request.destination_chain_id,
    inTxHashes: inTxHashes.filter((hash) => !later.has(hash)),
    originChainId: request.origin_chain_id,
    status: event?.status ?? request.status,
    txHashes: [...new Set([...mined, ...sent])],
    updatedAt: event?.at ?? request.updated_at,
  };
}

/** The fill of a `submitted` event, whose hash is known before it is mined. */
function sentFill({ data, status }: EventRow): string[] {
  const { txHash } = parseEventData(data);
  return status === "submitted" && txHash !== undefined ? [txHash] : [];
}

/** The same for the present status. */
async function sentFills(store: Store, { id, status }: Pick<RequestRow, "id" | "status">): Promise<string[]> {
  if (status !== "submitted") return [];
  const rows = await store
    .selectFrom("transactions")
    .select("hash")
    .where("request_id", "=", id)
    .where("kind", "=", "fill")
    .where("state", "=", "signed")
    .where("replaced_by", "is", null)
    .execute();
  return rows.map(({ hash }) => hash);
}

/** Transactions that later events of the request name, among them a fill that was sent and is not mined yet. */
async function hashesAfter(store: Store, event: EventRow): Promise<ReadonlySet<string>> {
  const later = await store
    .selectFrom("events")
    .select("data")
    .where("request_id", "=", event.request_id)
    .where("seq", ">", event.seq)
    .execute();
  const hashes = later.map(({ data }) => parseEventData(data).txHash);
  return new Set(hashes.filter((hash) => hash !== undefined));
}

/** A payment for a request, the solver's payment to its recipient, or a user's own transaction that is both. */
type HashOf = "deposit" | "payment" | "own";

/**
 * Lists the origin transactions that paid for a request, and the transactions mined for it: the solver's, and
 * the user's own, which are both.
 */
async function transactionHashes(
  store: Store,
  requestId: string,
): Promise<{ inTxHashes: string[]; txHashes: string[] }> {
  // As text: it runs for every message of the stream, and building it would take longer than running it.
  const { rows } = await sql<{ hash: string; of: HashOf }>`
    select tx_hash as hash, at, id as tie, 'deposit' as of from deposits
      where request_id = ${requestId} and source = 'payment'
    union all select hash, id as at, '' as tie, 'payment' as of from transactions
      where request_id = ${requestId} and state = 'mined' and kind in (${sql.join(payingKinds)})
    union all select hash, at, hash as tie, 'own' as of from same_chain_transactions
      where request_id = ${requestId}
    order by at, tie`.execute(store);
  const hashesOf = (kind: HashOf) => rows.filter(({ of }) => of === kind).map(({ hash }) => hash);
  const own = hashesOf("own");
  return {
    inTxHashes: [...new Set([...hashesOf("deposit"), ...own])],
    txHashes: [...hashesOf("payment"), ...own],
  };
}
