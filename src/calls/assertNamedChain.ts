import type { Account, Chain, Client, Transport } from "viem";
import { getChainId } from "viem/actions";
import { BaseError } from "../errors/BaseError.ts";
import { ChainReadFailedError } from "../errors/ChainReadFailedError.ts";

type NamedClient = Client<Transport, Chain | undefined, Account | undefined>;

/** One answer for each client. A failed check is forgotten, so that the next call repeats it. */
const checks = new WeakMap<NamedClient, Promise<void>>();

/**
 * Compares the chain that a client names to its node's, once for each client. A client without a chain passes.
 *
 * @throws BaseError with the code `CHAIN_MISMATCH`; ChainReadFailedError
 */
export async function assertNamedChain(client: NamedClient): Promise<void> {
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

async function compare(client: NamedClient, expected: number): Promise<void> {
  const actual = await getChainId(client).catch((cause: unknown) => {
    throw new ChainReadFailedError({ cause, operation: "reading the chain's id" });
  });
  if (actual === expected) return;
  throw new BaseError(`The node is of chain ${actual}, and not of chain ${expected}.`, {
    code: "CHAIN_MISMATCH",
  });
}
