import { type ChainHead, latestHead, type Rpc } from "../rpc.ts";

/** Follows the newest block of a chain. */
export type HeadTracker = {
  head(): ChainHead;
  onBlock(listener: (head: ChainHead) => void): () => void;
  /** Shortest observed time between two blocks, in seconds; at least one. */
  blockSeconds(): number;
  /** Records a block that the node announced. */
  announce(head: ChainHead): void;
  /** Reads the newest block, which the node does not announce after a revert or a lost connection. */
  refresh(): Promise<void>;
  stop(): void;
};

/**
 * Follows the newest block of a chain by announcements, and by polling every `pollMs`: nodes do not announce a revert to an
 * earlier block.
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
      // Chains that mine on demand pause between transactions, so the minimum is the block time.
      shortest = Math.min(shortest ?? seconds, seconds);
    }
    current = head;
    for (const listener of listeners) listener(head);
  };
  let announcements = 0;
  const refresh = async () => {
    const before = announcements;
    const head = await latestHead(rpc);
    // A block announced during the request is newer than its answer.
    if (before === announcements) announce(head);
  };
  let timer: NodeJS.Timeout;
  const poll = () => {
    timer = setTimeout(async () => {
      // The next poll repeats a failed request.
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
