/**
 * Takes everything out of a URL that can be a secret: user and password, and the values of the query.
 *
 * Names of query parameters stay, since they help to tell two calls apart; their values go, because a step's
 * signature travels in the query.
 *
 * @param url An absolute URL, or anything else.
 * @returns The URL without secrets; `"(invalid url)"` when it cannot be parsed.
 *
 * @example
 * redactUrl("https://user:pw@api.example/authorize?signature=0xabc");
 * // "https://api.example/authorize?signature=…"
 */
export function redactUrl(url: string): string {
  if (!URL.canParse(url)) return "(invalid url)";
  const parsed = new URL(url);
  const names = [...new Set(parsed.searchParams.keys())];
  const query = names.map((name) => `${encodeURIComponent(name)}=…`).join("&");
  return `${parsed.protocol}//${parsed.host}${parsed.pathname}${query === "" ? "" : `?${query}`}`;
}
