import { type Chain, createPublicClient, custom, type PublicClient } from "viem";
import { InvalidParameterError } from "../../../src/errors/InvalidParameterError.ts";
import type { Rpc } from "../rpc.ts";

/** A viem client over `rpc`, without retries of its own. */
export function clientOver(rpc: Rpc, chain: Chain): PublicClient {
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    if (params !== undefined && !Array.isArray(params)) {
      throw new InvalidParameterError({ parameter: "params", reason: "a list is needed" });
    }
    return rpc(method, params);
  };
  return createPublicClient({
    cacheTime: 0,
    chain,
    pollingInterval: 20,
    transport: custom({ request }, { retryCount: 0 }),
  }) as PublicClient;
}
