import type * as z from "zod/mini";
import type { AbortedError } from "../../errors/AbortedError.ts";
import { BaseError } from "../../errors/BaseError.ts";
import { HttpError } from "../../errors/HttpError.ts";
import type { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { NetworkError } from "../../errors/NetworkError.ts";
import type { RateLimitedError } from "../../errors/RateLimitedError.ts";
import { ResponseInvalidError } from "../../errors/ResponseInvalidError.ts";
import { ResponseTooLargeError } from "../../errors/ResponseTooLargeError.ts";
import type { TimeoutError } from "../../errors/TimeoutError.ts";
import { backoffDelay } from "../../internal/backoff.ts";
import { type Deadline, startDeadline } from "../../internal/deadline.ts";
import { joinUrl } from "../../internal/joinUrl.ts";
import { readBody } from "../../internal/readBody.ts";
import { assertNumber } from "../../internal/readParts.ts";
import { stripEcho } from "../../internal/stripEcho.ts";
import { findUnknown } from "../../schema/wire/findUnknown.ts";
import { firstIssue } from "../../schema/wire/firstIssue.ts";
import type { Client, RequestParameters } from "./Client.ts";
import { isTooDeep } from "./isTooDeep.ts";
import { toJson } from "./parameters.ts";
import { readDeprecation } from "./readDeprecation.ts";
import { toHttpError } from "./toHttpError.ts";

/** Shorter keys are not removed from 2xx responses: they could be part of any text. */
const leastEchoLength = 8;

/** Errors of every API call. */
export type RequestErrorType =
  | AbortedError
  | HttpError
  | InvalidParameterError
  | NetworkError
  | RateLimitedError
  | ResponseInvalidError
  | ResponseTooLargeError
  | TimeoutError;

/**
 * Makes an API call under one deadline. Retries safe calls after retryable errors, respects the rate limits, and
 * validates the response.
 *
 * @throws RequestErrorType
 */
export async function request<Schema extends z.ZodMiniType>(
  client: Client,
  parameters: RequestParameters<Schema>,
): Promise<z.output<Schema>> {
  const { body, operation, path, query, signal } = parameters;
  const { method = body === undefined ? "GET" : "POST" } = parameters;
  const { retryCount = client.retry.count, safe = method === "GET", timeout = client.timeout } = parameters;
  assertNumber("retryCount", retryCount, 0);
  assertNumber("timeout", timeout, 1);
  const url = joinUrl(client.baseUrl, path, query);
  const json = body === undefined ? undefined : toJson(body, "body");
  const deadline = startDeadline({ now: client.now, operation, retryable: safe, signal, timeoutMs: timeout });
  try {
    deadline.signal.throwIfAborted();
    const call = { ...parameters, json, method, retryCount: safe ? retryCount : 0, safe, url };
    return await deadline.race(makeAttempts(client, call, deadline));
  } finally {
    deadline[Symbol.dispose]();
  }
}

/** Retries with full jitter. Throws at once when the delay exceeds the time left: waiting would only hide the error. */
async function makeAttempts<Schema extends z.ZodMiniType>(
  client: Client,
  call: AttemptParameters<Schema> & { retryCount: number },
  { signal, timeLeft }: Deadline,
): Promise<z.output<Schema>> {
  const endpoint = `${call.method} ${pathOf(call.path)}`;
  for (let number = 1; ; number++) {
    const startedAt = client.now();
    const outcome = await attempt(client, call, signal).then(
      (value) => ({ error: undefined, value }),
      (error: unknown) => ({ error }),
    );
    const { error } = outcome;
    client.onEvent?.({ attempt: number, durationMs: client.now() - startedAt, endpoint, error });
    if ("value" in outcome) return outcome.value;
    const isRetryable = !signal.aborted && error instanceof BaseError && error.retryable;
    if (number > call.retryCount || !isRetryable) throw error;
    const asked = error instanceof HttpError ? (error.retryAfterMs ?? 0) : 0;
    const delay = asked + backoffDelay(number, client.retry, client.random);
    if (delay >= timeLeft()) throw error;
    await client.sleep(delay, signal);
  }
}

type AttemptParameters<Schema extends z.ZodMiniType> = RequestParameters<Schema> & {
  json: string | undefined;
  method: string;
  safe: boolean;
  url: string;
};

async function attempt<Schema extends z.ZodMiniType>(
  client: Client,
  { json, maxResponseBytes = Infinity, method, path, safe, schema, url }: AttemptParameters<Schema>,
  signal: AbortSignal,
): Promise<z.output<Schema>> {
  const { apiKey, now, onDeprecation } = client;
  const limit = Math.min(client.maxResponseBytes, maxResponseBytes);
  const headers = new Headers({ accept: "application/json" });
  if (json !== undefined) headers.set("content-type", "application/json");
  if (apiKey !== undefined) headers.set("x-api-key", apiKey);
  await client.rateLimiter.take(path, signal);
  let response: Response;
  let text: string | undefined;
  try {
    response = await client.fetch(url, {
      ...(json === undefined ? {} : { body: json }),
      headers,
      method,
      // A redirect to another host would receive the API key.
      redirect: "error",
      signal,
    });
    text = await readBody(response, limit);
  } catch (cause) {
    signal.throwIfAborted();
    throw new NetworkError({ cause: withoutKey(cause, apiKey), method, retryable: safe, url });
  }
  const notice = onDeprecation && readDeprecation(response.headers, { apiKey, method, path: pathOf(path) });
  if (notice !== undefined) onDeprecation?.(notice);
  const { status } = response;
  if (text === undefined) throw new ResponseTooLargeError({ limit, method, status, url });
  if (!response.ok) {
    throw toHttpError({ headers: response.headers, method, status, text, url }, { apiKey, now, safe });
  }
  const answer = {
    method,
    path,
    safe,
    status,
    text: (apiKey ?? "").length < leastEchoLength ? text : stripEcho(text, apiKey),
    url,
  };
  const value = parseAnswer(schema, answer);
  reportUnknown(client, schema, value, answer);
  return value;
}

/** A path from the service may have a query, which may contain a signature. */
function pathOf(path: string): string {
  return path.split("?")[0] ?? path;
}

/** A custom `fetch` may put the headers into its error. */
function withoutKey(cause: unknown, apiKey: string | undefined): unknown {
  return cause instanceof Error ? new Error(stripEcho(cause.message, apiKey)) : cause;
}

type Answer = { method: string; path: string; safe: boolean; status: number; text: string; url: string };

function parseAnswer<Schema extends z.ZodMiniType>(schema: Schema, answer: Answer): z.output<Schema> {
  const { safe, text } = answer;
  let value: unknown;
  try {
    // Responses to submissions may be empty: not all are documented.
    value = text === "" && !safe ? {} : JSON.parse(text);
  } catch {
    throw invalid(answer, { path: "", reason: "not JSON", retryable: safe });
  }
  if (isTooDeep(text)) throw invalid(answer, { path: "", reason: "nested too deeply" });
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(answer, firstIssue(parsed.error));
}

function invalid(
  { method, status, url }: Answer,
  fault: { path: string; reason: string; retryable?: boolean },
): ResponseInvalidError {
  return new ResponseInvalidError({ ...fault, method, status, url });
}

function reportUnknown(client: Client, schema: z.ZodMiniType, value: unknown, answer: Answer): void {
  const { onUnknown, validation } = client;
  const { method, path, safe } = answer;
  // An accepted submission must not look like a failed one.
  const fatal = validation === "strict" && safe;
  if (validation === "off" || (onUnknown === undefined && !fatal)) return;
  const found = findUnknown(schema, value);
  for (const unknown of found) onUnknown?.({ ...unknown, endpoint: `${method} ${pathOf(path)}` });
  const [first] = found;
  if (!fatal || first === undefined) return;
  throw invalid(answer, { path: first.path, reason: `a ${first.kind} that is not documented` });
}
