import type * as z from "zod/mini";
import type { AbortedError } from "../errors/AbortedError.ts";
import { HttpError } from "../errors/HttpError.ts";
import type { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { NetworkError } from "../errors/NetworkError.ts";
import { ResponseInvalidError } from "../errors/ResponseInvalidError.ts";
import { ResponseTooLargeError } from "../errors/ResponseTooLargeError.ts";
import type { TimeoutError } from "../errors/TimeoutError.ts";
import { startDeadline } from "../internal/deadline.ts";
import { joinUrl, parseBaseUrl } from "../internal/joinUrl.ts";
import { readBody } from "../internal/readBody.ts";
import { assertNumber } from "../internal/readParts.ts";
import { assertUrlGiven } from "../internal/serviceAddresses.ts";
import { firstIssue } from "../schema/wire/firstIssue.ts";

/** URL of the exchange, and options of calls. */
export type ExchangeOptions = {
  /** Default: the platform's. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Maximum response, in bytes after decompression. Default: 4,194,304. */
  maxResponseBytes?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Milliseconds. Default: 30,000. */
  timeout?: number | undefined;
  /** Base URL of the exchange's API, without `/exchange` or `/info`: `production.exchangeUrl` or your own exchange. */
  url: string;
};

/** Errors of every call of the exchange. */
export type ExchangeErrorType =
  | AbortedError
  | HttpError
  | InvalidParameterError
  | NetworkError
  | ResponseInvalidError
  | ResponseTooLargeError
  | TimeoutError;

/** Truncates the exchange's message: error pages can be long. */
const longestDetails = 500;

/**
 * Posts JSON to the exchange once. Only status 200 is a success.
 *
 * @param call Path, body, schema of a 200 body, and whether a retry has no side effects.
 * @throws ExchangeErrorType
 */
export async function postToExchange<Schema extends z.ZodMiniType>(
  options: ExchangeOptions,
  call: { body: unknown; operation: string; path: string; safe: boolean; schema: Schema },
): Promise<z.output<Schema>> {
  const { fetch = globalThis.fetch, maxResponseBytes: limit = 4_194_304, signal } = options;
  const { timeout = 30_000, url: base } = options;
  assertUrlGiven(base, "url", "`production.exchangeUrl` or an exchange of your own");
  assertNumber("maxResponseBytes", limit, 1);
  assertNumber("timeout", timeout, 1);
  const { body, operation, path, safe, schema } = call;
  parseBaseUrl(base, "url");
  const url = joinUrl(base, path);
  const [method, retryable] = ["POST", safe];
  const deadline = startDeadline({ now: Date.now, operation, retryable, signal, timeoutMs: timeout });
  const exchange = async () => {
    deadline.signal.throwIfAborted();
    const response = await fetch(url, {
      body: JSON.stringify(body),
      headers: { accept: "application/json", "content-type": "application/json" },
      method,
      // Signed data must reach only this host.
      redirect: "error",
      signal: deadline.signal,
    });
    return { status: response.status, text: await readBody(response, limit) };
  };
  let answer: { status: number; text: string | undefined };
  try {
    answer = await deadline.race(exchange());
  } catch (cause) {
    deadline.signal.throwIfAborted();
    throw new NetworkError({ cause, method, retryable, url });
  } finally {
    deadline[Symbol.dispose]();
  }
  const { status, text } = answer;
  if (text === undefined) throw new ResponseTooLargeError({ limit, method, status, url });
  if (status !== 200) {
    const passing = status === 429 || status >= 502;
    throw new HttpError({
      details: text === "" ? undefined : text.slice(0, longestDetails),
      method,
      retryable: safe && passing,
      status,
      url,
    });
  }
  const parsed = schema.safeParse(readJson(text));
  if (parsed.success) return parsed.data;
  throw new ResponseInvalidError({ method, ...firstIssue(parsed.error), retryable, status, url });
}

/** `undefined` for a body that is not JSON; no schema accepts it. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
