import { type Chain, createPublicClient, custom, type PublicClient } from "viem";
import { WebSocket } from "ws";
import * as z from "zod";
import { BaseError } from "../../../src/errors/BaseError.ts";
import { InvalidParameterError } from "../../../src/errors/InvalidParameterError.ts";
import type { RunningChain } from "../Chain.ts";
import { type ChainDefinition, type ForkPoint, localChains, viemChain } from "../chainDefinitions.ts";
import { publicDefinition } from "../fork/publicChains.ts";
import { headSchema, quantitySchema, type Rpc } from "../rpc.ts";
import { capGas } from "./capGas.ts";
import { httpRpc } from "./httpRpc.ts";
import { type HeadTracker, trackHead } from "./trackHead.ts";

/** A chain outside this process: any JSON-RPC node, such as a Hardhat node or anvil. */
export type ExternalChain = {
  readonly id: number;
  /**
   * Its name in orders. @default "alpha" for 31337, "beta" for 31338 and so on up to "theta", "ethereum" for 1 and the names of
   * other public chains, else `chain-` and the id
   */
  readonly name?: string | undefined;
  /** `http://…` or `https://…`. New blocks arrive over a websocket at the same address if the node serves one. */
  readonly rpcUrl: string;
  /** Time limit of one answer in milliseconds; a read is repeated once. @default 5000 */
  readonly timeoutMs?: number | undefined;
};

/** Polling interval of the newest block in milliseconds: with announcements, and without. */
const pollAnnouncedMs = 1_000;
const pollSilentMs = 100;
const reconnectMs = 2_000;
const answerTimeoutMs = 5_000;

/**
 * A node that does not answer, or that serves another chain.
 *
 * @example
 * import { ChainUnreachableError, startEmulator } from "@waybill/emulator";
 *
 * const chains = [{ id: 31337, rpcUrl: "http://127.0.0.1:1" }];
 * try {
 *   await startEmulator({ chains, port: 0 });
 * } catch (error) {
 *   console.log(error instanceof ChainUnreachableError); // true
 * }
 */
export class ChainUnreachableError extends BaseError {
  override readonly name = "ChainUnreachableError";

  constructor({ cause, chain, reason }: { cause?: unknown; chain: ExternalChain; reason: string }) {
    super(`Chain ${chain.id} cannot be used: ${reason}.`, { cause, code: "CHAIN_UNREACHABLE" });
  }
}

/** A node that now serves another chain than at the start. */
class ChainReplacedError extends BaseError {
  override readonly name = "ChainReplacedError";

  constructor({ id, name }: Pick<ChainDefinition, "id" | "name">) {
    super(`The node of ${name} (chain ${id}) is one of another chain now`, {
      code: "CHAIN_REPLACED",
      retryable: true,
    });
  }
}

/**
 * Connects to a chain that runs elsewhere.
 *
 * @throws ChainUnreachableError when no node answers, or it serves another chain.
 */
export async function connectChain(external: ExternalChain): Promise<RunningChain> {
  const { rpcUrl, timeoutMs = answerTimeoutMs } = external;
  const node = httpRpc(rpcUrl, timeoutMs);
  await assertChain(external, node);
  const definition = { ...definitionOf(external), fork: await readForkPoint(node, rpcUrl) };
  const identity = await readIdentity(node);
  const rpc = capGas(node);
  const wsRpcUrl = rpcUrl.replace(/^http/, "ws");
  const announced: Announcements = { isConnected: false };
  const heads = await trackHead(rpc, () => (announced.isConnected ? pollAnnouncedMs : pollSilentMs));
  const hangUp = listenForHeads(wsRpcUrl, heads, announced);
  return {
    client: clientOver(rpc, viemChain(definition, rpcUrl)),
    close: async () => {
      hangUp();
      heads.stop();
    },
    confirm: async () => {
      if ((await readIdentity(node)) !== identity) throw new ChainReplacedError(definition);
    },
    definition,
    blockSeconds: heads.blockSeconds,
    head: heads.head,
    onBlock: heads.onBlock,
    rpc,
    rpcUrl,
    wsRpcUrl,
  };
}

