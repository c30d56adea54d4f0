import { assertKeyStaysPrivate } from "../internal/assertKeyStaysPrivate.ts";
import { startDeadline } from "../internal/deadline.ts";
import { joinUrl, parseBaseUrl } from "../internal/joinUrl.ts";
import { readBody } from "../internal/readBody.ts";
import { assertFunction, assertNumber, assertValid, readList, readText } from "../internal/readParts.ts";
import { assertUrlGiven, serviceNames } from "../internal/serviceAddresses.ts";
import type { FetchLike } from "./internal/Client.ts";
import { defaultMaxResponseBytes, defaultTimeout } from "./internal/constants.ts";
import { isTooDeep } from "./internal/isTooDeep.ts";
import { passBack, refuse } from "./internal/passBack.ts";
import { applyRules, type KeyProxyRule, type KeyProxyRules, readRules } from "./internal/proxyParameters.ts";

/**
 * Routes that a browser needs to quote, execute and track a request. Excludes routes that list other users' requests or
 * spend the app's balance.
 *
 * @example
 * import { createKeyProxy, defaultProxyRoutes, production } from "waybill/client";
 *
 * const routes = defaultProxyRoutes.filter((route) => route.startsWith("GET "));
 * const proxy = createKeyProxy({ ...production, apiKey: "your-key", routes });
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

/** A call of a listed route, before it is forwarded. */
export type KeyProxyCall = {
  /** The parsed JSON; `undefined` without a body. */
  readonly body: unknown;
  readonly method: string;
  /** Path of the service, without the prefix. */
  readonly path: string;
  readonly query: URLSearchParams;
};

export type CreateKeyProxyParameters = {
  /** Added to every call; removed from every response. */
  apiKey: string;
  /** URL of the service: `production.baseUrl`, `testnet.baseUrl`, or an emulator's `info.apiUrl`. */
  baseUrl: string;
  /**
   * Returns the reason to refuse a call, such as a currency that the app does not trade. Sees the call with its fixed
   * parameters. The response is 400 with the reason as `message`. An error that it throws refuses the call with 500.
   */
  check?: ((call: KeyProxyCall) => Promise<string | undefined> | string | undefined) | undefined;
  /** Default: the platform's. */
  fetch?: FetchLike | undefined;
  /** Maximum request body, in bytes. Default: 524,288. */
  maxBodyBytes?: number | undefined;
  /** Maximum response, in bytes. Default: 33,554,432. */
  maxResponseBytes?: number | undefined;
  /**
   * Rules for more parameters of bodies and queries, by name. By default the proxy refuses those that spend the key
   * owner's balance or name who is paid (`subsidizeFees`, `appFees`), and undocumented ones, with 403
   * `PARAMETER_NOT_ALLOWED`.
   *
   * A nested parameter has dots in its name (`executionOptions.subsidizeFees`); a rule covers all inside its parameter.
   * A rule may also restrict a parameter that is forwarded by default, such as `txs`.
   */
  parameters?: Readonly<Record<string, KeyProxyRule>> | undefined;
  /** Mount path of the handler, for example `/api/relay`. Default: none. */
  prefix?: string | undefined;
  /** Method and path, with `:name` for one segment of any text. Default {@link defaultProxyRoutes}. */
  routes?: readonly string[] | undefined;
  /** Time limit of a call, from the first byte of its body to the last of the response, in milliseconds. Default: 30,000. */
  timeout?: number | undefined;
};

/** A Fetch API handler, for Next, Hono, Deno, Bun and workers. */
export type CreateKeyProxyReturnType = (request: Request) => Promise<Response>;

/**
 * Creates a handler that forwards calls to the service and adds the API key, so that browsers never see the key. A
 * client in the browser uses the handler as its `baseUrl`.
 *
 * Forwards only the listed routes and parameters, and no headers of the call. Forwards the JSON and query that it
 * checked, not the received text. Returns only JSON, with `nosniff`: HTML from the service would run on the app's
 * origin. Removes the key from responses that echo it. Authorise callers before the handler, and limit their rate: a
 * `maxSubsidizationAmount` bounds one quote, not the number of quotes.
 *
 * @throws InvalidParameterError for an invalid parameter, by name, and for `http` to another machine.
 *
 * @example
 * import { createKeyProxy, production } from "waybill/client";
 *
 * const proxy = createKeyProxy({ ...production, apiKey: "your-key", prefix: "/api/relay" });
 * const answer = await proxy(new Request("https://app.example/api/relay/admin"));
 * console.log(answer.status); // 404
 */
