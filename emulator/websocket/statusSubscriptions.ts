import type { Context } from "../context/Context.ts";
import { type Delivery, type DeliveryFault, type FaultHooks, noFaults } from "../context/FaultHooks.ts";
import { followEvents, lastEvent } from "../events/followEvents.ts";
import { type StatusData, statusColumns, statusData } from "../requests/statusData.ts";
import type { OnCommit } from "../store/dialect/observeCommits.ts";
import type { Store } from "../store/tables.ts";

/** A status update as sent to subscribers. */
type StatusUpdate = StatusData & { readonly requestId: string };

export type StatusSubscription = {
  /** Resolves once the current status is sent, or the request is found not to exist. */
  readonly ready: Promise<void>;
  close(): void;
};

export type StatusSubscriptions = {
  /**
   * Sends the current status of a request, then each later status exactly once and in order.
   *
   * @param send Must neither throw nor block.
   */
  open(requestId: string, send: (update: StatusUpdate) => void): StatusSubscription;
  stop(): Promise<void>;
};

type Change = { readonly seq: number; readonly update: StatusUpdate };

type Subscriber = {
  readonly send: (update: StatusUpdate) => void;
  /** `seq` of the last event covered by what was sent; `undefined` until the current status is read. */
  seq?: number;
  status?: StatusUpdate["status"];
  /** Changes that arrived before the current status was read. */
  held: Change[];
};

/** Follows the event log and passes status changes on to subscribers. */
export async function startStatusSubscriptions(
  parameters: Pick<Context, "log" | "store"> & {
    readonly onCommit: OnCommit;
    /** @default no faults */
    readonly faults?: Pick<FaultHooks, "forDelivery"> | undefined;
    /** Minimum time from a deposit to `success`, in milliseconds. @default 0 */
    readonly successDelayMs?: number | undefined;
  },
): Promise<StatusSubscriptions> {
  const { faults = noFaults, store, successDelayMs = 0 } = parameters;
  const subscribers = new Map<string, Set<Subscriber>>();
  const follower = await followEvents({
    ...parameters,
    take: async (event) => {
      const id = event.request_id;
      const request = subscribers.has(id) ? await findStatus(store, id) : undefined;
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
      // Registered before the current status is read: changes in between are held, and sent if they are newer.
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

/** Reads less than the whole request, whose quote may be long. */
async function findStatus(store: Store, id: string) {
  return store.selectFrom("requests").select(statusColumns).where("id", "=", id).executeTakeFirst();
}

/** Reads the current status with the `seq` of the last event it includes. */
async function readPresent(store: Store, id: string): Promise<{ seq: number; update?: StatusUpdate }> {
  // One transaction: a status newer than its `seq` would be followed by older statuses.
  return store
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (transaction) => {
      const request = await findStatus(transaction, id);
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

/** Skips events that leave the status unchanged, such as a fill that fails before it is sent. */
function sendIfNew(subscriber: Subscriber, update: StatusUpdate): void {
  if (subscriber.status === update.status) return;
  subscriber.status = update.status;
  subscriber.send(update);
}

/** Sends statuses to one subscriber and may hold back success. */
type DelayedSend<Update> = {
  send(update: Update): void;
  /** Drops held updates and ignores later ones. */
  close(): void;
};

/**
 * Holds `success` back until `delayMs` after the first status other than `waiting`. A client that sees success earlier
 * may end before its wallet has returned the transaction hash. Other updates are sent at once, but never ahead of a
 * held one.
 */
export function delaySuccess<Update extends { readonly status: string }>(
  send: (update: Update) => void,
  delayMs: number,
): DelayedSend<Update> {
  let toldAt: number | undefined;
  let isClosed = false;
  let waiting: Update[] | undefined;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    const updates = waiting ?? [];
    waiting = undefined;
    for (const update of updates) send(update);
  };
  return {
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
    send: (update) => {
      if (isClosed) return;
      if (waiting !== undefined) {
        waiting.push(update);
        return;
      }
      const now = performance.now();
      if (update.status !== "waiting") toldAt ??= now;
      const rest = delayMs - (now - (toldAt ?? now));
      if (update.status !== "success" || rest <= 0) return send(update);
      waiting = [update];
      timer = setTimeout(flush, rest);
    },
  };
}

/** Time in which later statuses overtake a reordered one, in milliseconds. */
const overtakingMs = 2_000;

/** Sends statuses to one subscriber with injected faults: dropped, duplicated, reordered. */
type FaultySend<Update> = {
  send(update: Update): void;
  /** Drops reordered updates and ignores later ones. */
  close(): void;
};

/** Applies delivery faults to each update, in order. An update without a fault is sent at once. */
function faultySend<Update extends Pick<Delivery, "requestId" | "status">>(
  send: (update: Update) => void,
  faults: Pick<FaultHooks, "forDelivery">,
): FaultySend<Update> {
  let isClosed = false;
  /** Number of updates whose fault decision is pending, and the last of these decisions. */
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const sendUnlessClosed = (update: Update) => {
    if (!isClosed) send(update);
  };
  const sendAs = (update: Update, fault: DeliveryFault | undefined) => {
    if (fault === "drop") return;
    if (fault === "reorder") {
      setTimeout(sendUnlessClosed, overtakingMs, update).unref();
      return;
    }
    sendUnlessClosed(update);
    if (fault === "duplicate") sendUnlessClosed(update);
  };
  return {
    close: () => {
      isClosed = true;
    },
    send: (update) => {
      const { requestId, status } = update;
      const ask = () => faults.forDelivery({ channel: "websocket", requestId, status });
      const answer = waiting === 0 ? ask() : last.then(ask);
      if (!(answer instanceof Promise)) return sendAs(update, answer);
      waiting++;
      // A failed look-up of faults counts as no fault.
      last = answer
        .catch(() => undefined)
        .then((fault) => {
          waiting--;
          sendAs(update, fault);
        });
    },
  };
}
