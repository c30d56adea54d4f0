/** Requests that mine, unless the chain was told to wait. */
const mining: ReadonlySet<string> = new Set([
  "eth_sendRawTransaction",
  "eth_sendTransaction",
  "evm_mine",
  "hardhat_mine",
]);

/** A place that every request to a chain in this process passes. */
export type MiningGate = {
  /**
   * Has work done after each request that mines, before the next one: otherwise several blocks could come in between.
   *
   * @returns What ends that.
   */
  afterMining(work: () => Promise<unknown>): () => void;
  pass<Answer>(method: string, request: () => Promise<Answer>): Promise<Answer>;
};

/** Lets requests pass side by side, as long as there is no work to do after them. */
export function createMiningGate(): MiningGate {
  const works = new Set<() => Promise<unknown>>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    afterMining: (work) => {
      works.add(work);
      return () => works.delete(work);
    },
    pass: (method, request) => {
      if (works.size === 0 || !mining.has(method)) return request();
      const turn = last.then(async () => {
        const answer = await request();
        for (const work of works) await work();
        return answer;
      });
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}
