import { type FailedCallData, HttpError } from "../../errors/HttpError.ts";
import { printable } from "../../errors/printable.ts";
import { RateLimitedError } from "../../errors/RateLimitedError.ts";
import { isRetryableErrorCode } from "../../errors/serviceErrorCodes.ts";
import { stripEchoDeep } from "../../internal/stripEcho.ts";
import { isTooDeep } from "./isTooDeep.ts";

/** A complete response with a status other than 2xx. */
export type FailedAnswer = {
  headers: Headers;
  method: string;
  status: number;
  text: string;
  url: string;
};

/** Context for the error. */
export type ToHttpErrorContext = {
  /** Removed from every field, if the service echoes it. */
  apiKey: string | undefined;
  now: () => number;
  /** Whether the call has no side effects, so that a retry is safe. */
  safe: boolean;
};

/** Statuses of gateways, which the service itself did not produce. */
const passingStatuses: readonly number[] = [408, 502, 503, 504];

/** Maximum length of a text of the service, in characters. */
const longest = 500;

/** Converts a response with a status other than 2xx to an error. The only parser of error bodies. */
export function toHttpError(answer: FailedAnswer, { apiKey, now, safe }: ToHttpErrorContext): HttpError {
  const { headers, method, status, text, url } = answer;
  const body = stripEchoDeep(readObject(text), apiKey) as Readonly<Record<string, unknown>>;
  const cut = (value: string | undefined) => (value === undefined ? undefined : printable(value, longest));
  const [message, error] = [stringOf(body, "message"), stringOf(body, "error")];
  // The execute API puts its sentence into `message`, with a label in `error`, or into `error` alone.
  const label = message !== undefined && /^[A-Z0-9_]+$/.test(error ?? "") ? error : undefined;
  const errorCode = cut(stringOf(body, "errorCode") ?? stringOf(body, "code") ?? label);
  const options = {
    details: cut(message ?? error),
    errorCode,
    errorData: body.errorData ?? (isObject(body.details) ? body.details : undefined),
    failedCallData: readFailedCallData(body.failedCallData),
    method,
    requestId: cut(stringOf(body, "requestId")),
    retryAfterMs: readRetryAfter(headers.get("retry-after"), now),
    status,
    url,
  };
  if (status === 429) return new RateLimitedError(options);
  const retryable = safe && (passingStatuses.includes(status) || isRetryableErrorCode(errorCode));
  return new HttpError({ ...options, retryable });
}

/** Parses error bodies field by field: one invalid field must not hide the code in another. */
function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = isTooDeep(text) ? undefined : JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function stringOf(body: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = body[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function readFailedCallData(value: unknown): FailedCallData | undefined {
  if (!isObject(value)) return undefined;
  return {
    data: stringOf(value, "data"),
    from: stringOf(value, "from"),
    to: stringOf(value, "to"),
    value: stringOf(value, "value"),
  };
}

/** The header holds seconds or a date. */
function readRetryAfter(header: string | null, now: () => number): number | undefined {
  if (header === null) return undefined;
  if (/^\s*[0-9]+\s*$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now());
}
