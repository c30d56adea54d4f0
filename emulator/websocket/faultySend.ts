import type { Delivery, DeliveryFault, FaultHooks } from "../context/FaultHooks.ts";

/** Time in which later statuses overtake a reordered one, in milliseconds. */
const overtakingMs = 2_000;

/** Sends statuses to one subscriber with injected faults: dropped, duplicated, reordered. */
export type FaultySend<Update> = {
  send(update: Update): void;
  /** Drops reordered updates and ignores later ones. */
  close(): void;
};

/** Applies delivery faults to each update, in order. An update without a fault is sent at once. */
export function faultySend<Update extends Pick<Delivery, "requestId" | "status">>(
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
