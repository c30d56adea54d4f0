import { isRead } from "./readCache.ts";

/** Requests that mine, unless the chain was told to wait. */
const mining: ReadonlySet<string> = new Set([
  "eth_sendRawTransaction",
  "eth_sendTransaction",
  "evm_mine",
  "hardhat_mine",
]);

/** What the history of a chain asks for itself, also while it does its work. */
const past: ReadonlySet<string> = new Set(["evm_revert", "evm_snapshot"]);

/** A request that went through. */
export type Change = {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Whether the method is one that mines. */
  readonly isMining: boolean;
};

/** A place that every request to a chain in this process passes. */
export type MiningGate = {
  /**
   * Has work done after each request that may change the chain, before the next one: otherwise several blocks could come in
   * between.
   *
   * @returns What ends that.
   */
  afterChange(work: (change: Change) => Promise<unknown>): () => void;
  pass<Answer>(
    request: Pick<Change, "method"> & { params?: unknown },
    run: () => Promise<Answer>,
  ): Promise<Answer>;
};

/** Lets requests pass side by side, as long as there is no work to do after them. */
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
