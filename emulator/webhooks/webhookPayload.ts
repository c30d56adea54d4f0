import type { RequestStatus } from "../../src/schema/requestStatus.ts";
import { statusUpdatedEvent, type WebhookEvent } from "../../src/schema/statusUpdate.ts";
import { statusData } from "../delivery/statusData.ts";
import type { Store } from "../store/openStore.ts";
import type { EventRow, RequestRow } from "../store/tables.ts";

/** Statuses that have a reason. */
const failed: ReadonlySet<RequestStatus> = new Set(["failure", "refund"]);

/** The body for an event of a request (specification, "Webhook"). */
export async function webhookPayload(
  store: Store,
  request: RequestRow,
  event: EventRow,
): Promise<WebhookEvent> {
  const data = await statusData(store, request, event);
  const isFailed = failed.has(event.status);
  return {
    data: {
      ...data,
      depositAddress: null,
      details: (isFailed ? request.details : detailsOf(event)) ?? null,
      failReason: isFailed ? (request.fail_reason ?? "UNKNOWN") : "N/A",
      referrer: request.referrer,
      refundFailReason: (isFailed ? request.refund_fail_reason : null) ?? "N/A",
      requestId: request.id,
    },
    event: statusUpdatedEvent,
    timestamp: event.at,
  };
}

/** The body of a test: in everything but its request like the others. */
export function testPayload({
  at,
  chainIds: [originChainId = 0, destinationChainId = originChainId],
  requestId,
  status,
}: {
  at: number;
  chainIds: readonly number[];
  requestId: string;
  status: RequestStatus;
}): WebhookEvent {
  return {
    data: {
      depositAddress: null,
      destinationChainId,
      details: null,
      failReason: failed.has(status) ? "UNKNOWN" : "N/A",
      inTxHashes: [],
      originChainId,
      referrer: null,
      refundFailReason: "N/A",
      requestId,
      status,
      txHashes: [],
      updatedAt: at,
    },
    event: statusUpdatedEvent,
    timestamp: at,
  };
}

/** What the event itself says: by now the request may have gone on. */
function detailsOf({ data }: EventRow): string | undefined {
  return (JSON.parse(data) as { details?: string }).details;
}
