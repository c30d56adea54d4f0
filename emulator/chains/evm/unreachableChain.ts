import type { RunningChain } from "../Chain.ts";

/** Errors of viem for a missing or malformed answer of a node. Each carries the node's URL. */
const transportErrors = new Set(["HttpRequestError", "TimeoutError"]);

/** The chain whose node did not answer, according to an error or its causes; else `undefined`. */
export function unreachableChain<Chain extends Pick<RunningChain, "rpcUrl">>(
  error: unknown,
  chains: Iterable<Chain>,
): Chain | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (!transportErrors.has(current.name) || !("url" in current)) continue;
    // The client appends a slash to URLs.
    const { href } = new URL(String(current.url));
    return [...chains].find(({ rpcUrl }) => new URL(rpcUrl).href === href);
  }
  return undefined;
}
