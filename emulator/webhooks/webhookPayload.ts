import type { RequestStatus } from "../../src/schema/request/requestStatus.ts";
import { statusUpdatedEvent, type WebhookEvent } from "../../src/schema/request/statusUpdate.ts";
import { parseEventData } from "../requests/applyTrigger.ts";
import { addressPayments, shownDepositAddress } from "../requests/depositAddresses.ts";
import { hasFailed, reasonsOf, statusData } from "../requests/statusData.ts";
import type { EventRow, RequestRow, Store } from "../store/tables.ts";

/** Returns the webhook body for an event of a request (specification, "Webhook"). */
export async function webhookPayload(
  store: Store,
  request: RequestRow,
  event: EventRow,
): Promise<WebhookEvent> {
  const data = await statusData(store, request, event);
  const payment = (await addressPayments(store, [request])).get(request.id);
  return {
    data: {
      ...data,
      // A late delivery has the same content as an immediate one.
      depositAddress: shownDepositAddress(request, event.status === "waiting" ? undefined : payment),
      details: (hasFailed(event.status) ? request.details : detailsOf(event)) ?? null,
      ...reasonsOf(event.status, request),
      referrer: request.referrer,
      requestId: request.id,
    },
    event: statusUpdatedEvent,
    timestamp: event.at,
  };
}

/** Returns the body of a test event, in the same form as a real one. */
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
      ...reasonsOf(status, { fail_reason: null, refund_fail_reason: null }),
      inTxHashes: [],
      originChainId,
      referrer: null,
      requestId,
      status,
      txHashes: [],
      updatedAt: at,
    },
    event: statusUpdatedEvent,
    timestamp: at,
  };
}

/** Details of the event itself: the request may have moved on since. */
function detailsOf({ data }: EventRow): string | undefined {
  return parseEventData(data).details;
}
