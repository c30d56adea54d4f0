/** Addresses of nodes, with slashes escaped or not. */
const urlPattern = /\b(https?|wss?):(?:\\{0,8}\/){2}([^\s"<>`]+)/gi;

/** Documentation that viem and ethers name in their messages. */
const documentation = /^(?:[\w-]+\.)*(?:viem\.sh|oxlib\.sh|ethers\.org)(?:\/|$)/i;

/**
 * Takes everything out of the URLs in a text that can be a key: credentials, subdomains, path and query. Scheme, domain
 * and port stay, to tell which node it was.
 *
 * @param secrets Gathers the parts of the URLs that look like keys.
 *
 * @example
 * redactUrls("URL: https://mainnet.node.example/v3/0f1e2d3c4b5a"); // "URL: https://….node.example/…"
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
