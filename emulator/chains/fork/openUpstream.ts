import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { toHex } from "viem";
import * as z from "zod";
import { InvalidParameterError } from "../../../src/errors/InvalidParameterError.ts";
import type { Fork, ForkPoint } from "../chainDefinitions.ts";
import { quantitySchema } from "../rpc.ts";
import { type AskUpstream, ForkUpstreamError, type UpstreamLimits, upstreamOf } from "./askUpstream.ts";

/** Where a fork's answers are kept, and how long its upstream may take. */
export type UpstreamParameters = UpstreamLimits & {
  /** @default `$XDG_CACHE_HOME/waybill/forks` */
  readonly cacheFolder?: string | undefined;
};

/** An open upstream: a loopback server that answers from the cache first. */
export type Upstream = ForkPoint & {
  /** Unix milliseconds of the block. */
  readonly time: number;
  /** The last request that failed after its retries. */
  failure(): ForkUpstreamError | undefined;
  close(): Promise<void>;
};

/** Limit of a search for a transaction that may be one of the fork's own, while the upstream is offline. */
const searchMs = 2_000;
const searches: ReadonlySet<string> = new Set(["eth_getTransactionByHash", "eth_getTransactionReceipt"]);
const headerSchema = z.object({ timestamp: quantitySchema });
const callSchema = z.object({
  id: z.unknown(),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
});
/** Account whose balance shows that the upstream has the state of the block. */
const anyAccount = "0x0000000000000000000000000000000000000000";

/**
 * Opens the upstream of a fork. A cached block needs no request, so that the upstream may be offline.
 */
export async function openUpstream(fork: Fork, parameters: UpstreamParameters = {}): Promise<Upstream> {
  const { id: chainId, rpcUrl } = fork;
  let block: number | "latest" = fork.block ?? "latest";
  const place = () => ({ block, chainId });
  const ask = upstreamOf(rpcUrl, place, parameters);
  if (block === "latest") {
    await assertChain(ask, chainId);
    block = Number(quantitySchema.parse(await ask("eth_blockNumber", [])));
  }
  const cache = openForkCache(parameters.cacheFolder ?? defaultCacheFolder(), { block, chainId, rpcUrl });
  const time = await readBlock({ ask, block, cache, chainId });
  let failure: ForkUpstreamError | undefined;
  const askOnce = upstreamOf(rpcUrl, place, { attempts: 1, timeoutMs: searchMs });
  const answer = answerer({ ask, askOnce, block, cache, chainId });
  const server = createServer((request, response) => {
    serve(request, response, async (method, params) => {
      try {
        return await answer(method, params);
      } catch (error) {
        if (error instanceof ForkUpstreamError) failure = error;
        throw error;
      }
    }).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    block,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
    failure: () => failure,
    time,
    url: `http://127.0.0.1:${port}`,
  };
}

type Source = {
  readonly ask: AskUpstream;
  readonly block: number;
  readonly cache: ForkCache;
  readonly chainId: number;
};

/** Reads the block's time, and proves that the upstream has its state. */
async function readBlock({ ask, block, cache, chainId }: Source): Promise<number> {
  const params = [toHex(block), false];
  const key = keyOf("eth_getBlockByNumber", params);
  const cached = headerSchema.safeParse(cache.get(key));
  if (cached.success) return Number(cached.data.timestamp) * 1_000;
  await assertChain(ask, chainId);
  const answer = await ask("eth_getBlockByNumber", params);
  const header = headerSchema.safeParse(answer);
  if (!header.success) throw new ForkUpstreamError({ block, chainId, reason: "it has no such block" });
  await ask("eth_getBalance", [anyAccount, toHex(block)]);
  cache.set(key, answer);
  return Number(header.data.timestamp) * 1_000;
}

async function assertChain(ask: AskUpstream, chainId: number): Promise<void> {
  const id = quantitySchema.parse(await ask("eth_chainId", []));
  if (id === BigInt(chainId)) return;
  const reason = `the upstream of chain ${chainId} is a node of chain ${id}`;
  throw new InvalidParameterError({ parameter: "forks", reason });
}

/**
 * Answers about the forked block from the cache, then from the upstream. The fork's own transactions are unknown upstream: an
 * upstream that is offline does not hold up a search for one.
 */
function answerer({
  ask,
  askOnce,
  block,
  cache,
  chainId,
}: Source & { readonly askOnce: AskUpstream }): AskUpstream {
  return (method, params) => {
    // Anvil asks for it in addition to balance, nonce and code. Few nodes have it, so its failures would say nothing.
    if (method === "eth_getAccountInfo") return Promise.reject(new Error("the method does not exist"));
    if (method === "eth_chainId") return Promise.resolve(toHex(chainId));
    if (method === "net_version") return Promise.resolve(String(chainId));
    if (method === "eth_blockNumber") return Promise.resolve(toHex(block));
    const key = keyOf(method, params);
    const cached = cache.get(key);
    if (cached !== undefined) return Promise.resolve(cached);
    const asked = searches.has(method) ? askOnce(method, params).catch(() => null) : ask(method, params);
    return asked.then((answer) => {
      // An unknown transaction may be mined later.
      if (answer !== null && !isMoving(params)) cache.set(key, answer);
      return answer;
    });
  };
}

/** Whether an answer depends on the upstream's newest block. */
function isMoving(params: readonly unknown[]): boolean {
  return params.some((each) => ["latest", "pending", "safe", "finalized"].includes(String(each)));
}

function keyOf(method: string, params: readonly unknown[]): string {
  return `${method} ${JSON.stringify(params)}`;
}

async function serve(request: IncomingMessage, response: ServerResponse, answer: AskUpstream): Promise<void> {
  const body: unknown = await json(request);
  const one = async (raw: unknown) => {
    const { id, method, params } = callSchema.parse(raw);
    try {
      return { id, jsonrpc: "2.0", result: await answer(method, params) };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { error: { code: -32_000, message }, id, jsonrpc: "2.0" };
    }
  };
  const answers = Array.isArray(body) ? await Promise.all(body.map(one)) : await one(body);
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answers));
}

