import {
  type Account,
  type Address,
  BaseError,
  type Chain,
  type Client,
  ExecutionRevertedError,
  type Hex,
  isHex,
  type StateOverride,
  type Transport,
} from "viem";
import { call } from "viem/actions";
import { ChainReadFailedError } from "../errors/ChainReadFailedError.ts";

/** A client of viem that reads a chain. */
export type ChainClient = Client<Transport, Chain | undefined, Account | undefined>;

/** A call that is made without being sent. */
export type ChainCall = {
  account?: Address;
  blockNumber?: bigint | undefined;
  data: Hex;
  stateOverride?: StateOverride;
  to: Address;
  value?: bigint;
};

/**
 * Makes a call on a chain without sending it.
 *
 * @param operation For messages: the end of "did not answer while …".
 * @returns What it returned, or the data of its revert.
 * @throws {ChainReadFailedError} When the chain did not make it.
 *
 * @example
 * const { data, failed } = await callChain(client, "reading a balance", { data: "0x", to });
 */
export async function callChain(
  client: ChainClient,
  operation: string,
  { blockNumber, ...parameters }: ChainCall,
): Promise<{ readonly data: Hex; readonly failed: boolean }> {
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

/** Nothing when it is no revert: then the chain was not asked, or does not have the block any more. */
function revertData(error: unknown): Hex | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const found = error.walk((inner) => isHex((inner as { data?: unknown }).data));
  if (found !== null) return (found as Error & { data: Hex }).data;
  return error.walk((inner) => inner instanceof ExecutionRevertedError) === null ? undefined : "0x";
}
