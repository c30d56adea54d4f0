import { InvalidParameterError } from "../errors/InvalidParameterError.ts";

/** Values of a query; `undefined` ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Puts a path behind a base address. A path prefix of the base is kept, a trailing slash is not doubled,
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
  // A second slash or backslash would make the path a host.
  if (!/^\/(?![/\\])/.test(path)) {
    throw new InvalidParameterError({ parameter: "path", reason: "not a path that begins with one slash" });
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
 * @throws InvalidParameterError when it is not absolute, not http or https, or carries a query or
 * credentials.
 *
 * @example
 * parseBaseUrl("https://api.relay.link").host; // "api.relay.link"
 */
export function parseBaseUrl(baseUrl: string): URL {
  const parameter = "baseUrl";
  if (!URL.canParse(baseUrl)) throw new InvalidParameterError({ parameter, reason: "not an absolute URL" });
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