export function createKeyProxy(parameters: CreateKeyProxyParameters): CreateKeyProxyReturnType {
  const {
    apiKey,
    baseUrl,
    check,
    fetch = globalThis.fetch,
    maxBodyBytes = 524_288,
    maxResponseBytes = defaultMaxResponseBytes,
    parameters: rules = {},
    prefix = "",
    routes = defaultProxyRoutes,
    timeout = defaultTimeout,
  } = parameters;
  assertUrlGiven(baseUrl, "baseUrl", serviceNames);
  assertKeyStaysPrivate(apiKey, parseBaseUrl(baseUrl));
  assertFunction("fetch", fetch);
  if (check !== undefined) assertFunction("check", check);
  assertNumber("maxBodyBytes", maxBodyBytes, 0);
  assertNumber("maxResponseBytes", maxResponseBytes, 1);
  assertNumber("timeout", timeout, 1);
  const isKey = typeof apiKey === "string" && /^[\x21-\x7e]{8,}$/.test(apiKey);
  assertValid(isKey, "apiKey", "not at least 8 printable characters");
  const isPrefix = typeof prefix === "string" && /^(?:\/[\w.-]+)*$/.test(prefix);
  assertValid(isPrefix, "prefix", "not a path without a slash at its end");
  const allowed = readList(routes, "routes", readRoute);
  const policy: Policy = { check, rules: readRules(rules) };
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    // One value of each name: servers choose differently among several.
    const query = new URLSearchParams(Object.fromEntries(searchParams));
    const path = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : "";
    if (!allowed.some(({ method, pattern }) => method === request.method && pattern.test(path))) {
      return refuse(404, "No such route");
    }
    const passOn = async (signal: AbortSignal): Promise<Response> => {
      const received = await readRequest(request, { maxBodyBytes, signal });
      if (received instanceof Response) return received;
      const body = await checkCall(policy, { body: received, method: request.method, path, query });
      if (body instanceof Response) return body;
      const headers = new Headers({ accept: "application/json", "x-api-key": apiKey });
      if (body !== undefined) headers.set("content-type", "application/json");
      const init: RequestInit = {
        headers,
        method: request.method,
        // A followed redirect would send the key to its target.
        redirect: "manual",
        signal,
        ...(body === undefined ? {} : { body }),
      };
      const answer = await fetch(joinUrl(baseUrl, path, Object.fromEntries(query)), init);
      return passBack(answer, { apiKey, maxResponseBytes, signal });
    };
    return withinTime(passOn, request.signal, timeout);
  };
}

type Policy = { readonly check: CreateKeyProxyParameters["check"]; readonly rules: KeyProxyRules };

/**
 * Returns the body to forward, or an error response. Serialises the parsed body: a text may name a key twice, which
 * parsers read differently.
 */
async function checkCall(
  { check, rules }: Policy,
  { body, ...call }: KeyProxyCall & { readonly body: object | undefined },
): Promise<Response | string | undefined> {
  try {
    const refused = applyRules(rules, { ...call, body });
    if (refused !== undefined) return refuseParameter(refused);
    const checked = body && JSON.stringify(body);
    const reason = await check?.({ ...call, body, query: new URLSearchParams(call.query) });
    return reason === undefined ? checked : refuse(400, String(reason));
  } catch {
    return refuse(500, "The call cannot be checked");
  }
}

function refuseParameter(parameter: string): Response {
  const message = `The app's proxy does not forward this \`${parameter}\`. To allow it, the app lists it in \`parameters\` of createKeyProxy.`;
  return refuse(403, message, { errorCode: "PARAMETER_NOT_ALLOWED", errorData: { parameter } });
}

async function withinTime(
  passOn: (signal: AbortSignal) => Promise<Response>,
  caller: unknown,
  timeoutMs: number,
): Promise<Response> {
  // The server's signal class may differ from the platform's.
  const signal = caller instanceof AbortSignal ? caller : undefined;
  const deadline = startDeadline({ now: Date.now, operation: "passing a call on", signal, timeoutMs });
  try {
    return await deadline.race(passOn(deadline.signal));
  } catch {
    return refuse(deadline.signal.aborted ? 504 : 502, "The service did not answer");
  } finally {
    deadline[Symbol.dispose]();
  }
}

/** Reads the body of a call: `undefined` without one, an error response unless it is an object in JSON. */
async function readRequest(
  request: Request,
  { maxBodyBytes, signal }: { maxBodyBytes: number; signal: AbortSignal },
): Promise<Response | object | undefined> {
  if (request.method === "GET") return undefined;
  let text: string | undefined;
  try {
    text = await readBody(request, maxBodyBytes, signal);
  } catch {
    return refuse(400, "The body cannot be read");
  }
  if (text === undefined) return refuse(413, `The body is longer than ${maxBodyBytes} bytes`);
  if (text === "") return undefined;
  try {
    const body: unknown = isTooDeep(text) ? undefined : JSON.parse(text);
    if (typeof body === "object" && body !== null && !Array.isArray(body)) return body;
  } catch {
    // Refused below.
  }
  return refuse(400, "The body is not an object in JSON");
}

function readRoute(route: unknown): { method: string; pattern: RegExp } {
  const [, method, path] = /^(GET|POST) ((?:\/(?:[\w.-]+|:\w+))+)$/.exec(readText(route, "routes")) ?? [];
  const isRoute = method !== undefined && path !== undefined;
  assertValid(isRoute, "routes", `"${route}" is not a method and a path`);
  // Matches one segment: an escaped slash or dot could lead to another path of the service.
  const pattern = path.replaceAll(".", "\\.").replace(/:\w+/g, "[\\w-]+");
  return { method, pattern: new RegExp(`^${pattern}$`) };
}
