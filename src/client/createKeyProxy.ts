import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { assertFunction } from "../internal/assertFunction.ts";
import { assertNumber } from "../internal/assertNumber.ts";
import { startDeadline } from "../internal/deadline.ts";
import { joinUrl, parseBaseUrl } from "../internal/joinUrl.ts";
import { readBody } from "../internal/readBody.ts";
import { readList, readText } from "../internal/readParts.ts";
import { defaultBaseUrl, defaultMaxResponseBytes, defaultTimeout } from "./constants.ts";
import type { FetchLike } from "./createClient.ts";

/**
 * Routes that a browser needs to quote, execute and follow a request. What shows other users' requests or spends the
 * app's own money is not among them.
 *
 * @example
 * import { createKeyProxy, defaultProxyRoutes } from "waybill/client";
 *
 * const routes = defaultProxyRoutes.filter((route) => route.startsWith("GET "));
 * const proxy = createKeyProxy({ apiKey: "your-key", routes });
 * console.log(typeof proxy); // "function"
 */
export const defaultProxyRoutes: readonly string[] = Object.freeze([
  "GET /chains",
  "GET /config/v2",
  "GET /currencies/token/price/v2",
  "GET /intents/status",
  "GET /intents/status/v2",
  "GET /intents/status/v3",
  "GET /requests/:requestId/signature",
  "GET /requests/:requestId/signature/v2",
  "GET /swap-sources",
  "POST /authorize",
  "POST /currencies/v2",
  "POST /execute/permits",
  "POST /price",
  "POST /quote",
  "POST /quote/v2",
  "POST /transactions/index",
  "POST /transactions/single",
]);

/** Parameters of {@link createKeyProxy}. */
export type CreateKeyProxyParameters = {
  /** Added to every call; never part of an answer. */
  apiKey: string;
  /** Default the public service. */
  baseUrl?: string | undefined;
  /** Default the platform's. */
  fetch?: FetchLike | undefined;
  /** Longest body that is passed on, in bytes. Default 524 288. */
  maxBodyBytes?: number | undefined;
  /** Longest answer that is passed back, in bytes. Default 33 554 432. */
  maxResponseBytes?: number | undefined;
  /** Path under which the handler is mounted, for example `/api/relay`. Default none. */
  prefix?: string | undefined;
  /** Method and path, with `:name` for one segment of any text. Default {@link defaultProxyRoutes}. */
  routes?: readonly string[] | undefined;
  /** Milliseconds that the service may take. Default 30 000. */
  timeout?: number | undefined;
};

/** A handler of the platform's `Request` and `Response`, as Next, Hono, Deno, Bun and workers take it. */
export type CreateKeyProxyReturnType = (request: Request) => Promise<Response>;

/** What {@link createKeyProxy} throws. The handler itself never throws. */
export type CreateKeyProxyErrorType = InvalidParameterError;

const passedOn = ["content-type", "deprecation", "link", "retry-after", "sunset"];

/**
 * Makes a handler that passes calls on to the service and adds the API key, so that browsers never see it. A client in
 * the browser uses it as its `baseUrl`.
 *
 * Only listed routes pass. Of a call's headers only the content type goes on: no cookie, no authorization. Of an answer
 * the key is cut out, should the service echo it. Who may use the handler is the server's to decide, in front of it.
 *
 * @throws InvalidParameterError when a parameter cannot work.
 *
 * @example
 * import { createKeyProxy } from "waybill/client";
 *
 * const proxy = createKeyProxy({ apiKey: "your-key", prefix: "/api/relay" });
 * const answer = await proxy(new Request("https://app.example/api/relay/admin"));
 * console.log(answer.status); // 404
 */
export function createKeyProxy(parameters: CreateKeyProxyParameters): CreateKeyProxyReturnType {
  const {
    apiKey,
    baseUrl = defaultBaseUrl,
    fetch = globalThis.fetch,
    maxBodyBytes = 524_288,
    maxResponseBytes = defaultMaxResponseBytes,
    prefix = "",
    routes = defaultProxyRoutes,
    timeout = defaultTimeout,
  } = parameters;
  parseBaseUrl(baseUrl);
  assertFunction("fetch", fetch);
  assertNumber("maxBodyBytes", maxBodyBytes, 0);
  assertNumber("maxResponseBytes", maxResponseBytes, 1);
  assertNumber("timeout", timeout, 1);
  if (typeof apiKey !== "string" || !/^[\x21-\x7e]{8,}$/.test(apiKey)) {
    throw new InvalidParameterError({ parameter: "apiKey", reason: "not at least 8 printable characters" });
  }
  if (typeof prefix !== "string" || !/^(?:\/[\w.-]+)*$/.test(prefix)) {
    throw new InvalidParameterError({ parameter: "prefix", reason: "not a path without a slash at its end" });
  }
  const allowed = readList(routes, "routes", readRoute);
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const path = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : "";
    if (!allowed.some(({ method, pattern }) => method === request.method && pattern.test(path))) {
      return refuse(404, "No such route");
    }
    const body = request.method === "GET" ? null : await readBody(request, maxBodyBytes);
    if (body === undefined) return refuse(413, `The body is longer than ${maxBodyBytes} bytes`);
    const headers = new Headers({ accept: "application/json", "x-api-key": apiKey });
    if (body !== null) headers.set("content-type", "application/json");
    const deadline = startDeadline({
      now: Date.now,
      operation: "passing a call on",
      signal: request.signal,
      timeoutMs: timeout,
    });
    const init: RequestInit = {
      headers,
      method: request.method,
      // Followed, a redirect would take the key along to wherever it points.
      redirect: "manual",
      signal: deadline.signal,
      ...(body === null ? {} : { body }),
    };
    try {
      const answer = await deadline.race(fetch(`${joinUrl(baseUrl, path)}${search}`, init));
      if (answer.status < 200 || (answer.status > 299 && answer.status < 400)) {
        return refuse(502, "The service answered with a redirect");
      }
      const text = await deadline.race(readBody(answer, maxResponseBytes));
      if (text === undefined) {
        return refuse(502, `The service answered with more than ${maxResponseBytes} bytes`);
      }
      return withoutKey(answer, { apiKey, text });
    } catch {
      return refuse(deadline.signal.aborted ? 504 : 502, "The service did not answer");
    } finally {
      deadline[Symbol.dispose]();
    }
  };
}

function readRoute(route: unknown): { method: string; pattern: RegExp } {
  const [, method, path] = /^(GET|POST) ((?:\/(?:[\w.-]+|:\w+))+)$/.exec(readText(route, "routes")) ?? [];
  if (method === undefined || path === undefined) {
    throw new InvalidParameterError({ parameter: "routes", reason: `"${route}" is not a method and a path` });
  }
  // One segment: an escaped slash or dot could name another path behind the proxy.
  const pattern = path.replaceAll(".", "\\.").replace(/:\w+/g, "[\\w-]+");
  return { method, pattern: new RegExp(`^${pattern}$`) };
}

function withoutKey(answer: Response, { apiKey, text }: { apiKey: string; text: string }): Response {
  const headers = new Headers();
  for (const name of passedOn) {
    const value = answer.headers.get(name);
    // A header holds no character beyond Latin-1.
    if (value !== null) headers.set(name, value.replaceAll(apiKey, "..."));
  }
  const { status } = answer;
  const clean = text.replaceAll(apiKey, "…").replaceAll(JSON.stringify(apiKey).slice(1, -1), "…");
  return new Response([204, 205].includes(status) ? null : clean, { headers, status });
}

function refuse(status: number, message: string): Response {
  return Response.json({ message }, { status });
}
