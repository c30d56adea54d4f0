import type { ChainHead } from "../rpc.ts";
import { latestHead, type Rpc } from "../rpc.ts";

/** Keeps the newest block of a chain at hand. */
export type HeadTracker = {
  head(): ChainHead;
  onBlock(listener: (head: ChainHead) => void): () => void;
  /** Seconds from one block to the next: the fewest that were seen, at least one. */
  blockSeconds(): number;
  /** Takes a block that the node announced. */
  announce(head: ChainHead): void;
  /** Asks the node, because it may have a block that it did not announce: after a revert or a lost connection. */
  refresh(): Promise<void>;
  stop(): void;
};

/**
 * Follows the newest block of a chain: what the node announces counts at once, and the node is asked every `pollMs` too,
 * because nodes announce no block when they go back to an earlier one.
 */
export async function trackHead(rpc: Rpc, pollMs: () => number): Promise<HeadTracker> {
  let current = await latestHead(rpc);
  let isStopped = false;
  let shortest: number | undefined;
  const listeners = new Set<(head: ChainHead) => void>();
  const announce = (head: ChainHead) => {
    if (isStopped || head.hash === current.hash) return;
    if (head.number > current.number) {
      const seconds = Number(head.timestamp - current.timestamp) / Number(head.number - current.number);
      // Chains that mine on demand pause between two users: only the fewest tell how long a block takes.
      shortest = Math.min(shortest ?? seconds, seconds);
    }
    current = head;
    for (const listener of listeners) listener(head);
  };
  let announcements = 0;
  const refresh = async () => {
    const before = announcements;
    const head = await latestHead(rpc);
    // What was announced while the node answered is newer than its answer.
    if (before === announcements) announce(head);
  };
  let timer: NodeJS.Timeout;
  const poll = () => {
    timer = setTimeout(async () => {
      // A node that is away for a moment is asked again.
      await refresh().catch(() => undefined);
      if (!isStopped) poll();
    }, pollMs());
    timer.unref();
  };
  poll();
  return {
    announce: (head) => {
      announcements++;
      announce(head);
    },
    blockSeconds: () => Math.max(1, Math.ceil(shortest ?? 1)),
    head: () => current,
    onBlock: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    refresh,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      listeners.clear();
    },
  };
}
