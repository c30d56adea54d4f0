import { assertValid } from "./readParts.ts";

/** Query values; `undefined` ones are omitted. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Appends a path to a base URL. Keeps the base's path prefix, ignores its trailing slash, and puts the path's own query
 * before `query`.
 *
 * @param baseUrl An absolute http or https URL.
 * @param path Begins with a slash.
 * @throws InvalidParameterError for another form of either.
 */
export function joinUrl(baseUrl: string, path: string, query: Query = {}): string {
  const base = parseBaseUrl(baseUrl);
  assertValid(
    isServicePath(path),
    "path",
    "not a path that begins with one slash and has no segment of dots",
  );
  const url = new URL(`${base.origin}${base.pathname.replace(/\/+$/, "")}${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

/**
 * Parses a base URL.
 *
 * @throws InvalidParameterError for a URL that is not absolute http or https, or has a query or credentials.
 */
export function parseBaseUrl(baseUrl: string, parameter = "baseUrl"): URL {
  assertValid(typeof baseUrl === "string" && URL.canParse(baseUrl), parameter, "not an absolute URL");
  const url = new URL(baseUrl);
  assertValid(/^https?:$/.test(url.protocol), parameter, "neither http nor https");
  assertValid(url.search === "" && url.hash === "", parameter, "it has a query or a fragment");
  const hasCredentials = url.username !== "" || url.password !== "";
  assertValid(!hasCredentials, parameter, "it contains credentials; use a header instead");
  return url;
}

/** Whether a path of the service stays below its base. */
export function isServicePath(path: unknown): path is string {
  // A second slash or backslash would start a host.
  if (typeof path !== "string" || !/^\/(?![/\\])/.test(path)) return false;
  // URL parsers remove tabs and line ends before they resolve dot segments, plain or escaped.
  const [segments = ""] = path.replace(/[\t\n\r]/g, "").split(/[?#]/);
  return !/[/\\](?:\.|%2e){1,2}(?:[/\\]|$)/i.test(segments);
}