/** Answers of an upstream about one block, kept on disk. */
type ForkCache = {
  get(key: string): unknown;
  /** Stores an answer. It never changes afterwards. */
  set(key: string, answer: unknown): void;
};

/** Folder of the caches: `$XDG_CACHE_HOME/waybill/forks`, by default in `~/.cache`. */
function defaultCacheFolder(): string {
  return join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "waybill", "forks");
}

/**
 * Opens the cache of a block: one file, to which each answer is appended as a line of JSON. The file's name contains a hash of
 * the URL, because the URL may contain a key. A line that a crash cut short is skipped.
 */
function openForkCache(
  folder: string,
  { block, chainId, rpcUrl }: { readonly block: number; readonly chainId: number; readonly rpcUrl: string },
): ForkCache {
  const source = createHash("sha256").update(rpcUrl).digest("hex").slice(0, 12);
  const file = join(folder, `${chainId}-${block}-${source}.jsonl`);
  mkdirSync(folder, { recursive: true });
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const answers = new Map<string, unknown>(lines.flatMap(parseEntry));
  return {
    get: (key) => answers.get(key),
    set: (key, answer) => {
      if (answers.has(key)) return;
      answers.set(key, answer);
      // The newline comes first: it ends a line that a crash cut short.
      appendFileSync(file, `\n${JSON.stringify([key, answer])}`);
    },
  };
}

function parseEntry(line: string): readonly (readonly [string, unknown])[] {
  try {
    const entry: unknown = JSON.parse(line);
    return Array.isArray(entry) && typeof entry[0] === "string" ? [[entry[0], entry[1]]] : [];
  } catch {
    return [];
  }
}
