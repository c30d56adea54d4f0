import { type Address, toHex } from "viem";
import { recoverAuthorizationAddress } from "viem/utils";
import * as z from "zod";
import { evmAddressSchema } from "../../../src/schema/wire/hex.ts";
import { hasCode } from "../../chains/balanceOf.ts";
import type { Chain } from "../../chains/Chain.ts";
import { isAboutNode } from "../../chains/evm/guardIdentity.ts";
import { quantitySchema } from "../../chains/rpc.ts";
import type { Block } from "../receipts/readBlocks.ts";

const wordSchema = quantitySchema.transform((value) => toHex(value, { size: 32 }));

/** An EIP-7702 authorization of a transaction. */
const authorizationSchema = z.object({
  address: evmAddressSchema,
  chainId: quantitySchema.transform(Number),
  nonce: quantitySchema.transform(Number),
  r: wordSchema,
  s: wordSchema,
  yParity: quantitySchema.transform(Number),
});

/**
 * Whether an account may have run code in a block: it has code now, it had code before the block, or it delegated in the block
 * (EIP-7702). An account can clear its delegation in the block of a payment.
 */
export async function runsCode(
  chain: Pick<Chain, "rpc">,
  account: Address,
  block: Pick<Block, "number" | "transactions">,
): Promise<boolean> {
  if (await hasCode(chain, account)) return true;
  if (await hadCode(chain, account, block.number - 1n)) return true;
  return (await delegatorsOf(block)).has(account.toLowerCase());
}

/** Whether an account had code after a block; false when the node no longer has that state. */
async function hadCode({ rpc }: Pick<Chain, "rpc">, account: Address, number: bigint): Promise<boolean> {
  try {
    return (await rpc("eth_getCode", [account, toHex(number)])) !== "0x";
  } catch (error) {
    if (isAboutNode(error)) throw error;
    return false;
  }
}

const known = new WeakMap<Pick<Block, "transactions">, Promise<ReadonlySet<string>>>();

/** The accounts that signed a block's authorizations, in lower case. */
function delegatorsOf(block: Pick<Block, "transactions">): Promise<ReadonlySet<string>> {
  const delegators = known.get(block) ?? recoverDelegators(block);
  known.set(block, delegators);
  return delegators;
}

async function recoverDelegators({
  transactions,
}: Pick<Block, "transactions">): Promise<ReadonlySet<string>> {
  const delegators = new Set<string>();
  for (const listed of transactions.flatMap(({ authorizationList }) => authorizationList ?? [])) {
    const { data: authorization } = authorizationSchema.safeParse(listed);
    if (authorization === undefined) continue;
    // The chain skips an authorization with an invalid signature.
    const signer = await recoverAuthorizationAddress({ authorization }).catch(() => undefined);
    if (signer !== undefined) delegators.add(signer.toLowerCase());
  }
  return delegators;
}
