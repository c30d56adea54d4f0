import { Hono, type Context as HonoContext } from "hono";
import * as z from "zod";
import type { LegacyStatus, StatusV2 } from "../../../src/schema/legacyStatus.ts";
import type { RequestStatus } from "../../../src/schema/requestStatus.ts";
import type { Status } from "../../../src/schema/status.ts";
import { statusData } from "../../delivery/statusData.ts";
import { statusV2 } from "../../records/requestRecordV2.ts";
import { findRequest } from "../../store/findRequest.ts";
import type { RequestRow } from "../../store/tables.ts";
import type { Deps } from "../Deps.ts";
import { errorAnswer } from "../errorBody.ts";
import { readQuery } from "../readJson.ts";

/** Query of every form. */
export const statusQuerySchema = z.object({ requestId: z.string().min(1).max(512) });

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

/** `GET /intents/status/v3` and its predecessors (specification, "GET /intents/status/v3"). */
export function statusRoute({ context: { store } }: Deps): Hono {
  const answer =
    (body: (request: RequestRow) => Promise<Status | StatusV2 | LegacyStatus>) =>
    async (http: HonoContext) => {
      const { requestId } = readQuery(http, statusQuerySchema);
      const request = await findRequest(store, requestId);
      if (request !== undefined) return http.json(await body(request));
      return errorAnswer(http, 404, "Request not found", { errorCode: "REQUEST_NOT_FOUND" });
    };
  return new Hono()
    .get(
      "/intents/status/v3",
      answer(async (request) => ({
        ...(await statusData(store, request)),
        ...depositAddressOf(request),
        ...detailsOf(request),
        failReason: request.fail_reason ?? "N/A",
        quoteCreatedAt: request.created_at,
        refundFailReason: request.refund_fail_reason ?? "N/A",
      })),
    )
    .get(
      "/intents/status/v2",
      answer(async (request) => {
        const { updatedAt, ...data } = await statusData(store, request);
        return {
          ...data,
          ...detailsOf(request),
          quoteCreatedAt: request.created_at,
          status: statusV2(request.status),
          time: updatedAt,
        };
      }),
    )
    .get(
      "/intents/status",
      answer(async (request) => {
        const { updatedAt, ...data } = await statusData(store, request);
        return { ...data, ...detailsOf(request), status: legacyStatuses[request.status], time: updatedAt };
      }),
    );
}

function detailsOf({ details }: RequestRow) {
  return details === null ? {} : { details };
}

function depositAddressOf({ deposit_address }: RequestRow) {
  return deposit_address === null ? {} : { depositAddress: { address: deposit_address } };
}
