import type { Delivery, DeliveryFault, FaultHooks } from "../context/FaultHooks.ts";

/** How long a status that is to be overtaken waits for the one that overtakes it, in milliseconds. */
const overtakingMs = 2_000;

/** One subscriber's way to get statuses, on which they can be lost, doubled and swapped on purpose. */
export type FaultySend<Update> = {
  send(update: Update): void;
  /** Forgets what still waits. */
  close(): void;
};

/** Sends as it is told to by the faults; without any, at once. */
export function faultySend<Update extends Pick<Delivery, "requestId" | "status">>(
  send: (update: Update) => void,
  faults: Pick<FaultHooks, "forDelivery">,
): FaultySend<Update> {
  let isClosed = false;
  /** Updates that wait for what is to become of one before them, and the last of them. */
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
      // Perhaps none comes after it: late is better than never.
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
      // What cannot be asked about goes on as if there were no faults.
      last = answer
        .catch(() => undefined)
        .then((fault) => {
          waiting--;
          sendAs(update, fault);
        });
    },
  };
}
