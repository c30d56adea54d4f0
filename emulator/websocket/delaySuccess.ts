/** One subscriber's way to get statuses, on which success may have to wait. */
export type DelayedSend<Update> = {
  send(update: Update): void;
  /** Drops what still waits, and all that comes later. */
  close(): void;
};

/**
 * Sends success no sooner than a delay after the deposit was told: a wallet must have read the answer to its own transaction
 * by then, or clients end before they have its hash. Everything else is sent at once, but never ahead of a success that waits.
 *
 * @param delayMs Milliseconds; 0 for none.
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
