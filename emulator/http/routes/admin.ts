import { Hono, type MiddlewareHandler } from "hono";
import { isSameSecret } from "../../keys/secretKey.ts";
import { findRequest } from "../../store/findRequest.ts";
import type { Store } from "../../store/openStore.ts";
import type { DepositRow, EventRow, TransactionRow } from "../../store/tables.ts";
import type { Deps } from "../Deps.ts";
import { errorAnswer } from "../errorBody.ts";

/**
 * What is below `/admin` is for whoever runs the emulator: every request carries the admin key, which the start-up
 * document names `adminKey`, in the header `x-admin-key`.
 *
 * - `GET /admin/requests/{requestId}/events`: all that happened to a request, oldest first: its rows of the event log,
 *   the deposits that name it, and the solver's transactions for it.
 */
export function adminRoute({ context }: Deps): Hono {
  const { adminKey, store } = context;
  return new Hono()
    .use("/admin/*", adminKeyCheck(adminKey))
    .get("/admin/requests/:requestId/events", async (http) => {
      const request = await findRequest(store, http.req.param("requestId"));
      if (request === undefined) {
        return errorAnswer(http, 404, "Request not found", { errorCode: "REQUEST_NOT_FOUND" });
      }
      return http.json({
        requestId: request.id,
        status: request.status,
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
  return {
    deposits: deposits.map(toDeposit),
    events: events.map(toEvent),
    transactions: transactions.map(toTransaction),
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