function definitionOf({ id, name }: ExternalChain): ChainDefinition {
  const known = localChains.find((chain) => chain.id === id);
  if (name === undefined) return known ?? publicDefinition(id);
  return { displayName: name, id, name };
}

/** Methods of development nodes that describe themselves: those of anvil and Hardhat. */
const describingMethods = ["anvil_nodeInfo", "hardhat_metadata"];
const describedSchema = z.object({
  forkConfig: z.object({ forkBlockNumber: z.number().nullish() }).nullish(),
  forkedNetwork: z.object({ forkBlockNumber: z.number() }).nullish(),
});

/** Finds out whether a development node runs a fork. Others lack the methods. */
async function readForkPoint(rpc: Rpc, url: string): Promise<ForkPoint | undefined> {
  for (const method of describingMethods) {
    const described = describedSchema.safeParse(await rpc(method).catch(() => undefined));
    const { forkConfig, forkedNetwork } = described.data ?? {};
    const block = forkConfig?.forkBlockNumber ?? forkedNetwork?.forkBlockNumber;
    if (typeof block === "number") return { block, url };
    if (described.success) return undefined;
  }
  return undefined;
}

/** Reads what distinguishes a chain from others: its id and the hash of its first block. */
async function readIdentity(rpc: Rpc): Promise<string> {
  const [id, first] = await Promise.all([rpc("eth_chainId"), rpc("eth_getBlockByNumber", ["0x0", false])]);
  return `${quantitySchema.parse(id)} ${headSchema.parse(first).hash}`;
}

async function assertChain(chain: ExternalChain, rpc: Rpc): Promise<void> {
  const answer = await rpc("eth_chainId").catch((cause: unknown) => {
    throw new ChainUnreachableError({ cause, chain, reason: "no node answers at its address" });
  });
  const id = quantitySchema.safeParse(answer);
  if (!id.success || id.data !== BigInt(chain.id)) {
    const reason = id.success
      ? `the node there is one of chain ${id.data}`
      : "the server there is not a node";
    throw new ChainUnreachableError({ chain, reason });
  }
}

/** Whether the node currently announces its blocks. */
type Announcements = { isConnected: boolean };

const announcementSchema = z.object({
  method: z.literal("eth_subscription"),
  params: z.object({ result: headSchema }),
});

/** Subscribes to new blocks, and again after each lost connection. Nodes without a websocket are polled. */
function listenForHeads(url: string, heads: HeadTracker, announced: Announcements): () => void {
  let isStopped = false;
  let socket: WebSocket;
  let timer: NodeJS.Timeout | undefined;
  const connect = () => {
    socket = new WebSocket(url, { handshakeTimeout: reconnectMs });
    socket.on("open", () => {
      socket.send(JSON.stringify({ id: 1, jsonrpc: "2.0", method: "eth_subscribe", params: ["newHeads"] }));
    });
    socket.on("message", (data) => {
      const message = announcementSchema.safeParse(parseJson(data.toString()));
      if (!message.success) return;
      announced.isConnected = true;
      heads.announce(message.data.params.result);
    });
    // The close event follows and handles it.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      announced.isConnected = false;
      if (isStopped) return;
      timer = setTimeout(connect, reconnectMs);
      timer.unref();
    });
  };
  connect();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    socket.terminate();
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A viem client over `rpc`, without retries of its own. */
export function clientOver(rpc: Rpc, chain: Chain): PublicClient {
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    if (params !== undefined && !Array.isArray(params)) {
      throw new InvalidParameterError({ parameter: "params", reason: "a list is needed" });
    }
    return rpc(method, params);
  };
  return createPublicClient({
    cacheTime: 0,
    chain,
    pollingInterval: 20,
    transport: custom({ request }, { retryCount: 0 }),
  }) as PublicClient;
}
