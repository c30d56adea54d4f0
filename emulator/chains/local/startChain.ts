import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { EthereumProvider } from "hardhat/types/providers";
import { RpcRequestError } from "viem";
import type { CorsOrigins } from "../../access/hostRule.ts";
import type { LogEntry } from "../../log/LogEntry.ts";
import { deriveAccounts, unlockedKeys } from "../accounts.ts";
import type { RunningChain } from "../Chain.ts";
import { type ChainDefinition, viemChain } from "../chainDefinitions.ts";
import { capGas } from "../evm/capGas.ts";
import { clientOver } from "../evm/connectChain.ts";
import { trackHead } from "../evm/trackHead.ts";
import { createMiningGate, type MiningGate, mining } from "../miningGate.ts";
import { packageRoot } from "../packageRoot.ts";
import { cacheReads, isRead, type ReadCache } from "../readCache.ts";
import { headSchema, type Rpc } from "../rpc.ts";
import { guardServer } from "./guardServer.ts";

/** Longest delay of a stop by open connections, in milliseconds. */
const closeGraceMs = 1_000;
/** Polling interval of the newest block in milliseconds, in addition to announcements. */
const pollMs = 1_000;
const userBalance = 10n ** 22n;
const hardfork = "prague";

/** Starts a chain of the runtime, on a port that must be free. */
type StartChain = (definition: ChainDefinition, hostname: string, port: number) => Promise<RunningChain>;

/** Provider of a chain in this process, with its gate and read cache. */
type LocalNode = {
  readonly gate: MiningGate;
  readonly provider: EthereumProvider;
  readonly reads: ReadCache;
};

type RuntimeParameters = {
  /** Makes the chains repeatable. @default blocks have the machine's time */
  readonly pace?: ChainPace | undefined;
  /** Which pages in a browser may use the chains' JSON-RPC. @default true */
  readonly cors?: CorsOrigins | undefined;
  /** Receives refused calls of the JSON-RPC. */
  readonly log?: ((entry: LogEntry) => void) | undefined;
  /** Unix milliseconds of the first block. @default the machine's time */
  readonly startAt?: number | undefined;
};

/** Hardhat's type of a fork. Blocks of other chains can hold kinds of transactions that Ethereum does not have. */
function chainTypeOf(id: number): "generic" | "l1" {
  return id === 1 ? "l1" : "generic";
}

/** Whether a method runs in the next block or mines it. */
function isTimed(method: string): boolean {
  return ["eth_call", "eth_estimateGas"].includes(method) || mining.has(method);
}

/** Gives the next block the pace's time, or that of the newest block if it is later. */
async function setTime(
  pace: ChainPace,
  request: (call: { method: string; params: unknown[] }) => Promise<unknown>,
): Promise<void> {
  const newest = await request({ method: "eth_getBlockByNumber", params: ["latest", false] });
  const { timestamp } = headSchema.parse((newest as { result: unknown }).result);
  const seconds = Math.max(Math.floor(pace.now() / 1_000), Number(timestamp));
  await request({ method: "evm_setNextBlockTimestamp", params: [seconds] });
}

/** Starts one chain with a runtime of its own. */
export async function startChain(
  definition: ChainDefinition,
  hostname: string,
  port: number,
): Promise<RunningChain> {
  const start = await createChainRuntime([definition]);
  return start(definition, hostname, port);
}

