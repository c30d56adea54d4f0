import {
  type Hex,
  keccak256,
  serializeTransaction,
  type Transaction,
  type TransactionSerializable,
} from "viem";
import type { Chain } from "../../chains/Chain.ts";
import type { Rpc } from "../../chains/rpc.ts";

/** A transaction and its signed bytes, if known. */
type SignedTransaction = { readonly hash: Hex; readonly raw: Hex | undefined };

/** Reads the transactions of the blocks after `fork`, in order. `raw` is `undefined` if the bytes cannot be rebuilt. */
export async function transactionsAfter(
  { client }: Pick<Chain, "client">,
  fork: bigint,
  head: bigint,
): Promise<readonly SignedTransaction[]> {
  const found: SignedTransaction[] = [];
  for (let blockNumber = fork + 1n; blockNumber <= head; blockNumber++) {
    const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
    for (const transaction of transactions) {
      const { hash } = transaction;
      const raw = serialize(transaction);
      found.push({ hash, raw: raw !== undefined && keccak256(raw) === hash ? raw : undefined });
    }
  }
  return found;
}

/** Broadcasts transactions again. The node rejects those whose nonce is used by now. */
export async function resendTransactions(
  rpc: Rpc,
  transactions: readonly SignedTransaction[],
): Promise<{ returned: Hex[]; lost: Hex[] }> {
  const returned: Hex[] = [];
  const lost: Hex[] = [];
  for (const { hash, raw } of transactions) {
    const isTaken =
      raw !== undefined &&
      (await rpc("eth_sendRawTransaction", [raw]).then(
        () => true,
        () => false,
      ));
    (isTaken ? returned : lost).push(hash);
  }
  return { lost, returned };
}

function serialize(transaction: Transaction): Hex | undefined {
  const { input: data, r, s, v, yParity = Number(v) } = transaction;
  // A legacy signature from before EIP-155 has no chain id.
  const isUnbound = transaction.type === "legacy" && v < 35n;
  const fields = { ...transaction, data, ...(isUnbound && { chainId: undefined }) };
  try {
    return serializeTransaction(fields as TransactionSerializable, { r, s, v, yParity });
  } catch {
    return undefined;
  }
}
