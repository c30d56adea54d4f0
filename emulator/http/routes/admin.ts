import { Hono, type MiddlewareHandler } from "hono";
import { isSameSecret } from "../../keys/secretKey.ts";
import { findRequest } from "../../store/findRequest.ts";
import type { Store } from "../../store/openStore.ts";
import type { DepositRow, EventRow, RequestRow, TransactionRow } from "../../store/tables.ts";
import type { Deps } from "../Deps.ts";
import { errorAnswer } from "../errorBody.ts";
import { controlRoutes } from "./controlRoutes.ts";

/**
 * What is below `/admin` is for whoever runs the emulator: every request carries the admin key, which the start-up
 * document names `adminKey`, in the header `x-admin-key`.
 *
 * - `GET /admin/requests/{requestId}/events`: all that happened to a request, oldest first: its rows of the event log,
 *   its deposits, the solver's transactions for it, why it failed, and the requests that came of deposits that named it
 *   and that it had no use for.
 * - `GET /admin/requests?hash={hash}`: the requests that a transaction paid for, filled or gave back.
 * - everything that controls the emulator: `controlRoutes`.
 */
export function adminRoute({ context, control }: Deps): Hono {
  const { adminKey, store } = context;
  return new Hono()
    .use("/admin/*", adminKeyCheck(adminKey))
    .route("/admin", controlRoutes(control))
    .get("/admin/requests", async (http) =>
      http.json({ requests: await requestsOf(store, http.req.query("hash") ?? "") }),
    )
    .get("/admin/requests/:requestId/events", async (http) => {
      const request = await findRequest(store, http.req.param("requestId"));
      if (request === undefined) {
        return errorAnswer(http, 404, "Request not found", { errorCode: "REQUEST_NOT_FOUND" });
      }
      return http.json({
        requestId: request.id,
        status: request.status,
        ...toFailure(request),
        ...(await historyOf(store, request.id)),
      });
    });
}

function adminKeyCheck(adminKey: string): MiddlewareHandler {
  return async (http, next) => {
    const presented = http.req.header("x-admin-key");
    if (presented === undefined || !isSameSecret(adminKey, presented)) {
      return errorAnswer(http, 401, "The header `x-admin-key` must carry the admin key", {
        errorCode: "UNAUTHORIZED",
      });
    }
    return next();
  };
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
    .orderBy("at")
    .orderBy("id")
    .execute();
  const transactions = await store
    .selectFrom("transactions")
    .selectAll()
    .where("request_id", "=", requestId)
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

/** The requests that can be found by a transaction. */
async function requestsOf(store: Store, hash: string) {
  const rows = await store
    .selectFrom("requests")
    .selectAll()
    .where("id", "in", (query) =>
      query.selectFrom("request_hashes").select("request_id").where("hash", "=", hash.toLowerCase()),
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
    failedCallData: failed_call === null ? null : (JSON.parse(failed_call) as unknown),
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
  return { at, seq, status, trigger, ...(JSON.parse(data) as Record<string, unknown>) };
}

function toDeposit(row: DepositRow) {
  const { amount, at, currency, depositor, fee, id, outcome, reason, tag } = row;
  return {
    ...{ amount, at, currency, depositor, fee, id, outcome, reason, tag },
    blockAt: row.block_at,
    blockHash: row.block_hash,
    blockNumber: row.block_number,
    chainId: row.chain_id,
    txHash: row.tx_hash,
    txStatus: row.tx_status,
  };
}

/** Without the signed bytes: nobody needs them to see what happened. */
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
