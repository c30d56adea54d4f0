/** Sends statuses to one subscriber and may hold back success. */
type DelayedSend<Update> = {
  send(update: Update): void;
  /** Drops held updates and ignores later ones. */
  close(): void;
};

/**
 * Holds `success` back until `delayMs` after the first status other than `waiting`. A client that sees success earlier may
 * end before its wallet has returned the transaction hash. Other updates are sent at once, but never ahead of a held one.
 *
 * @param delayMs Milliseconds; 0 disables the delay.
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
