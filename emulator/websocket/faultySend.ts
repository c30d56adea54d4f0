import type { Delivery, DeliveryFault, FaultHooks } from "../context/FaultHooks.ts";

/** Maximum wait of a reordered status for the next one, in milliseconds. */
const overtakingMs = 2_000;

/** Sends statuses to one subscriber with injected faults: dropped, duplicated, reordered. */
export type FaultySend<Update> = {
  send(update: Update): void;
  /** Drops a held update and ignores later ones. */
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
  let held: { readonly update: Update; readonly timer: NodeJS.Timeout } | undefined;
  const release = () => {
    if (held === undefined) return;
    const { timer, update } = held;
    held = undefined;
    clearTimeout(timer);
    send(update);
  };
  const sendAs = (update: Update, fault: DeliveryFault | undefined) => {
    if (fault === "drop" || isClosed) return;
    if (fault === "reorder" && held === undefined) {
      // If no update follows, the timer sends it late rather than never.
      held = { timer: setTimeout(release, overtakingMs), update };
      return;
    }
    send(update);
    if (fault === "duplicate") send(update);
    release();
  };
  return {
    close: () => {
      isClosed = true;
      clearTimeout(held?.timer);
      held = undefined;
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
