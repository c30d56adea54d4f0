import * as z from "zod";
import { requestStatuses } from "../../../../src/schema/request/requestStatus.ts";
import { callDataSchema } from "../../../../src/schema/wire/callData.ts";
import { accountText } from "../../../chains/accountText.ts";
import { findRequest, parseEventData } from "../../../requests/applyTrigger.ts";
import { failedCallOf } from "../../../requests/record/requestRecordV3.ts";
import { type DepositState, isVanished } from "../../../store/tables/paymentTables.ts";
import type { DepositRow, RequestRow, Store } from "../../../store/tables.ts";
import { assertFound, type Deps, defineRoute, notFound, type Route } from "../../route/Route.ts";

const status = z.enum(requestStatuses);

export const summarySchema = z.strictObject({
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
});

/** Without the signed bytes. */
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
});

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

/** `/admin` route for the history of a request. */
export function historyRoutes({ context: { store } }: Deps): readonly Route[] {
  return [
    defineRoute({
      endpoint: "GET /admin/requests/:requestId/events",
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
        return http.json(
          await historyOf(store, assertFound(request, "Request not found", "REQUEST_NOT_FOUND")),
        );
      },
    }),
  ];
}

async function historyOf(store: Store, request: RequestRow) {
  const { id: requestId } = request;
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
  return historySchema.strip().parse({
    ...named(request),
    requestId,
    children: children.map(toSummary),
    deposits: deposits.map(toDeposit),
    events: events.map(({ at, data, seq, status, trigger }) => ({
      ...{ at, seq, status, trigger },
      ...parseEventData(data),
    })),
    failedCallData: failedCallOf(request.failed_call),
    failedTxBlockNumber: request.failed_tx_block,
    transactions: transactions.map((row) => transactionSchema.strip().parse(named(row))),
  });
}

/** A row with the names of the wire, for a schema that drops the other columns. */
function named(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

export function toSummary(request: RequestRow) {
  return summarySchema.strip().parse({ ...named(request), requestId: request.id });
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
  return depositSchema.strip().parse({
    ...named(row),
    currency: accountText(row.currency),
    depositor: accountText(row.depositor),
    outcome: outcomes[row.state],
    txStatus: isVanished(row) ? "failure" : "success",
  });
}
