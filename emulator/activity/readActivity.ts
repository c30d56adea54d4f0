import * as z from "zod";
import { unitsToDecimal } from "../../src/internal/amounts.ts";
import type { Context } from "../context/Context.ts";
import { placesOf } from "../context/places.ts";
import { parseEventData } from "../requests/applyTrigger.ts";
import { type Intent, parseIntent } from "../requests/Intent.ts";
import { quotedTrigger } from "../requests/insertRequest.ts";
import type { Store } from "../store/tables.ts";
import type { Activity, ActivityAmount, RequestActivity } from "./Activity.ts";

/** Chains, to name currencies. */
type Ledgers = Pick<Context, "chains" | "exchange" | "svm">;

/** Last rows read. */
export type Positions = { attempt: number; control: number; event: number };

const batchSize = 500;

/** Kinds and levels of triggers; others are a `deposit` at level `debug`. */
const kinds: Readonly<Record<string, readonly [kind: RequestActivity["kind"], level: Activity["level"]]>> = {
  [quotedTrigger]: ["quote", "info"],
  "claim-failed": ["failure", "warn"],
  "claim-signed": ["deposit", "info"],
  "deposit-accepted": ["deposit", "info"],
  "deposit-confirmed": ["deposit", "debug"],
  "deposit-failed": ["failure", "warn"],
  "deposit-refused": ["deposit", "warn"],
  "deposit-reorged": ["reorg", "warn"],
  "deposit-returned": ["reorg", "info"],
  "failure-shown": ["failure", "warn"],
  "fast-fill-begun": ["fill", "debug"],
  "fast-fill-released": ["fill", "warn"],
  "fill-failed": ["failure", "warn"],
  "fill-reorged": ["reorg", "warn"],
  "fill-submitted": ["fill", "debug"],
  "fill-succeeded": ["fill", "info"],
  "own-failed": ["failure", "warn"],
  "own-reorged": ["reorg", "warn"],
  "own-succeeded": ["fill", "info"],
  "payment-reorged": ["reorg", "warn"],
  "refund-begun": ["refund", "debug"],
  "refund-failed": ["failure", "warn"],
  "refund-reorged": ["reorg", "warn"],
  "refund-succeeded": ["refund", "info"],
};

/** Reads the next changes of requests. */
export async function readRequestActivity(
  store: Store,
  ledgers: Ledgers,
  positions: Positions,
): Promise<Activity[]> {
  const rows = await store
    .selectFrom("events")
    .innerJoin("requests", "requests.id", "events.request_id")
    .select([
      "events.seq",
      "events.at",
      "events.data",
      "events.request_id",
      "events.status",
      "events.trigger",
    ])
    .select(["requests.created_at", "requests.delivered", "requests.intent"])
    .where("events.seq", ">", positions.event)
    .orderBy("events.seq")
    .limit(batchSize)
    .execute();
  const last = rows.at(-1);
  if (last !== undefined) positions.event = last.seq;
  return rows.map((row) => {
    const intent = parseIntent(row.intent);
    const { failReason, refundFailReason, txHash } = parseEventData(row.data);
    const [kind, level] = kinds[row.trigger] ?? ["deposit", "debug"];
    return {
      at: row.at,
      kind,
      level,
      ...amountsOf(ledgers, intent, row.trigger === "fill-succeeded" ? row.delivered : null),
      reason: refundFailReason ?? failReason ?? undefined,
      requestId: row.request_id,
      sinceQuoteMs: row.at - row.created_at,
      status: row.status,
      trigger: row.trigger,
      txHash,
    };
  });
}

function amountsOf(ledgers: Ledgers, { destination, origin }: Intent, delivered: string | null) {
  const amount = delivered === null ? destination.amount : BigInt(delivered);
  return { paid: amountOn(ledgers, origin), received: amountOn(ledgers, { ...destination, amount }) };
}

function amountOn(ledgers: Ledgers, { amount, chainId, currency }: Intent["origin"]): ActivityAmount {
  const place = placesOf(ledgers).get(chainId);
  const listed = place?.currencies.find(({ address }) => address.toLowerCase() === currency.toLowerCase());
  return {
    amount: listed === undefined ? amount.toString() : unitsToDecimal(amount, listed.decimals),
    chain: place?.definition.name ?? String(chainId),
    chainId,
    symbol: listed?.symbol ?? currency,
  };
}

/** Reads the next posts of webhooks. */
export async function readWebhookActivity(store: Store, positions: Positions): Promise<Activity[]> {
  const rows = await store
    .selectFrom("webhook_attempts as attempts")
    .innerJoin("webhook_deliveries as deliveries", "deliveries.id", "attempts.delivery_id")
    .select(["attempts.id", "attempts.at", "attempts.duration_ms", "attempts.error", "attempts.status_code"])
    .select(["deliveries.attempts", "deliveries.request_id", "deliveries.status"])
    .where("attempts.id", ">", positions.attempt)
    .orderBy("attempts.id")
    .limit(batchSize)
    .execute();
  const last = rows.at(-1);
  if (last !== undefined) positions.attempt = last.id;
  return rows.map((row) => {
    const isDelivered = row.status_code !== null && row.status_code >= 200 && row.status_code < 300;
    return {
      at: row.at,
      attempt: row.attempts,
      durationMs: row.duration_ms,
      error: row.error,
      kind: "webhook",
      level: isDelivered ? "info" : "warn",
      requestId: row.request_id,
      status: row.status,
      statusCode: row.status_code,
    };
  });
}

const quietActions = ["balance", "pools", "sponsor"];
const faultSchema = z.object({ fault: z.string() });

/** Reads the next fired faults and actions of the control. */
export async function readControlActivity(store: Store, positions: Positions): Promise<Activity[]> {
  const rows = await store
    .selectFrom("control_log")
    .select(["at", "data", "kind", "request_id", "seq"])
    .where("seq", ">", positions.control)
    .orderBy("seq")
    .limit(batchSize)
    .execute();
  const last = rows.at(-1);
  if (last !== undefined) positions.control = last.seq;
  return rows.map(({ at, data, kind, request_id }) => {
    const isFault = kind === "fault";
    return {
      action: isFault ? faultSchema.parse(JSON.parse(data)).fault : kind,
      at,
      kind: isFault ? "fault" : "control",
      level: isFault ? "warn" : quietActions.includes(kind) ? "debug" : "info",
      requestId: request_id ?? undefined,
    };
  });
}
