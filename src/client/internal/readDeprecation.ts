import { stripEcho } from "../../internal/stripEcho.ts";

/** Deprecation of an endpoint, from response headers. */
export type DeprecationNotice = {
  /** Start of the deprecation; `undefined` when the header has no date. */
  deprecatedAt: Date | undefined;
  /** Page with an explanation. */
  link: string | undefined;
  method: string;
  path: string;
  /** Address of the endpoint that replaces it. */
  successor: string | undefined;
  /** Earliest removal of the endpoint. */
  sunsetAt: Date | undefined;
};

/**
 * Parses the headers `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link`.
 *
 * @param call The call; its key is removed from the links.
 * @returns `undefined` without such headers.
 */
export function readDeprecation(
  headers: Headers,
  { apiKey, method, path }: { apiKey?: string | undefined; method: string; path: string },
): DeprecationNotice | undefined {
  const [deprecation, sunset] = [headers.get("deprecation"), headers.get("sunset")];
  if (deprecation === null && sunset === null) return undefined;
  const links = readLinks(stripEcho(headers.get("link") ?? "", apiKey));
  return {
    deprecatedAt: readDate(deprecation ?? ""),
    link: links.get("deprecation") ?? links.get("sunset"),
    method,
    path,
    successor: links.get("successor-version"),
    sunsetAt: readDate(sunset ?? ""),
  };
}

/** `@` and unix seconds, or an HTTP date of older servers. */
function readDate(text: string): Date | undefined {
  const seconds = /^@(-?[0-9]{1,12})$/.exec(text.trim())?.[1];
  const date = new Date(seconds === undefined ? text : Number(seconds) * 1_000);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function readLinks(header: string): Map<string, string> {
  const links = new Map<string, string>();
  for (const [, address = "", parameters = ""] of header.slice(0, 8_192).matchAll(/<([^<>]*)>([^<]*)/g)) {
    const relation = /;\s*rel\s*=\s*"?([^";,]+)"?/i.exec(parameters)?.[1];
    for (const name of relation?.trim().split(/\s+/) ?? []) if (!links.has(name)) links.set(name, address);
  }
  return links;
}
