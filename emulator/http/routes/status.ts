import { Hono } from "hono";
import * as z from "zod";
import type { LegacyStatus } from "../../../src/schema/legacyStatus.ts";
import type { RequestStatus } from "../../../src/schema/requestStatus.ts";
import type { Status } from "../../../src/schema/status.ts";
import { statusData } from "../../delivery/statusData.ts";
import { findRequest } from "../../store/findRequest.ts";
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
        ...(await statusData(store, request)),
        failReason: request.fail_reason ?? "N/A",
        quoteCreatedAt: request.created_at,
        refundFailReason: request.refund_fail_reason ?? "N/A",
        ...(request.details !== null && { details: request.details }),
      };
      return http.json(answer);
    })
    .get("/intents/status", async (http) => {
      const request = await findRequest(store, readQuery(http, querySchema).requestId);
      if (request === undefined) return notFound(http);
      const { updatedAt, ...data } = await statusData(store, request);
      const answer: LegacyStatus = {
        ...data,
        status: legacyStatuses[request.status],
        time: updatedAt,
        ...(request.details !== null && { details: request.details }),
      };
      return http.json(answer);
    });
}

function notFound(http: Parameters<typeof errorAnswer>[0]): Response {
  return errorAnswer(http, 404, "Request not found", { errorCode: "REQUEST_NOT_FOUND" });
}
