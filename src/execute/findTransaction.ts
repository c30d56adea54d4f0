import {
  type Hex,
  isAddressEqual,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type Transaction,
} from "viem";
import { getBlock } from "viem/actions";
import type { EvmTransactionData } from "../schema/quote/step.ts";
import type { Run } from "./Run.ts";
import type { WalletTransaction } from "./Wallet.ts";

/** The effect of a transaction. */
export type CallData = Pick<WalletTransaction, "data" | "to" | "value">;

/**
 * Converts a step's transaction to a wallet call.
 *
 * @example
 * callOf({ to: "0x5FbDB2315678afecb367f032d93F642f64180aa3" }).value; // 0n
 */
export function callOf({ data = "0x", to, value = "0" }: EvmTransactionData): CallData {
  return { data, to, value: BigInt(value) };
}

/**
 * Finds a transaction sent by the account itself, in blocks `from` to `to`.
 *
 * @throws The signal's reason when it fires; errors of the reader.
 *
 * @example
 * await findTransaction(run, { from: 7, signal, to: 9 }, ({ nonce }) => nonce === 3);
 */
export async function findTransaction(
  { reader, wallet }: Run,
  range: { from: number; signal: AbortSignal; to: number },
  isMeant: (transaction: Transaction) => boolean,
): Promise<Transaction | undefined> {
  for (let number = range.from; number <= range.to; number++) {
    range.signal.throwIfAborted();
    const block = await getBlock(reader, { blockNumber: BigInt(number), includeTransactions: true });
    const found = block.transactions.find(
      (transaction) => isAddressEqual(transaction.from, wallet.address) && isMeant(transaction),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Whether a transaction matches a step. Wallets may append a tag to the calldata.
 *
 * @example
 * isSameCall(transaction, { data: "0x", to, value: 1n });
 */
export function isSameCall({ input, to, value }: Transaction, call: CallData): boolean {
  const data = call.data.toLowerCase() as Hex;
  const isSameData = data === "0x" ? input === data : input.startsWith(data);
  return isSameData && value === call.value && to !== null && isAddressEqual(to, call.to);
}

/**
 * Whether the account signed a transaction for the origin chain, under its nonce. A node could make up one, so that a
 * payment seems to be replaced and is made again.
 *
 * @example
 * if (await isSigned(run, transaction)) await report(run, event);
 */
export async function isSigned({ originChainId, wallet }: Run, transaction: Transaction): Promise<boolean> {
  const { hash, input, nonce, r, s, v, yParity, gasPrice, ...fields } = transaction;
  const prices = fields.maxFeePerGas === undefined ? { gasPrice } : {};
  try {
    const signature = { r, s, v, yParity } as { r: Hex; s: Hex; v: bigint; yParity: number };
    const raw = serializeTransaction({ ...fields, ...prices, data: input, nonce } as never, signature);
    const signed = parseTransaction(raw);
    const isOurs = signed.chainId === originChainId && keccak256(raw) === hash;
    const signer = await recoverTransactionAddress({ serializedTransaction: raw as never });
    return isOurs && isAddressEqual(signer, wallet.address);
  } catch {
    return false;
  }
}
