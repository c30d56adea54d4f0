import * as z from "zod";
import type { RequestStatus } from "../../../../src/schema/request/requestStatus.ts";
import {
  type LegacyStatus,
  legacyStatusSchema,
  type Status,
  type StatusV2,
  statusSchema,
  statusV2Schema,
} from "../../../../src/schema/request/status.ts";
import { findRequest } from "../../../requests/applyTrigger.ts";
import { addressPayments, shownDepositAddress } from "../../../requests/depositAddresses.ts";
import { statusV2 } from "../../../requests/record/requestRecordV2.ts";
import { reasonsOf, statusData } from "../../../requests/statusData.ts";
import type { RequestRow, Store } from "../../../store/tables.ts";
import { type Answer, assertFound, type Deps, defineRoute, notFound, type Route } from "../../route/Route.ts";

const statusQuerySchema = z.object({ requestId: z.string().min(1).max(512) });

/** Statuses of the oldest form: `waiting` and `depositing` are `received`, `refund` is `fallback`. */
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
export function statusRoutes({ context: { store } }: Deps): readonly Route[] {
  const status = (
    path: `/intents/status${string}`,
    operationId: string,
    summary: string,
    body: Answer["body"],
    bodyOf: (request: RequestRow) => Promise<Status | StatusV2 | LegacyStatus>,
  ) =>
    defineRoute({
      endpoint: `GET ${path}`,
      operationId,
      tag: "Requests",
      summary,
      query: statusQuerySchema,
      answers: {
        200: { body, description: "The status" },
        404: notFound("There is no such request", "REQUEST_NOT_FOUND"),
      },
      handle: async ({ http, query: { requestId } }) => {
        const request = await findRequest(store, requestId);
        return http.json(await bodyOf(assertFound(request, "Request not found", "REQUEST_NOT_FOUND")));
      },
    });
  return [
    status("/intents/status/v3", "getStatus", "The status of a request", statusSchema, async (request) => ({
      ...(await statusData(store, request)),
      ...(await depositAddressOf(store, request)),
      details: request.details,
      ...reasonsOf(request.status, request),
      quoteCreatedAt: request.created_at,
    })),
    status(
      "/intents/status/v2",
      "getStatusV2",
      "The same without `submitted`",
      statusV2Schema,
      async (request) => {
        const { updatedAt, ...data } = await statusData(store, request);
        return {
          ...data,
          details: request.details,
          quoteCreatedAt: request.created_at,
          status: statusV2(request.status),
          time: updatedAt,
        };
      },
    ),
    status(
      "/intents/status",
      "getLegacyStatus",
      "The same in the words of the oldest form",
      legacyStatusSchema,
      async (request) => {
        const { updatedAt, ...data } = await statusData(store, request);
        return { ...data, details: request.details, status: legacyStatuses[request.status], time: updatedAt };
      },
    ),
  ];
}

async function depositAddressOf(store: Store, request: RequestRow): Promise<Pick<Status, "depositAddress">> {
  if (request.deposit_address === null) return {};
  const payment = (await addressPayments(store, [request])).get(request.id);
  return { depositAddress: shownDepositAddress(request, payment) };
}
