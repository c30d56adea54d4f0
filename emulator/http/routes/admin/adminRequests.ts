import type { Hex } from "viem";
import * as z from "zod";
import type { RecordAmount } from "../../../../src/schema/record/recordAmount.ts";
import { requestSchema } from "../../../../src/schema/record/requestV3.ts";
import { requestsV3QuerySchema } from "../../../../src/schema/request/query/requestsV3Query.ts";
import { requestStatuses } from "../../../../src/schema/request/requestStatus.ts";
import { queryFlag } from "../../../../src/schema/wire/queryField.ts";
import { accountText } from "../../../chains/accountText.ts";
import { loadRequestParts, type RequestParts } from "../../../requests/record/RequestParts.ts";
import { delivered, paid, refunded } from "../../../requests/record/recordAmounts.ts";
import { requestRecordV3 } from "../../../requests/record/requestRecordV3.ts";
import type { Store } from "../../../store/tables.ts";
import { recentCallSchema } from "../../body/recentCalls.ts";
import { assertFound, type Deps, defineRoute, notFound, type Route } from "../../route/Route.ts";
import { pageNotes, readSearchV3, searchNotes } from "../requests/readSearch.ts";
import { pageOf } from "../requests/requests.ts";
import { summarySchema, toSummary } from "./history.ts";

const amountSchema = z
  .strictObject({
    amount: z.string(),
    /** In whole tokens; `null` for a currency that no chain lists. */
    amountFormatted: z.string().nullable(),
    amountUsd: z.string().nullable(),
    chainId: z.int(),
    currency: z.string(),
    symbol: z.string().nullable(),
  })
  .nullable();

/** A request in one line. Amounts are `null` until they moved. */
const rowSchema = summarySchema.extend({
  apiKeyId: z.string().nullable(),
  createdAt: z.int(),
  paid: amountSchema,
  quoted: z.strictObject({ paid: amountSchema, received: amountSchema }),
  received: amountSchema,
  recipient: z.string(),
  referrer: z.string().nullable(),
  refundFailReason: z.string().nullable(),
  refunded: amountSchema,
  requestType: z.string(),
  updatedAt: z.int(),
  user: z.string(),
});

const pageSchema = z.strictObject({
  continuation: z.string().optional(),
  counts: z.partialRecord(z.enum(requestStatuses), z.int()).optional(),
  requests: z.array(rowSchema),
  total: z.int().optional(),
});

const detailSchema = z.strictObject({
  /** The quote as stored: details, fees, and the signed order. */
  quote: z.looseObject({}),
  record: requestSchema,
  request: rowSchema,
});

const querySchema = z.strictObject({
  ...requestsV3QuerySchema.shape,
  includeCounts: z.optional(queryFlag()),
});

/** `/admin` routes for the requests of all API keys. */
export function adminRequestsRoutes({ calls, context }: Deps): readonly Route[] {
  const { store } = context;
  return [
    defineRoute({
      endpoint: "GET /admin/requests",
      operationId: "findRequests",
      tag: "History",
      summary: "Requests of all API keys that match every condition, in one line each",
      description: "Takes the parameters of `GET /requests/v3`.",
      query: querySchema,
      notes: {
        ...pageNotes,
        ...searchNotes,
        apiKey: "Ids of API keys.",
        includeCounts: "Adds the number of all requests in each status, whatever the conditions.",
      },
      answers: { 200: { body: pageSchema, description: "A page" } },
      handle: async ({ http, query: { includeCounts, ...query } }) => {
        const { continuation, ids, total } = await pageOf(
          store,
          readSearchV3(query, (id) => id),
          query.includeTotal,
        );
        return http.json({
          ...(continuation !== undefined && { continuation }),
          ...(includeCounts === true && { counts: await countByStatus(store) }),
          requests: (await loadRequestParts(context, ids)).map(toRow),
          ...(total !== undefined && { total }),
        });
      },
    }),
    defineRoute({
      endpoint: "GET /admin/requests/:requestId",
      operationId: "readRequest",
      tag: "History",
      summary: "A request with its record and its quote",
      params: z.object({ requestId: z.string() }),
      answers: {
        200: { body: detailSchema, description: "The request" },
        404: notFound("There is no such request", "REQUEST_NOT_FOUND"),
      },
      handle: async ({ http, params: { requestId } }) => {
        const [found] = await loadRequestParts(context, [requestId.toLowerCase()]);
        const parts = assertFound(found, "Request not found", "REQUEST_NOT_FOUND");
        const viewer = {
          apiKeyId: parts.request.api_key_id ?? undefined,
          includeAuthenticatedData: true,
          includeOrderData: true,
        };
        return http.json({
          quote: { ...parts.quote, protocol: await signedProtocol(parts, context) },
          record: requestRecordV3(parts, viewer),
          request: toRow(parts),
        });
      },
    }),
    defineRoute({
      endpoint: "GET /admin/requests/:requestId/calls",
      operationId: "listCalls",
      tag: "History",
      summary: "The newest calls of the API that named a request, oldest first",
      description:
        "Kept in the memory of this process, up to 8 MB for all requests. Headers and keys are never kept; equal calls in a row are one.",
      params: z.object({ requestId: z.string() }),
      answers: {
        200: { body: z.strictObject({ calls: z.array(recentCallSchema) }), description: "The calls" },
      },
      handle: ({ http, params: { requestId } }) => http.json({ calls: calls.of(requestId) }),
    }),
  ];
}

/** The order with its signature, which the quote's answer has only if it was asked for. */
async function signedProtocol({ quote, request }: RequestParts, { accounts }: Deps["context"]) {
  const { v2 } = quote.protocol ?? {};
  if (v2 === undefined) return undefined;
  const message = { raw: request.order_id as Hex };
  return { v2: { ...v2, orderSignature: await accounts.solver.account.signMessage({ message }) } };
}

function toRow(parts: RequestParts): z.output<typeof rowSchema> {
  const { quote, request } = parts;
  return {
    ...toSummary(request),
    apiKeyId: request.api_key_id,
    createdAt: request.created_at,
    paid: toAmount(paid(parts)),
    quoted: { paid: toAmount(quote.details?.currencyIn), received: toAmount(quote.details?.currencyOut) },
    received: toAmount(delivered(parts)),
    recipient: accountText(request.recipient),
    referrer: request.referrer,
    refundFailReason: request.refund_fail_reason,
    refunded: toAmount(refunded(parts)),
    requestType: request.request_type,
    updatedAt: request.updated_at,
    user: accountText(request.user),
  };
}

function toAmount(moved: RecordAmount | undefined): z.output<typeof amountSchema> {
  const { address, chainId, symbol } = moved?.currency ?? {};
  if (moved?.amount === undefined || address === undefined || chainId === undefined) return null;
  const { amount, amountFormatted = null, amountUsd = null } = moved;
  return { amount, amountFormatted, amountUsd, chainId, currency: address, symbol: symbol ?? null };
}

async function countByStatus(store: Store) {
  const rows = await store
    .selectFrom("requests")
    .select(["status", (row) => row.fn.countAll().as("count")])
    .groupBy("status")
    .execute();
  return Object.fromEntries(rows.map(({ count, status }) => [status, Number(count)]));
}
