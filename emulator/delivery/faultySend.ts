import type { Delivery, FaultHooks } from "../control/FaultHooks.ts";

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
  let held: { readonly update: Update; readonly timer: NodeJS.Timeout } | undefined;
  const release = () => {
    if (held === undefined) return;
    const { timer, update } = held;
    held = undefined;
    clearTimeout(timer);
    send(update);
  };
  return {
    close: () => {
      clearTimeout(held?.timer);
      held = undefined;
    },
    send: (update) => {
      const { requestId, status } = update;
      const fault = faults.forDelivery({ channel: "websocket", requestId, status });
      if (fault === "drop") return;
      if (fault === "reorder" && held === undefined) {
        // Perhaps none comes after it: late is better than never.
        held = { timer: setTimeout(release, overtakingMs), update };
        return;
      }
      send(update);
      if (fault === "duplicate") send(update);
      release();
    },
  };
}
