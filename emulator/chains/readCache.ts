import type { Rpc } from "./rpc.ts";

/** Reads whose answer stays the same until the chain changes. */
const cached: ReadonlySet<string> = new Set([
  "eth_call",
  "eth_chainId",
  "eth_estimateGas",
  "eth_gasPrice",
  "eth_getBalance",
  "eth_getBlockByNumber",
  "eth_getCode",
  "eth_getStorageAt",
  "eth_getTransactionCount",
  "eth_maxPriorityFeePerGas",
]);
/** Those of them that say the same at any time of day: they are kept for as long as the chain stays as it is. */
const timeless: ReadonlySet<string> = new Set([
  "eth_chainId",
  "eth_getBalance",
  "eth_getCode",
  "eth_getStorageAt",
  "eth_getTransactionCount",
]);
/** Other methods that leave the chain as it is; whatever is in neither list may change it. */
const harmless: ReadonlySet<string> = new Set([
  "debug_traceCall",
  "debug_traceTransaction",
  "eth_accounts",
  "eth_blockNumber",
  "eth_feeHistory",
  "eth_getBlockByHash",
  "eth_getLogs",
  "eth_getTransactionByHash",
  "eth_getTransactionReceipt",
  "eth_subscribe",
  "eth_unsubscribe",
  "net_version",
  "web3_clientVersion",
]);

/** Whether a method leaves the chain as it is: asking twice is as good as once. */
export function isRead(method: string): boolean {
  return cached.has(method) || harmless.has(method);
}

/** So many answers are kept, and for so long in milliseconds: what depends on the time of day changes without a request. */
const maxAnswers = 2_000;
const maxAgeMs = 500;

/** Answers reads of a chain in this process from memory, for as long as nothing can have changed. */
export type ReadCache = {
  /** The same chain, with answers from memory. */
  readonly rpc: Rpc;
  /** Has to see every request that reaches the chain, from wherever it comes; runs it and answers as it does. */
  watch<Answer>(method: string, run: () => Promise<Answer>): Promise<Answer>;
  /** Has to be told of changes that no request made: blocks that the chain mined by itself. */
  forget(): void;
};

type Answer = { readonly at: number; readonly value: Promise<unknown> };

/** Puts a memory in front of a chain of which every request is watched. */
export function cacheReads(rpc: Rpc, now: () => number = () => performance.now()): ReadCache {
  const answers = new Map<string, Answer>();
  /** Requests under way that may change the chain: what is read meanwhile belongs to neither state. */
  let changing = 0;
  const forget = () => answers.clear();

  const read: Rpc = async (method, params = []) => {
    if (changing > 0 || !cached.has(method)) return rpc(method, params);
    const key = `${method}${JSON.stringify(params)}`;
    const known = answers.get(key);
    if (known !== undefined && (timeless.has(method) || now() - known.at < maxAgeMs)) return known.value;
    if (answers.size >= maxAnswers) forget();
    const answer: Answer = { at: now(), value: rpc(method, params) };
    answers.set(key, answer);
    // What failed is asked again; whoever waits for it now gets the error.
    answer.value.catch(() => {
      if (answers.get(key) === answer) answers.delete(key);
    });
    return answer.value;
  };
  return {
    forget,
    rpc: read,
    watch: async (method, run) => {
      if (isRead(method)) return run();
      changing++;
      forget();
      try {
        return await run();
      } finally {
        changing--;
        forget();
      }
    },
  };
}
