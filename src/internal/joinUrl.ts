import { InvalidParameterError } from "../errors/InvalidParameterError.ts";

/** Values of a query; `undefined` ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Appends a path to a base address. A path prefix of the base is kept, a trailing slash is not doubled,
 * and a query that is already in the path is kept before `query`.
 *
 * @param baseUrl An absolute http or https address.
 * @param path Begins with a slash.
 * @throws InvalidParameterError when either is not that.
 *
 * @example
 * joinUrl("http://127.0.0.1:4000/api/", "/intents/status/v3", { requestId: "0x01" });
 * // "http://127.0.0.1:4000/api/intents/status/v3?requestId=0x01"
 */
export function joinUrl(baseUrl: string, path: string, query: Query = {}): string {
  const base = parseBaseUrl(baseUrl);
  if (!isServicePath(path)) {
    const reason = "not a path that begins with one slash and has no segment of dots";
    throw new InvalidParameterError({ parameter: "path", reason });
  }
  const url = new URL(`${base.origin}${base.pathname.replace(/\/+$/, "")}${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

/**
 * Reads a base address.
 *
 * @param parameter Name to blame in the error.
 * @throws InvalidParameterError when it is not absolute, not http or https, or carries a query or
 * credentials.
 *
 * @example
 * parseBaseUrl("https://api.relay.link").host; // "api.relay.link"
 */
export function parseBaseUrl(baseUrl: string, parameter = "baseUrl"): URL {
  if (typeof baseUrl !== "string" || !URL.canParse(baseUrl))
    throw new InvalidParameterError({ parameter, reason: "not an absolute URL" });
  const url = new URL(baseUrl);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new InvalidParameterError({ parameter, reason: "neither http nor https" });
  }
  if (url.search !== "" || url.hash !== "") {
    throw new InvalidParameterError({ parameter, reason: "it carries a query or a fragment" });
  }
  if (url.username !== "" || url.password !== "") {
    throw new InvalidParameterError({ parameter, reason: "it carries credentials; use a header instead" });
  }
  return url;
}

/**
 * Whether a path stays below the base it is appended to, as one that the service names must.
 *
 * @example
 * isServicePath("/execute/permits"); // true
 * isServicePath("/../admin"); // false
 */
export function isServicePath(path: unknown): path is string {
  // A second slash or backslash would make the path a host.
  if (typeof path !== "string" || !/^\/(?![/\\])/.test(path)) return false;
  // A URL drops tabs and line ends before it looks for segments of dots, plain or escaped.
  const [segments = ""] = path.replace(/[\t\n\r]/g, "").split(/[?#]/);
  return !/[/\\](?:\.|%2e){1,2}(?:[/\\]|$)/i.test(segments);
}
