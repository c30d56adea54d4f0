import * as z from "zod";
import { requestStatuses } from "../../../../src/schema/request/requestStatus.ts";
import { callDataSchema } from "../../../../src/schema/wire/callData.ts";
import { accountText } from "../../../chains/accountText.ts";
import { findRequest, parseEventData } from "../../../requests/applyTrigger.ts";
import { failedCallOf } from "../../../requests/record/requestRecordV3.ts";
import { type DepositState, isVanished } from "../../../store/tables/paymentTables.ts";
import type { DepositRow, EventRow, RequestRow, Store, TransactionRow } from "../../../store/tables.ts";
import { type Deps, defineRoute, errorAnswer, notFound, type Route } from "../../route/Route.ts";

const status = z.enum(requestStatuses);

const summarySchema = z.strictObject({
  failReason: z.string().nullable(),
  parentId: z.string().nullable(),
  requestId: z.string(),
  status,
});

const block = {
  blockAt: z.int().nullable(),
  blockHash: z.string().nullable(),
  chainId: z.int(),
  /** Transaction fee in wei. */
  fee: z.string().nullable(),
};

const depositSchema = z.strictObject({
  ...block,
  amount: z.string(),
  at: z.int(),
  blockNumber: z.int(),
  currency: z.string(),
  depositor: z.string(),
  id: z.string(),
  outcome: z.enum(["accepted", "refused", "abandoned", "vanished", "netted", "released"]),
  reason: z.string().nullable(),
  tag: z.string(),
  txHash: z.string(),
  txStatus: z.enum(["success", "failure"]),
}) satisfies z.ZodType<ReturnType<typeof toDeposit>>;

const transactionSchema = z.strictObject({
  ...block,
  at: z.int(),
  blockNumber: z.int().nullable(),
  depositId: z.string(),
  gasUsed: z.int().nullable(),
  hash: z.string(),
  id: z.int(),
  kind: z.enum(["fill", "refund", "cancel"]),
  nonce: z.int(),
  state: z.enum(["signed", "mined", "reverted"]),
}) satisfies z.ZodType<ReturnType<typeof toTransaction>>;

const historySchema = z.strictObject({
  children: z.array(summarySchema),
  deposits: z.array(depositSchema),
  details: z.string().nullable(),
  events: z.array(z.looseObject({ at: z.int(), seq: z.int(), status, trigger: z.string() })),
  failReason: z.string().nullable(),
  failedCallData: z.nullable(callDataSchema),
  failedTxBlockNumber: z.int().nullable(),
  failedTxHash: z.string().nullable(),
  fillTimeMs: z.int().nullable(),
  originBlock: z.int().nullable(),
  parentId: z.string().nullable(),
  refundFailReason: z.string().nullable(),
  requestId: z.string(),
  status,
  transactions: z.array(transactionSchema),
});

/** `/admin` routes for the history of requests. */
export function historyRoutes({ context: { store } }: Deps): readonly Route[] {
  return [
    defineRoute({
      method: "get",
      path: "/admin/requests",
      operationId: "findRequests",
      tag: "History",
      summary: "The requests that a transaction paid, filled or refunded",
      query: z.object({ hash: z.string().default("") }),
      notes: { hash: "Hash of the transaction." },
      answers: {
        200: { body: z.strictObject({ requests: z.array(summarySchema) }), description: "Oldest first" },
      },
      handle: async ({ http, query: { hash } }) => http.json({ requests: await requestsOf(store, hash) }),
    }),
    defineRoute({
      method: "get",
      path: "/admin/requests/:requestId/events",
      operationId: "getHistory",
      tag: "History",
      summary: "The history of a request, oldest first",
      description:
        "Its rows of the event log, its deposits, the solver's transactions for it, why it failed, and the requests that came of deposits that named it and that it had no use for.",
      params: z.object({ requestId: z.string() }),
      answers: {
        200: { body: historySchema, description: "The history" },
        404: notFound("There is no such request", "REQUEST_NOT_FOUND"),
      },
      handle: async ({ http, params: { requestId } }) => {
        const request = await findRequest(store, requestId);
        if (request === undefined) {
          return errorAnswer(http, 404, "Request not found", { errorCode: "REQUEST_NOT_FOUND" });
        }
        return http.json({
          requestId: request.id,
          status: request.status,
          ...toFailure(request),
          ...(await historyOf(store, request.id)),
        });
      },
    }),
  ];
}

