import { HttpRequestError, http, RpcRequestError, TimeoutError, BaseError as ViemBaseError } from "viem";
import { BaseError } from "../../../src/errors/BaseError.ts";
import { fetchWhole } from "../rpc.ts";

/** Calls a method of an upstream. @throws ForkUpstreamError after the last attempt. */
export type AskUpstream = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Time limits of requests to an upstream, in milliseconds. */
export type UpstreamLimits = {
  /** From a request to its answer. @default 10_000 */
  readonly timeoutMs?: number | undefined;
  /** Pause before the second attempt; it doubles with each one. @default 250 */
  readonly pauseMs?: number | undefined;
  /** Requests until a call fails. @default 5 */
  readonly attempts?: number | undefined;
};

const tooManyRequests = 429;
/** JSON-RPC codes of a limit: EIP-1474's, and the one that copies HTTP's. */
const limitCodes: readonly number[] = [-32_005, tooManyRequests];
const pruned =
  /missing trie node|state .*(not|un)available|historical state|header not found|pruned|archive/i;

/**
 * Opens an upstream. Requests that time out, get no answer, a server error or a rate limit are repeated, with growing pauses.
 * Errors never contain the URL, which may hold a key.
 */
export function upstreamOf(
  rpcUrl: string,
  place: () => { readonly block: number | "latest"; readonly chainId: number },
  { attempts = 5, pauseMs = 250, timeoutMs = 10_000 }: UpstreamLimits = {},
): AskUpstream {
  const retries = { retryCount: attempts - 1, retryDelay: pauseMs };
  const { request } = http(rpcUrl, { ...retries, fetchFn: fetchWhole, timeout: timeoutMs })({});
  return async (method, params) => {
    try {
      return await request({ method, params });
    } catch (error) {
      // No cause: viem's errors contain the URL.
      throw new ForkUpstreamError({ ...place(), reason: `${reasonOf(error)} (${method})` });
    }
  };
}

function reasonOf(error: unknown): string {
  for (let current = error; current instanceof ViemBaseError; current = current.cause) {
    if (current instanceof TimeoutError) return "it does not answer in time";
    if (current instanceof HttpRequestError) {
      const { status } = current;
      if (status === tooManyRequests) return "it limits requests";
      return status === undefined ? "no node answers" : `it answers with HTTP status ${status}`;
    }
    if (!(current instanceof RpcRequestError)) continue;
    if (limitCodes.includes(current.code)) return "it limits requests";
    if (pruned.test(current.details))
      return "it has no state of that block; use an archive node, or a newer block";
    return `it answers "${current.details.split("\n", 1)[0]?.slice(0, 200)}"`;
  }
  return "it answers no JSON-RPC";
}

/**
 * An upstream that does not serve the state that a fork needs, after retries. The message names chain and block.
 *
 * @example
 * import { ForkUpstreamError, startEmulator } from "@waybill/emulator";
 *
 * try {
 *   const emulator = await startEmulator({ chainPorts: [0, 0], port: 0 });
 *   await emulator.stop();
 * } catch (error) {
 *   if (error instanceof ForkUpstreamError) console.log(error.chainId, error.block);
 * }
 */
export class ForkUpstreamError extends BaseError {
  override readonly name = "ForkUpstreamError";
  readonly chainId: number;
  /** Number of the block, or `latest` before it is known. */
  readonly block: number | "latest";

  constructor({
    block,
    chainId,
    reason,
  }: {
    block: number | "latest";
    chainId: number;
    reason: string;
  }) {
    const at = block === "latest" ? "its newest block" : `block ${block}`;
    super(`The fork of chain ${chainId} cannot read ${at} from its upstream: ${reason}.`, {
      code: "FORK_UPSTREAM_FAILED",
    });
    this.chainId = chainId;
    this.block = block;
  }
}
