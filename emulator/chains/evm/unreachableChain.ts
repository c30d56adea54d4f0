import type { RunningChain } from "../Chain.ts";

/** What viem throws when a node does not answer, or with something else than JSON-RPC; each names the address. */
const transportErrors = new Set(["HttpRequestError", "TimeoutError"]);

/** The chain whose node did not answer, where that is what an error is about. */
export function unreachableChain<Chain extends Pick<RunningChain, "rpcUrl">>(
  error: unknown,
  chains: Iterable<Chain>,
): Chain | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (!transportErrors.has(current.name) || !("url" in current)) continue;
    // The client writes addresses with a slash at their end.
    const { href } = new URL(String(current.url));
    return [...chains].find(({ rpcUrl }) => new URL(rpcUrl).href === href);
  }
  return undefined;
}