async function historyOf(store: Store, requestId: string) {
  const events = await store
    .selectFrom("events")
    .selectAll()
    .where("request_id", "=", requestId)
    .orderBy("seq")
    .execute();
  const deposits = await store
    .selectFrom("deposits")
    .selectAll()
    .where("request_id", "=", requestId)
    .where("source", "=", "payment")
    .orderBy("at")
    .orderBy("id")
    .execute();
  const transactions = await store
    .selectFrom("transactions")
    .selectAll()
    .where("request_id", "=", requestId)
    .where((where) => where.or([where("replaced_by", "is", null), where("state", "!=", "signed")]))
    .orderBy("id")
    .execute();
  const children = await store
    .selectFrom("requests")
    .selectAll()
    .where("parent_id", "=", requestId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return {
    children: children.map(toSummary),
    deposits: deposits.map(toDeposit),
    events: events.map(toEvent),
    transactions: transactions.map(toTransaction),
  };
}

/** Finds the requests of a transaction. */
async function requestsOf(store: Store, hash: string) {
  const rows = await store
    .selectFrom("requests")
    .selectAll()
    .where("id", "in", (query) =>
      query
        .selectFrom("request_hashes")
        .select("request_id")
        .where("hash", "=", /^0x/i.test(hash) ? hash.toLowerCase() : hash),
    )
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(toSummary);
}

function toSummary({ fail_reason, id, parent_id, status }: RequestRow) {
  return { failReason: fail_reason, parentId: parent_id, requestId: id, status };
}

function toFailure(request: RequestRow) {
  const { details, fail_reason, failed_call, failed_tx_block, failed_tx_hash, refund_fail_reason } = request;
  return {
    details,
    failedCallData: failedCallOf(failed_call) ?? null,
    failedTxBlockNumber: failed_tx_block,
    failedTxHash: failed_tx_hash,
    failReason: fail_reason,
    fillTimeMs: request.fill_time_ms,
    originBlock: request.origin_block,
    parentId: request.parent_id,
    refundFailReason: refund_fail_reason,
  };
}

function toEvent({ at, data, seq, status, trigger }: EventRow) {
  return { at, seq, status, trigger, ...parseEventData(data) };
}

/** The outcome that the history shows for each state: planned or signed is one. */
const outcomes = {
  abandoned: "abandoned",
  "fill-due": "accepted",
  "fill-signed": "accepted",
  netted: "netted",
  "netted-vanished": "vanished",
  "refund-due": "refused",
  "refund-signed": "refused",
  released: "released",
  vanished: "vanished",
} as const satisfies Record<DepositState, string>;

function toDeposit(row: DepositRow) {
  const { amount, at, fee, id, reason, tag } = row;
  return {
    ...{ amount, at, fee, id, reason, tag },
    currency: accountText(row.currency),
    depositor: accountText(row.depositor),
    blockAt: row.block_at,
    blockHash: row.block_hash,
    blockNumber: row.block_number,
    chainId: row.chain_id,
    outcome: outcomes[row.state],
    txHash: row.tx_hash,
    txStatus: isVanished(row) ? ("failure" as const) : ("success" as const),
  };
}

/** Omits the signed bytes, which the history does not need. */
function toTransaction(row: TransactionRow) {
  const { at, fee, hash, id, kind, nonce, state } = row;
  return {
    ...{ at, fee, hash, id, kind, nonce, state },
    blockAt: row.block_at,
    blockHash: row.block_hash,
    blockNumber: row.block_number,
    chainId: row.chain_id,
    depositId: row.deposit_id,
    gasUsed: row.gas_used,
  };
}
