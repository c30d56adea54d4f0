/** Node URLs, with or without escaped slashes. */
const urlPattern = /\b(https?|wss?):(?:\\{0,8}\/){2}([^\s"<>`]+)/gi;

/** Documentation URLs in messages of viem and ethers. */
const documentation = /^(?:[\w-]+\.)*(?:viem\.sh|oxlib\.sh|ethers\.org)(?:\/|$)/i;

/**
 * Removes possible keys from the URLs in a text: credentials, subdomains, path and query. Keeps scheme, domain and
 * port, to identify the node.
 *
 * @param secrets Collects the parts of the URLs that look like keys.
 */
export function redactUrls(text: string, secrets?: Set<string>): string {
  return text.replace(urlPattern, (url: string, scheme: string, rest: string) => {
    if (documentation.test(rest)) return url;
    const [, credentials = "", host = "", path = ""] =
      /^([^/\\?#]*@)?([^/\\?#]*)[/\\]*(.*)$/.exec(rest) ?? [];
    // Shorter parts are names, such as `v2` or `mainnet`.
    for (const part of rest.split(/[^\w%~-]+/)) if (part.length > 11) secrets?.add(part);
    for (const part of credentials.split(/[:@]/)) if (part.length > 3) secrets?.add(part);
    const domain = host.replace(/^.*\.(?=[^.]+\.[a-z][^.]*$)/i, "….");
    return `${scheme}://${credentials && "…@"}${domain}${path && "/…"}`;
  });
}

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
