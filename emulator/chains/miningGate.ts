import { isRead } from "./readCache.ts";

/** Methods that mine while the chain mines automatically. */
export const mining: ReadonlySet<string> = new Set([
  "eth_sendRawTransaction",
  "eth_sendTransaction",
  "evm_mine",
  "hardhat_mine",
]);

/** Methods of the chain history's own work, which would deadlock if they had to wait for it. */
const past: ReadonlySet<string> = new Set(["evm_revert", "evm_snapshot"]);

/** A request that was executed. */
export type Change = {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Whether the method is one that mines. */
  readonly isMining: boolean;
};

/** Passes every request to a chain in this process. */
export type MiningGate = {
  /**
   * Runs work after each request that may change the chain, before the next one. Without that, several blocks could be
   * mined in between.
   */
  afterChange(work: (change: Change) => Promise<unknown>): () => void;
  pass<Answer>(
    request: Pick<Change, "method"> & { params?: unknown },
    run: () => Promise<Answer>,
  ): Promise<Answer>;
};

/** Requests run concurrently while no work is registered. */
export function createMiningGate(): MiningGate {
  const works = new Set<(change: Change) => Promise<unknown>>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    afterChange: (work) => {
      works.add(work);
      return () => works.delete(work);
    },
    pass: ({ method, params }, run) => {
      if (works.size === 0 || isRead(method) || past.has(method)) return run();
      const change = { isMining: mining.has(method), method, params: Array.isArray(params) ? params : [] };
      const turn = last.then(async () => {
        const answer = await run();
        for (const work of works) await work(change);
        return answer;
      });
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}
