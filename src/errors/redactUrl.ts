/**
 * Removes possible secrets from a URL: user, password, and query values.
 *
 * Keeps the names of query parameters, to tell calls apart. Removes their values, because the query may contain a
 * step's signature.
 *
 * @returns The URL without secrets; `"(invalid url)"` when it cannot be parsed.
 */
export function redactUrl(url: string): string {
  if (!URL.canParse(url)) return "(invalid url)";
  const parsed = new URL(url);
  const names = [...new Set(parsed.searchParams.keys())];
  const query = names.map((name) => `${encodeURIComponent(name)}=…`).join("&");
  return `${parsed.protocol}//${parsed.host}${parsed.pathname}${query === "" ? "" : `?${query}`}`;
}
