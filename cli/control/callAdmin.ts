import * as z from "zod";
import { HttpError } from "../../src/errors/HttpError.ts";
import { NetworkError } from "../../src/errors/NetworkError.ts";
import { ResponseInvalidError } from "../../src/errors/ResponseInvalidError.ts";
import { TimeoutError } from "../../src/errors/TimeoutError.ts";
import { readBody } from "../../src/internal/readBody.ts";
import type { Service } from "../settings/openService.ts";

type AdminCall<Schema extends z.ZodType> = {
  readonly body?: object | undefined;
  readonly method: "DELETE" | "GET" | "POST" | "PUT";
  /** Below `/admin`. */
  readonly path: string;
  readonly schema: Schema;
  readonly signal: AbortSignal;
  /** Milliseconds. @default 30,000 */
  readonly timeout: number | undefined;
};

const defaultTimeout = 30_000;
/** Largest answer. */
const mostBytes = 33_554_432;
const refusalSchema = z.looseObject({ errorCode: z.string().optional(), message: z.string().optional() });

/**
 * Calls a route below `/admin` of an emulator. The admin key follows no redirect.
 *
 * @throws CommandError without an admin key, NetworkError, TimeoutError, HttpError, ResponseInvalidError.
 */
export async function callAdmin<Schema extends z.ZodType>(
  service: Pick<Service, "adminKey" | "url">,
  { body, method, path, schema, signal, timeout = defaultTimeout }: AdminCall<Schema>,
): Promise<z.output<Schema>> {
  const url = `${service.url.replace(/\/+$/, "")}/admin${path}`;
  const headers = { "content-type": "application/json", "x-admin-key": service.adminKey() };
  const limit = AbortSignal.timeout(timeout);
  const sent = { headers, method, redirect: "error", signal: AbortSignal.any([signal, limit]) } as const;
  let status = 0;
  let text: string;
  try {
    const answer = await fetch(url, body === undefined ? sent : { ...sent, body: JSON.stringify(body) });
    status = answer.status;
    const read = await readBody(answer, mostBytes, sent.signal);
    if (read === undefined) throw new Error(`an answer above ${mostBytes} bytes`);
    text = read;
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    if (limit.aborted) throw new TimeoutError({ operation: `calling ${path}`, timeoutMs: timeout });
    throw new NetworkError({ cause, method, retryable: method === "GET", url });
  }
  const answered = parse(text);
  if (status < 200 || status > 299) {
    const refusal = refusalSchema.safeParse(answered).data;
    throw new HttpError({ details: refusal?.message, errorCode: refusal?.errorCode, method, status, url });
  }
  const parsed = schema.safeParse(answered);
  if (parsed.success) return parsed.data;
  throw new ResponseInvalidError({ method, path: "body", reason: "not an emulator's answer", status, url });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
