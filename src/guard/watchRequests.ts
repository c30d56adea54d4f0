import { assertFunction, readObject } from "../internal/readParts.ts";
import { assertGuard, type QuoteGuard } from "./createQuoteGuard.ts";
import { type WatchedRequest, watchTraffic } from "./watchTraffic.ts";

/** A page's means of requests: `globalThis`. */
export type RequestScope = {
  fetch?: typeof globalThis.fetch;
  readonly XMLHttpRequest?: { readonly prototype: XhrLike } | undefined;
};

/** An `XMLHttpRequest`, as far as the guard uses it. */
export type XhrLike = {
  open(method: string, url: string | URL, ...others: unknown[]): void;
  send(body?: unknown): void;
  addEventListener(type: "readystatechange", listener: () => void): void;
  readonly readyState: number;
  readonly response: unknown;
  readonly status: number;
};

/**
 * Lets a guard learn the quotes that a page fetches by `fetch` or `XMLHttpRequest`: asks for the order's signature with each,
 * and takes the answers. Call it before the page's libraries load, because some keep `fetch`.
 *
 * @param scope Default: `globalThis`.
 * @returns A function that ends it.
 * @throws {InvalidParameterError} For another argument, by name.
 *
 * @example
 * import { createQuoteGuard, watchRequests } from "waybill/guard";
 *
 * const guard = createQuoteGuard({ policy: { price: ({ amount }) => amount } });
 * const stop = watchRequests(guard);
 * stop();
 */
export function watchRequests(
  guard: QuoteGuard,
  scope: RequestScope = globalThis as unknown as RequestScope,
): () => void {
  assertGuard(guard);
  readObject(scope, "scope");
  if (scope.fetch !== undefined) assertFunction("scope.fetch", scope.fetch);
  const stops = [watchFetch(guard, scope), watchXhr(guard, scope.XMLHttpRequest?.prototype)];
  return () => {
    for (const stop of stops) stop();
  };
}

function watchFetch(guard: QuoteGuard, scope: RequestScope): () => void {
  const { fetch } = scope;
  if (fetch === undefined) return () => {};
  const watching: typeof globalThis.fetch = async (input, init) => {
    const request = input instanceof Request ? input : undefined;
    const method = init?.method ?? request?.method ?? "GET";
    const { learn, read } = watchTraffic(guard, method, request?.url ?? String(input));
    const body = read?.(await readBody(init?.body ?? request?.clone()));
    const sent = body === undefined ? init : { ...init, body: JSON.stringify(body), method };
    const answer = await fetch.call(scope, input, sent);
    // Others may be streams, which end late or never.
    if (read !== undefined || /^application\/json\b/i.test(answer.headers.get("content-type") ?? "")) {
      const text = answer.clone().text();
      learn(await text.catch(() => undefined), answer.ok);
    }
    return answer;
  };
  scope.fetch = watching;
  return () => {
    if (scope.fetch === watching) scope.fetch = fetch;
  };
}

/** A body as text. A stream can be read once, and is left to the request. */
async function readBody(body: BodyInit | Request | undefined): Promise<string | undefined> {
  if (body instanceof Request) return body.text();
  return body instanceof ReadableStream ? undefined : new Response(body).text();
}

function watchXhr(guard: QuoteGuard, prototype: XhrLike | undefined): () => void {
  if (prototype === undefined) return () => {};
  const { open, send } = prototype;
  for (const [name, value] of Object.entries({ open, send })) {
    assertFunction(`scope.XMLHttpRequest.prototype.${name}`, value);
  }
  type Opened = { method: string; url: string; watched?: WatchedRequest | undefined };
  const opened = new WeakMap<XhrLike, Opened>();
  prototype.open = function (this: XhrLike, method, url, ...others) {
    const isUsed = opened.has(this);
    opened.set(this, { method, url: String(url) });
    // Added here, before the page's own listener can act on the answer. One for all uses, which reads the latest.
    if (!isUsed) {
      this.addEventListener("readystatechange", () => {
        const isOk = this.status >= 200 && this.status < 300;
        if (this.readyState === 4) opened.get(this)?.watched?.learn(this.response, isOk);
      });
    }
    open.call(this, method, url, ...others);
  };
  prototype.send = function (this: XhrLike, body) {
    const own = opened.get(this);
    const watched = own && watchTraffic(guard, own.method, own.url);
    if (own !== undefined) own.watched = watched;
    const sent = watched?.read?.(body);
    send.call(this, sent === undefined ? body : JSON.stringify(sent));
  };
  return () => Object.assign(prototype, { open, send });
}
