import { stripEcho } from "../../internal/stripEcho.ts";

/** The end of an endpoint, as the headers of an answer announce it. */
export type DeprecationNotice = {
  /** From when the endpoint is deprecated; `undefined` when the header holds no date. */
  deprecatedAt: Date | undefined;
  /** Page that explains it. */
  link: string | undefined;
  method: string;
  path: string;
  /** Address of the endpoint that replaces it. */
  successor: string | undefined;
  /** From when the endpoint may be gone. */
  sunsetAt: Date | undefined;
};

/**
 * Reads the headers that announce the end of an endpoint: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link`.
 *
 * @param call What was called; its key is cut out of the links.
 * @returns `undefined` when the answer announces nothing.
 *
 * @example
 * const headers = new Headers({ deprecation: "@1784678400", sunset: "Tue, 24 Nov 2026 00:00:00 GMT" });
 * readDeprecation(headers, { method: "GET", path: "/requests/v2" })?.sunsetAt; // 2026-11-24T00:00:00.000Z
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

/** `@` and unix seconds, or the date of HTTP that older servers send. */
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
