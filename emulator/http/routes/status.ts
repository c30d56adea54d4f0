import { Hono } from "hono";
import * as z from "zod";
import type { LegacyStatus } from "../../../src/schema/legacyStatus.ts";
import type { RequestStatus } from "../../../src/schema/requestStatus.ts";
import type { Status } from "../../../src/schema/status.ts";
import { findRequest } from "../../store/findRequest.ts";
import { transactionHashes } from "../../store/transactionHashes.ts";
import type { Deps } from "../Deps.ts";
import { errorAnswer } from "../errorBody.ts";
import { readQuery } from "../readJson.ts";

const querySchema = z.object({ requestId: z.string().min(1) });

/** The oldest form has fewer words: a refund is a `fallback`, and a request that waits is none of them yet. */
const legacyStatuses: Readonly<Record<RequestStatus, LegacyStatus["status"]>> = {
  depositing: "received",
  failure: "failure",
  pending: "pending",
  refund: "fallback",
  submitted: "pending",
  success: "success",
  waiting: "received",
};

/** `GET /intents/status/v3` and its legacy form (specification, "GET /intents/status/v3"). */
export function statusRoute({ context }: Deps): Hono {
  const { store } = context;
  return new Hono()
    .get("/intents/status/v3", async (http) => {
      const request = await findRequest(store, readQuery(http, querySchema).requestId);
      if (request === undefined) return notFound(http);
      const answer: Status = {
        ...(await transactionHashes(store, request.id)),
        destinationChainId: request.destination_chain_id,
        failReason: request.fail_reason ?? "N/A",
        originChainId: request.origin_chain_id,
        quoteCreatedAt: request.created_at,
        refundFailReason: request.refund_fail_reason ?? "N/A",
        status: request.status,
        updatedAt: request.updated_at,
        ...(request.details !== null && { details: request.details }),
      };
      return http.json(answer);
    })
    .get("/intents/status", async (http) => {
      const request = await findRequest(store, readQuery(http, querySchema).requestId);
      if (request === undefined) return notFound(http);
      const answer: LegacyStatus = {
        ...(await transactionHashes(store, request.id)),
        destinationChainId: request.destination_chain_id,
        originChainId: request.origin_chain_id,
        status: legacyStatuses[request.status],
        time: request.updated_at,
        ...(request.details !== null && { details: request.details }),
      };
      return http.json(answer);
    });
}

function notFound(http: Parameters<typeof errorAnswer>[0]): Response {
  return errorAnswer(http, 404, "Request not found", { errorCode: "REQUEST_NOT_FOUND" });
}