/** Prepares automining chains with the test mnemonic's accounts unlocked; they share one Hardhat runtime. */
export async function createChainRuntime(
  definitions: readonly ChainDefinition[],
  { cors = true, log = () => {}, pace, startAt }: RuntimeParameters = {},
): Promise<StartChain> {
  // Keys instead of the mnemonic, from which Hardhat would derive the accounts again for each chain.
  const accounts = unlockedKeys(deriveAccounts()).map((privateKey) => ({
    balance: userBalance.toString(),
    privateKey,
  }));
  const forks = definitions.filter(({ fork }) => fork !== undefined);
  // Hardhat keeps answers of upstreams by their URL. That of a fork's own server is of one run.
  const cache = join(tmpdir(), `waybill-fork-${randomUUID()}`);
  const config = {
    // Hardhat has the history of few chains: a fork's rules apply to its upstream's blocks too.
    chainDescriptors: Object.fromEntries(
      forks.map(({ id, name }) => [
        id,
        { chainType: chainTypeOf(id), hardforkHistory: { [hardfork]: { blockNumber: 0 } }, name },
      ]),
    ),
    networks: Object.fromEntries(
      definitions.map(({ fork, id, name }) => [
        name,
        {
          accounts,
          allowBlocksWithSameTimestamp: true,
          chainId: id,
          chainType: fork === undefined ? ("l1" as const) : chainTypeOf(id),
          ...(fork !== undefined && { forking: { blockNumber: fork.block, url: fork.url } }),
          hardfork,
          ...(startAt !== undefined && { initialDate: new Date(startAt) }),
          // A reverting transaction gets a receipt, as on public chains, instead of an error.
          throwOnTransactionFailures: false,
          type: "edr-simulated" as const,
        },
      ]),
    ),
    // A missing folder: Hardhat would read every build in it, which takes most of the start.
    paths: { artifacts: join(packageRoot, "artifacts", "none"), ...(forks.length > 0 && { cache }) },
  };
  // Without a root, Hardhat needs a package.json in the working folder or above.
  const hre = await createHardhatRuntimeEnvironment(config, {}, packageRoot);
  const local = new Map<string, LocalNode>();
  hre.hooks.registerHandlers("network", {
    // The server opens its own connection, which only this hook sees.
    newConnection: async (context, next) => {
      const connection = await next(context);
      const { networkName, provider } = connection;
      const rpc = inProcessRpc(provider, networkName);
      const reads = cacheReads((method, params) => runInside(() => rpc(method, params)));
      local.set(networkName, { gate: createMiningGate(), provider, reads });
      return connection;
    },
    // Every request passes here, including the server's.
    onRequest: async (context, connection, request, next) => {
      const node = local.get(connection.networkName);
      const run = () => next(context, connection, request);
      if (node === undefined) return run();
      const { method, params } = request;
      if (pace === undefined) return node.gate.pass(request, () => node.reads.watch(method, run));
      const paced = async () => {
        if (isTimed(method)) {
          await setTime(pace, (call) => next(context, connection, { ...request, ...call }));
        }
        return run();
      };
      const pass = () => node.gate.pass(request, () => node.reads.watch(method, paced));
      if (isRead(method) || isInside()) return pass();
      const chainId = definitions.find(({ name }) => name === connection.networkName)?.id ?? 0;
      return pace.admit({ chainId, method, params: Array.isArray(params) ? params : [] }, () =>
        runInside(pass),
      );
    },
  });
  return async (definition, hostname, port) => {
    const server = await hre.network.createServer(definition.name, hostname, port);
    const address = await server.listen();
    await guardServer(address.port, { cors, hostname, log, name: definition.name });
    const node = local.get(definition.name);
    if (node === undefined) throw new Error(`${definition.name} has no provider`);
    const { gate, provider, reads } = node;
    const rpc = capGas(reads.rpc);
    const host = hostname.includes(":") ? `[${hostname}]` : hostname;
    const rpcUrl = `http://${host}:${address.port}`;
    const heads = await trackHead(rpc, () => pollMs);
    const subscription = await rpc("eth_subscribe", ["newHeads"]);
    provider.on("notification", (message: { subscription: string; result: unknown }) => {
      if (message.subscription !== subscription) return;
      reads.forget();
      heads.announce(headSchema.parse(message.result));
    });
    return {
      afterChange: gate.afterChange,
      client: clientOver(rpc, viemChain(definition, rpcUrl)),
      close: async () => {
        heads.stop();
        const grace = new Promise<void>((resolve) => setTimeout(resolve, closeGraceMs).unref());
        await Promise.race([server.close(), grace]);
        if (definition.fork !== undefined) rmSync(cache, { force: true, recursive: true });
      },
      definition,
      blockSeconds: heads.blockSeconds,
      head: heads.head,
      onBlock: heads.onBlock,
      rpc,
      rpcUrl,
      wsRpcUrl: `ws://${host}:${address.port}`,
    };
  };
}

type OutsideRequest = {
  readonly chainId: number;
  readonly method: string;
  readonly params: readonly unknown[];
};

/** Makes chains in this process repeatable: requests from outside run in turn, and blocks have the pace's time. */
export type ChainPace = {
  /** Unix milliseconds of the next block. */
  now(): number;
  /** Runs a request that may change the chain, after everything that came before it has ended. */
  admit<Answer>(request: OutsideRequest, run: () => Promise<Answer>): Promise<Answer>;
};

const inside = new AsyncLocalStorage<true>();

/** Marks a call as the emulator's own, which is not from outside. */
function runInside<Result>(work: () => Result): Result {
  return inside.run(true, work);
}

function isInside(): boolean {
  return inside.getStore() === true;
}

/** The used part of an EIP-1193 provider. */
type Provider = {
  request(call: { method: string; params?: readonly unknown[] | object }): Promise<unknown>;
};

/** JSON-RPC error code of a reverted call, as in geth. */
const revertCode = 3;
const internalErrorCode = -32_603;

/** JSON-RPC over a provider in this process, with the errors of its HTTP server. */
function inProcessRpc(provider: Provider, url: string): Rpc {
  return async (method, params = []) => {
    try {
      return await provider.request({ method, params });
    } catch (error) {
      throw asRpcError(error, { method, params }, url);
    }
  };
}

/** Converts an error to the one of an HTTP client, so that callers handle one kind only. */
function asRpcError(error: unknown, body: Record<string, unknown>, url: string): unknown {
  if (!(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "number" ? error.code : internalErrorCode;
  const data = "data" in error ? error.data : undefined;
  const returned = dataOf(data);
  const { message } = error;
  return new RpcRequestError({
    body,
    error: { code, data: code === revertCode ? returned : { data: returned, message }, message },
    url,
  });
}

function dataOf(data: unknown): string | undefined {
  if (typeof data === "string") return data;
  if (typeof data === "object" && data !== null && "data" in data && typeof data.data === "string") {
    return data.data;
  }
  return undefined;
}
