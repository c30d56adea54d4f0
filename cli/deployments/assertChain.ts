import type { PublicClient } from "viem";
import { BaseError } from "../../src/errors/BaseError.ts";
import { ChainReadFailedError } from "../../src/errors/ChainReadFailedError.ts";

/**
 * Compares a node's chain to the expected one.
 *
 * @throws BaseError with the code `CHAIN_MISMATCH`; ChainReadFailedError
 */
export async function assertChain(client: PublicClient, chainId: number): Promise<void> {
  const actual = await client.getChainId().catch((cause: unknown) => {
    throw new ChainReadFailedError({ cause, operation: "reading the chain's id" });
  });
  if (actual === chainId) return;
  throw new BaseError(`The node is of chain ${actual}, and not of chain ${chainId}.`, {
    code: "CHAIN_MISMATCH",
  });
}
