import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { BaseError } from "../../../src/errors/BaseError.ts";

/** Calls a method of an upstream. @throws ForkUpstreamError after the last attempt. */
export type AskUpstream = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Time limits of requests to an upstream, in milliseconds. */
export type UpstreamLimits = {
  /** From a request to the last byte of its answer. @default 10_000 */
  readonly timeoutMs?: number | undefined;
  /** Pause before the second attempt; it doubles with each one. @default 250 */
  readonly pauseMs?: number | undefined;
  /** Requests until a call fails. @default 5 */
  readonly attempts?: number | undefined;
};

const longestPauseMs = 10_000;
const tooManyRequests = 429;
const serverError = 500;
/** JSON-RPC codes of a limit: EIP-1474's, and the one that copies HTTP's. */
const limitCodes: readonly number[] = [-32_005, tooManyRequests];
const pruned =
  /missing trie node|state .*(not|un)available|historical state|header not found|pruned|archive/i;

const answerSchema = z.object({
  error: z.object({ code: z.number(), message: z.string() }).optional(),
  result: z.unknown().optional(),
});

/** A failed attempt. `isFinal` means that another one would fail too. */
class AttemptError extends Error {
  readonly isFinal: boolean;
  /** Pause that the upstream asked for, in milliseconds. */
  readonly pauseMs: number;

  constructor(reason: string, { isFinal = false, pauseMs = 0 } = {}) {
    super(reason);
    this.isFinal = isFinal;
    this.pauseMs = pauseMs;
  }
}

/**
 * Opens an upstream. Requests that time out, get no answer, a server error or a rate limit are repeated, with growing pauses.
 * Errors never contain the URL, which may hold a key.
 */
export function upstreamOf(
  rpcUrl: string,
  place: () => { readonly block: number | "latest"; readonly chainId: number },
  { attempts = 5, pauseMs = 250, timeoutMs = 10_000 }: UpstreamLimits = {},
): AskUpstream {
  return async (method, params) => {
    let last = new AttemptError("no attempt was made");
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (attempt > 0)
        await delay(Math.min(longestPauseMs, Math.max(last.pauseMs, pauseMs * 2 ** (attempt - 1))));
      try {
        return await tryOnce(rpcUrl, { method, params }, timeoutMs);
      } catch (error) {
        last = error instanceof AttemptError ? error : new AttemptError("no node answers");
        if (last.isFinal) break;
      }
    }
    const reason = last.isFinal ? last.message : `${last.message}, ${attempts} times`;
    throw new ForkUpstreamError({ ...place(), cause: last, reason: `${reason} (${method})` });
  };
}

async function tryOnce(url: string, call: { method: string; params: readonly unknown[] }, timeoutMs: number) {
  const signal = AbortSignal.timeout(timeoutMs);
  const body = JSON.stringify({ id: 1, jsonrpc: "2.0", ...call });
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { body, headers, method: "POST", signal }).catch(() => {
    throw new AttemptError(signal.aborted ? `no answer within ${timeoutMs} ms` : "no node answers");
  });
  const text = await response.text().catch(() => {
    throw new AttemptError(signal.aborted ? `no answer within ${timeoutMs} ms` : "its answer is cut short");
  });
  if (response.status === tooManyRequests) {
    const seconds = Number(response.headers.get("retry-after"));
    throw new AttemptError("it limits requests", { pauseMs: Number.isFinite(seconds) ? seconds * 1_000 : 0 });
  }
  if (response.status >= serverError)
    throw new AttemptError(`it answers with HTTP status ${response.status}`);
  const answer = answerSchema.safeParse(parseJson(text));
  if (!answer.success) {
    // Keys and plans are refused by a status below 500: another attempt changes nothing.
    const isFinal = !response.ok;
    throw new AttemptError(
      isFinal ? `it answers with HTTP status ${response.status}` : "it answers no JSON-RPC",
      { isFinal },
    );
  }
  const { error, result } = answer.data;
  if (error === undefined) return result;
  if (limitCodes.includes(error.code)) throw new AttemptError("it limits requests");
  if (pruned.test(error.message)) {
    throw new AttemptError("it has no state of that block; use an archive node, or a newer block", {
      isFinal: true,
    });
  }
  throw new AttemptError(`it answers "${error.message.split("\n", 1)[0]?.slice(0, 200)}"`, { isFinal: true });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
    cause,
    chainId,
    reason,
  }: {
    block: number | "latest";
    cause?: unknown;
    chainId: number;
    reason: string;
  }) {
    const at = block === "latest" ? "its newest block" : `block ${block}`;
    super(`The fork of chain ${chainId} cannot read ${at} from its upstream: ${reason}.`, {
      cause,
      code: "FORK_UPSTREAM_FAILED",
    });
    this.chainId = chainId;
    this.block = block;
  }
}
