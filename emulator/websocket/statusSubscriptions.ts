import type { Context } from "../context/Context.ts";
import { type FaultHooks, noFaults } from "../context/FaultHooks.ts";
import { followEvents } from "../events/followEvents.ts";
import { lastEvent } from "../events/lastEvent.ts";
import { findRequest } from "../requests/findRequest.ts";
import { type StatusData, statusData } from "../requests/statusData.ts";
import type { OnCommit } from "../store/dialect/observeCommits.ts";
import type { Store } from "../store/openStore.ts";
import { delaySuccess } from "./delaySuccess.ts";
import { faultySend } from "./faultySend.ts";

/** A status as subscribers get it. */
export type StatusUpdate = StatusData & { readonly requestId: string };

/** One subscriber's interest in one request. */
export type StatusSubscription = {
  /** Settles once the present status was sent, or there is no such request. */
  readonly ready: Promise<void>;
  close(): void;
};

export type StatusSubscriptions = {
  /**
   * Sends the present status of a request, then each one it reaches: none left out, none twice, in order.
   *
   * @param requestId In any letter case; it may be unknown.
   * @param send Must neither throw nor wait.
   */
  open(requestId: string, send: (update: StatusUpdate) => void): StatusSubscription;
  stop(): Promise<void>;
};

type Change = { readonly seq: number; readonly update: StatusUpdate };

type Subscriber = {
  readonly send: (update: StatusUpdate) => void;
  /** The event up to which it knows everything; `undefined` until it has the present status. */
  seq?: number;
  status?: StatusUpdate["status"];
  /** Changes that came before the present status was read. */
  held: Change[];
};

/** Starts to follow the event log for whoever subscribes. */
export async function startStatusSubscriptions(
  parameters: Pick<Context, "log" | "store"> & {
    readonly onCommit: OnCommit;
    /** @default no faults */
    readonly faults?: Pick<FaultHooks, "forDelivery"> | undefined;
    /** Least time between a deposit and the success that follows, in milliseconds. @default 0 */
    readonly successDelayMs?: number | undefined;
  },
): Promise<StatusSubscriptions> {
  const { faults = noFaults, store, successDelayMs = 0 } = parameters;
  const subscribers = new Map<string, Set<Subscriber>>();
  const follower = await followEvents({
    ...parameters,
    take: async (event) => {
      const id = event.request_id;
      const request = subscribers.has(id) ? await findRequest(store, id) : undefined;
      if (request === undefined) return;
      const update = { ...(await statusData(store, request, event)), requestId: id };
      for (const subscriber of subscribers.get(id) ?? []) deliver(subscriber, { seq: event.seq, update });
    },
  });
  return {
    open: (requestId, send) => {
      const id = requestId.toLowerCase();
      const delayed = delaySuccess(send, successDelayMs);
      const way = faultySend(delayed.send, faults);
      const subscriber: Subscriber = { held: [], send: way.send };
      // It is listed before the present status is read: what changes meanwhile is held back, and sent if it is news.
      const ofRequest = subscribers.get(id) ?? new Set();
      subscribers.set(id, ofRequest.add(subscriber));
      return {
        close: () => {
          way.close();
          delayed.close();
          ofRequest.delete(subscriber);
          if (ofRequest.size === 0 && subscribers.get(id) === ofRequest) subscribers.delete(id);
        },
        ready: readPresent(store, id).then(({ seq, update }) => {
          if (!ofRequest.has(subscriber)) return;
          subscriber.seq = seq;
          if (update !== undefined) sendIfNew(subscriber, update);
          for (const change of subscriber.held.splice(0)) deliver(subscriber, change);
        }),
      };
    },
    stop: follower.stop,
  };
}

/** Status and place in the log of one moment. */
async function readPresent(store: Store, id: string): Promise<{ seq: number; update?: StatusUpdate }> {
  // A transaction, because a status that is newer than its place in the log would be followed by older ones.
  return store
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (transaction) => {
      const request = await findRequest(transaction, id);
      if (request === undefined) return { seq: 0 };
      return {
        seq: await lastEvent(transaction, id),
        update: { ...(await statusData(transaction, request)), requestId: id },
      };
    });
}

function deliver(subscriber: Subscriber, change: Change): void {
  if (subscriber.seq === undefined) {
    subscriber.held.push(change);
    return;
  }
  if (change.seq <= subscriber.seq) return;
  subscriber.seq = change.seq;
  sendIfNew(subscriber, change.update);
}

/** Not every event changes the status: a fill that fails before it was sent leaves it `pending`. */
function sendIfNew(subscriber: Subscriber, update: StatusUpdate): void {
  if (subscriber.status === update.status) return;
  subscriber.status = update.status;
  subscriber.send(update);
}
