import type { Context as HonoContext, MiddlewareHandler } from "hono";
import * as z from "zod";
import type { Context } from "../../context/Context.ts";
import { answerText } from "./jsonAnswer.ts";

/** A call of the API that named a request. Headers are never kept. */
export const recentCallSchema = z.strictObject({
  /** Body of the answer, as text. */
  answer: z.string(),
  /** Unix milliseconds of the clock. */
  at: z.int(),
  /** Body of the call, as text. */
  body: z.string(),
  /** Number of equal calls in a row, such as polls of a status. */
  count: z.int(),
  durationMs: z.number(),
  /** Unix milliseconds of the last of them. */
  lastAt: z.int(),
  method: z.string(),
  /** Path with its query. */
  path: z.string(),
  status: z.int(),
});
type RecentCall = z.output<typeof recentCallSchema>;

/** The newest calls of the API that named a request. Kept in memory by this process alone. */
export type RecentCalls = {
  readonly keep: MiddlewareHandler;
  /** The calls that named a request, oldest first. */
  of(requestId: string): readonly RecentCall[];
};

/** Maximum size of all calls, in bytes. The oldest call of the request that was called longest ago is dropped first. */
const mostBytes = 8 * 1_024 * 1_024;
/** Characters of the longest body and answer that are kept. */
const longestText = 32_768;
/** Estimated size of a call without its texts, in bytes. */
const bytesPerCall = 512;

export function openRecentCalls({
  adminKey,
  apiKeys,
  now,
}: Pick<Context, "adminKey" | "apiKeys" | "now">): RecentCalls {
  /** By request; the request that was called last comes last. */
  const kept = new Map<string, RecentCall[]>();
  let bytes = 0;
  const add = (requestId: string, call: RecentCall) => {
    const calls = kept.get(requestId) ?? [];
    const last = calls.findLast(({ method, path }) => method === call.method && path === call.path);
    if (last?.answer === call.answer && last.body === call.body) {
      Object.assign(last, { count: last.count + 1, lastAt: call.at });
      return;
    }
    calls.push(call);
    kept.delete(requestId);
    kept.set(requestId, calls);
    bytes += sizeOf(call);
    while (bytes > mostBytes) dropOldest();
  };
  const dropOldest = () => {
    const [[requestId, calls] = ["", []]] = kept;
    const dropped = calls.shift();
    if (dropped !== undefined) bytes -= sizeOf(dropped);
    if (calls.length === 0) kept.delete(requestId);
  };
  /** Keys have no place in bodies and queries; one that is there all the same is not kept. */
  const redact = (text: string) => {
    const secrets = [adminKey, ...apiKeys.list().map(({ key }) => key)].filter((secret) =>
      text.includes(secret),
    );
    const clean = secrets.reduce((left, secret) => left.replaceAll(secret, "…"), text);
    return clean.length > longestText ? `${clean.length} characters, which are not kept` : clean;
  };
  return {
    keep: async (http, next) => {
      const at = now();
      const startedAt = performance.now();
      await next();
      if (isUnkept(http)) return;
      const { method, url } = http.req;
      const path = url.slice(url.indexOf("/", "https://".length));
      const body: string = http.get("body") ?? "";
      const makesRequest = /^\/(?:quote|execute)/.test(path);
      const named = idIn(path) ?? idIn(body);
      if (named === undefined && !makesRequest) return;
      const answer = await answerText(http);
      const id = named ?? idIn(answer);
      if (id === undefined) return;
      add(id, {
        ...{ answer: redact(answer), body: redact(body), path: redact(path) },
        ...{ at, count: 1, lastAt: at, method, status: http.res.status },
        durationMs: Math.round(performance.now() - startedAt),
      });
    },
    of: (id) => {
      const named = kept.get(id.toLowerCase()) ?? [];
      // After a reset, a quote may have the id of an earlier one.
      const first = named.findLastIndex(({ path }) => path.startsWith("/quote"));
      return named.slice(Math.max(0, first));
    },
  };
}

/** Whether the console reads, or a call names a key. */
function isUnkept({ req }: HonoContext): boolean {
  const { method, path } = req;
  if (method !== "GET") return path.startsWith("/admin/keys");
  return path.startsWith("/admin/") || req.header("sec-fetch-site") === "same-origin";
}

/** The first request id that a text names. */
function idIn(text: string): string | undefined {
  return /(?:requestId(?:"\s*:\s*"|=)|\/requests\/)(0x[0-9a-f]{64})/i.exec(text)?.[1]?.toLowerCase();
}

/** Upper bound: a character takes one byte or two. */
function sizeOf({ answer, body, path }: RecentCall): number {
  return bytesPerCall + 2 * (answer.length + body.length + path.length);
}
