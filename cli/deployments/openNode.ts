import { createPublicClient, http, type PublicClient } from "viem";
import { boundedFetch } from "../settings/boundedFetch.ts";
import { openService, type Service } from "../settings/openService.ts";
import { usageError } from "../terminal/CommandError.ts";
import type { NodeOptions } from "./nodeFlags.ts";

/** A chain's node, and where keys are. */
export type Node = { readonly client: PublicClient; readonly service: Service; readonly url: string };

/** Time limit of one call, in milliseconds. */
const timeout = 15_000;

/**
 * Opens the node of the chain that the flags name.
 *
 * @throws CommandError for a chain without a known node.
 */
export async function openNode(
  { chain, config, emulator, rpcUrl }: NodeOptions,
  signal: AbortSignal,
): Promise<Node> {
  const service = await openService({
    ...(config !== undefined && { config }),
    ...(emulator !== undefined && { emulator }),
  });
  const url = rpcUrl ?? service.rpcUrls.get(chain) ?? service.config.chains?.[chain]?.rpcUrl;
  if (url === undefined) {
    throw usageError(
      `Chain ${chain} has no known node: pass --rpc-url, or name one in \`chains\` of the configuration.`,
    );
  }
  const transport = http(url, { fetchFn: boundedFetch, fetchOptions: { signal }, retryCount: 1, timeout });
  return { client: createPublicClient({ cacheTime: 0, pollingInterval: 1_000, transport }), service, url };
}
