import type * as z from "zod";
import type { AbortedError } from "../errors/AbortedError.ts";
import { BaseError } from "../errors/BaseError.ts";
import { HttpError } from "../errors/HttpError.ts";
import type { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { NetworkError } from "../errors/NetworkError.ts";
import type { RateLimitedError } from "../errors/RateLimitedError.ts";
import { ResponseInvalidError } from "../errors/ResponseInvalidError.ts";
import type { TimeoutError } from "../errors/TimeoutError.ts";
import { assertNumber } from "../internal/assertNumber.ts";
import { startDeadline } from "../internal/deadline.ts";
import { joinUrl, type Query } from "../internal/joinUrl.ts";
import { retry } from "../internal/retry.ts";
import { firstIssue } from "../schema/firstIssue.ts";
import type { CallOptions } from "./CallOptions.ts";
import type { Client } from "./createClient.ts";
import { toHttpError } from "./toHttpError.ts";

/** Parameters of {@link request}. */
export type RequestParameters<Schema extends z.ZodType> = CallOptions & {
  /** Sent as JSON. */
  body?: unknown;
  method: "GET" | "POST";
  /** For messages: the end of "Timed out … while". */
  operation: string;
  path: string;
  query?: Query | undefined;
  /** Whether the call has no side effects, so that it may be repeated. */
  safe: boolean;
  /** What a 2xx body must be. */
  schema: Schema;
};

/** What every call of a client throws. */
export type RequestErrorType =
  | AbortedError
  | HttpError
  | InvalidParameterError
  | NetworkError
  | RateLimitedError
  | ResponseInvalidError
  | TimeoutError;

/**
 * Makes one call of the service: under one deadline, repeated where that is safe and helps, with the answer
 * checked against its schema.
 *
 * @throws RequestErrorType
 *
 * @example
 * const chains = await request(createClient(), {
 *   method: "GET",
 *   operation: "reading the chains",
 *   path: "/chains",
 *   safe: true,
 *   schema: chainsResponseSchema,
 * });
 */
export async function request<Schema extends z.ZodType>(
  client: Client,
  parameters: RequestParameters<Schema>,
): Promise<z.output<Schema>> {
  const { operation, path, query, safe, signal } = parameters;
  const { retryCount = client.retry.count, timeout = client.timeout } = parameters;
  assertNumber("retryCount", retryCount, 0);
  assertNumber("timeout", timeout, 1);
  const url = joinUrl(client.baseUrl, path, query);
  const deadline = startDeadline({ now: client.now, operation, retryable: safe, signal, timeoutMs: timeout });
  try {
    deadline.signal.throwIfAborted();
    const work = retry({
      attempt: () => attempt(client, url, parameters, deadline.signal),
      baseDelayMs: client.retry.baseDelay,
      maxDelayMs: client.retry.maxDelay,
      minimumDelay: (error) => (error instanceof HttpError ? (error.retryAfterMs ?? 0) : 0),
      random: client.random,
      retryCount: safe ? retryCount : 0,
      shouldRetry: (error) => !deadline.signal.aborted && error instanceof BaseError && error.retryable,
      signal: deadline.signal,
      sleep: client.sleep,
      timeLeft: deadline.timeLeft,
    });
    return await deadline.race(work);
  } finally {
    deadline[Symbol.dispose]();
  }
}

async function attempt<Schema extends z.ZodType>(
  client: Client,
  url: string,
  { body, method, safe, schema }: RequestParameters<Schema>,
  signal: AbortSignal,
): Promise<z.output<Schema>> {
  const { apiKey, now } = client;
  const headers = new Headers({ accept: "application/json" });
  if (body !== undefined) headers.set("content-type", "application/json");
  if (apiKey !== undefined) headers.set("x-api-key", apiKey);
  let response: Response;
  let text: string;
  try {
    response = await client.fetch(url, {
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers,
      method,
      // A redirect to another host would take the API key along.
      redirect: "error",
      signal,
    });
    text = await response.text();
  } catch (cause) {
    signal.throwIfAborted();
    throw new NetworkError({ cause, method, retryable: safe, url });
  }
  const { status } = response;
  if (!response.ok) {
    throw toHttpError({ headers: response.headers, method, status, text, url }, { apiKey, now, safe });
  }
  return parseAnswer(schema, { method, safe, status, text, url });
}

function parseAnswer<Schema extends z.ZodType>(
  schema: Schema,
  answer: { method: string; safe: boolean; status: number; text: string; url: string },
): z.output<Schema> {
  const { method, safe, status, text, url } = answer;
  let value: unknown;
  try {
    // Submissions may answer with nothing at all: their shape is not documented everywhere.
    value = text === "" && !safe ? {} : JSON.parse(text);
  } catch {
    throw new ResponseInvalidError({ method, path: "", reason: "not JSON", retryable: safe, status, url });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ResponseInvalidError({ method, ...firstIssue(parsed.error), status, url });
}
