import {
  type Account,
  type Address,
  type Chain,
  type Client,
  ExecutionRevertedError,
  type Hex,
  isHex,
  type StateOverride,
  type Transport,
  BaseError as ViemError,
} from "viem";
import { call, getChainId } from "viem/actions";
import { BaseError } from "../errors/BaseError.ts";
import { ChainReadFailedError } from "../errors/ChainReadFailedError.ts";

/** A viem client that reads a chain. */
export type ChainClient = Client<Transport, Chain | undefined, Account | undefined>;

/** Parameters of an `eth_call`. */
export type ChainCall = {
  account?: Address;
  blockNumber?: bigint | undefined;
  data: Hex;
  stateOverride?: StateOverride;
  to: Address;
  value?: bigint;
};

/**
 * Makes an `eth_call`.
 *
 * @param operation For messages: the end of "did not answer while …".
 * @returns The return data, or the revert data.
 * @throws {ChainReadFailedError} When the node does not execute the call.
 * @throws {BaseError} `CHAIN_MISMATCH` when the client names another chain than its node's.
 */
export async function callChain(
  client: ChainClient,
  operation: string,
  { blockNumber, ...parameters }: ChainCall,
): Promise<{ readonly data: Hex; readonly failed: boolean }> {
  await assertNamedChain(client);
  try {
    const { data = "0x" } = await call(client, {
      ...parameters,
      ...(blockNumber === undefined ? {} : { blockNumber }),
    });
    return { data, failed: false };
  } catch (cause) {
    const data = revertData(cause);
    if (data === undefined) throw new ChainReadFailedError({ cause, operation });
    return { data, failed: true };
  }
}

/** Revert data of an error; undefined when the node did not execute the call or lacks the block. */
function revertData(error: unknown): Hex | undefined {
  if (!(error instanceof ViemError)) return undefined;
  const found = error.walk((inner) => isHex((inner as { data?: unknown }).data));
  if (found !== null) return (found as Error & { data: Hex }).data;
  return error.walk((inner) => inner instanceof ExecutionRevertedError) === null ? undefined : "0x";
}

/** One answer for each client. A failed check is forgotten, so that the next call repeats it. */
const checks = new WeakMap<ChainClient, Promise<void>>();

/**
 * Compares the chain that a client names to its node's, once for each client. A client without a chain passes.
 *
 * @throws BaseError with the code `CHAIN_MISMATCH`; ChainReadFailedError
 */
async function assertNamedChain(client: ChainClient): Promise<void> {
  const { chain } = client;
  if (chain === undefined) return;
  const check = checks.get(client) ?? compare(client, chain.id);
  checks.set(client, check);
  try {
    await check;
  } catch (error) {
    checks.delete(client);
    throw error;
  }
}

async function compare(client: ChainClient, expected: number): Promise<void> {
  const actual = await getChainId(client).catch((cause: unknown) => {
    throw new ChainReadFailedError({ cause, operation: "reading the chain's id" });
  });
  if (actual === expected) return;
  throw new BaseError(`The node is of chain ${actual}, and not of chain ${expected}.`, {
    code: "CHAIN_MISMATCH",
  });
}
