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

/** The newest calls of the API, by the request that they named. Kept in memory by this process alone. */
export type RecentCalls = {
  readonly keep: MiddlewareHandler;
  /** The calls that named a request, oldest first. */
  of(requestId: string): readonly RecentCall[];
};

/** Maximum size of all calls, in bytes. Those of the request that was named least recently are dropped first. */
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
  const requests = new Map<string, RecentCall[]>();
  let bytes = 0;
  const drop = (id: string, count: number) => {
    const calls = requests.get(id) ?? [];
    for (const call of calls.splice(0, count)) bytes -= sizeOf(call);
    if (calls.length === 0) requests.delete(id);
  };
  const add = (id: string, call: RecentCall) => {
    const calls = requests.get(id) ?? [];
    const same = calls.findLast(({ method, path }) => method === call.method && path === call.path);
    if (same !== undefined && same.answer === call.answer && same.body === call.body) {
      Object.assign(same, { count: same.count + 1, lastAt: call.at });
      return;
    }
    calls.push(call);
    bytes += sizeOf(call);
    // The request that was named least recently is the first.
    requests.delete(id);
    requests.set(id, calls);
    while (bytes > mostBytes) drop(requests.keys().next().value ?? id, 1);
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
      const [at, startedAt] = [now(), performance.now()];
      await next();
      const { method, url } = http.req;
      const path = url.slice(url.indexOf("/", "https://".length));
      if (isOfConsole(http)) return;
      const body: string = http.get("body") ?? "";
      const makesRequest = /^\/(?:quote|execute)/.test(path);
      const named = idIn(path) ?? idIn(body);
      if (named === undefined && !makesRequest) return;
      const answer = await answerText(http);
      const id = named ?? idIn(answer);
      if (id === undefined) return;
      // The call made the request. After a reset its id may be that of an earlier one.
      if (named === undefined) drop(id, Number.POSITIVE_INFINITY);
      const [durationMs, { status }] = [Math.round(performance.now() - startedAt), http.res];
      const texts = { answer: redact(answer), body: redact(body), path: redact(path) };
      add(id, { ...texts, at, count: 1, durationMs, lastAt: at, method, status });
    },
    of: (requestId) => requests.get(requestId.toLowerCase()) ?? [],
  };
}

/** Calls with which a browser page of this server shows things, and those for keys and their webhooks, whose bodies are secret. */
function isOfConsole({ req }: HonoContext): boolean {
  const isRead = req.method === "GET";
  const isPage = req.header("sec-fetch-site") === "same-origin" || req.path.startsWith("/admin/");
  return req.path.startsWith("/admin/keys") || (isRead && isPage);
}

/** The first request id that a text names. */
function idIn(text: string): string | undefined {
  return /(?:requestId(?:"\s*:\s*"|=)|\/requests\/)(0x[0-9a-f]{64})/i.exec(text)?.[1]?.toLowerCase();
}

/** Upper bound: a character takes one byte or two. */
function sizeOf({ answer, body, path }: RecentCall): number {
  return bytesPerCall + 2 * (answer.length + body.length + path.length);
}
