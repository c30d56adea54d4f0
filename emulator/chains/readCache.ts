import type { Rpc } from "./rpc.ts";

/** Reads whose answer is constant until the chain changes. */
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
/** The cached reads that do not depend on the time either: their answers never expire. */
const timeless: ReadonlySet<string> = new Set([
  "eth_chainId",
  "eth_getBalance",
  "eth_getCode",
  "eth_getStorageAt",
  "eth_getTransactionCount",
]);
/** Other methods that do not change the chain. A method in neither list may change it. */
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

/** Whether a method leaves the chain unchanged, so that it may be repeated. */
export function isRead(method: string): boolean {
  return cached.has(method) || harmless.has(method);
}

/** Bounds of the cache. The age, in milliseconds, bounds answers that depend on the time. */
const maxAnswers = 2_000;
const maxAgeMs = 500;

/** A read cache of a chain in this process, valid while nothing can have changed. */
export type ReadCache = {
  /** The same chain, through the cache. */
  readonly rpc: Rpc;
  /** Runs a request. Every request to the chain must pass here, from any source. */
  watch<Answer>(method: string, run: () => Promise<Answer>): Promise<Answer>;
  /** Empties the cache. Call it after changes without a request, such as blocks mined by a timer. */
  forget(): void;
};

type Answer = { readonly at: number; readonly value: Promise<unknown> };

/** Caches the reads of a chain whose every request passes `watch`. */
export function cacheReads(rpc: Rpc, now: () => number = () => performance.now()): ReadCache {
  const answers = new Map<string, Answer>();
  /** Requests in flight that may change the chain. A read during one belongs to neither state, and is not cached. */
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
    // A failed answer leaves the cache. Callers that share it get the error.
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
