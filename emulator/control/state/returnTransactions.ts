import {
  type Hex,
  keccak256,
  numberToHex,
  type Signature,
  serializeTransaction,
  type TransactionSerializable,
} from "viem";
import * as z from "zod";
import { bytes32Schema, evmAddressSchema, hexSchema } from "../../../src/schema/wire/hex.ts";
import { quantitySchema, type Rpc } from "../../chains/rpc.ts";

const transactionSchema = z.object({
  accessList: z
    .array(z.object({ address: evmAddressSchema, storageKeys: z.array(bytes32Schema) }))
    .optional(),
  authorizationList: z
    .array(
      z.object({
        address: evmAddressSchema,
        chainId: quantitySchema,
        nonce: quantitySchema,
        r: quantitySchema,
        s: quantitySchema,
        yParity: quantitySchema,
      }),
    )
    .optional(),
  chainId: quantitySchema.nullish(),
  gas: quantitySchema,
  gasPrice: quantitySchema.nullish(),
  hash: bytes32Schema,
  input: hexSchema,
  maxFeePerGas: quantitySchema.nullish(),
  maxPriorityFeePerGas: quantitySchema.nullish(),
  nonce: quantitySchema,
  r: quantitySchema,
  s: quantitySchema,
  to: z.nullish(evmAddressSchema),
  type: quantitySchema,
  v: quantitySchema,
  value: quantitySchema,
});

type BlockTransaction = z.output<typeof transactionSchema>;

/** A transaction and its signed bytes, if known. */
type SignedTransaction = { readonly hash: Hex; readonly raw: Hex | undefined };

/** Reads the transactions of the blocks after `fork`, in order. `raw` is `undefined` if the bytes cannot be rebuilt. */
export async function transactionsAfter(
  rpc: Rpc,
  fork: bigint,
  head: bigint,
): Promise<readonly SignedTransaction[]> {
  const found: SignedTransaction[] = [];
  for (let number = fork + 1n; number <= head; number++) {
    const block = await rpc("eth_getBlockByNumber", [numberToHex(number), true]);
    const { transactions } = z.object({ transactions: z.array(transactionSchema) }).parse(block);
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
): Promise<{ returned: readonly Hex[]; lost: readonly Hex[] }> {
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

function serialize(transaction: BlockTransaction): Hex | undefined {
  const { accessList, chainId, gas, gasPrice, input, nonce, to, type, value } = transaction;
  const common = {
    data: input,
    gas,
    nonce: Number(nonce),
    to: to ?? null,
    value,
  };
  const fees = {
    maxFeePerGas: transaction.maxFeePerGas ?? 0n,
    maxPriorityFeePerGas: transaction.maxPriorityFeePerGas ?? 0n,
  };
  const typed = { ...common, accessList: accessList ?? [], chainId: Number(chainId ?? 0n) };
  if (type === 2n)
    return serializeTransaction({ ...typed, ...fees, type: "eip1559" }, signatureOf(transaction));
  if (type === 4n && to) {
    const authorizationList = (transaction.authorizationList ?? []).map(
      ({ address, chainId, nonce, r, s, yParity }) => ({
        address,
        chainId: Number(chainId),
        nonce: Number(nonce),
        r: word(r),
        s: word(s),
        yParity: Number(yParity),
      }),
    );
    const delegating = { ...typed, ...fees, authorizationList, to, type: "eip7702" } as const;
    return serializeTransaction(delegating, signatureOf(transaction));
  }
  if (type === 1n) {
    return serializeTransaction(
      { ...typed, gasPrice: gasPrice ?? 0n, type: "eip2930" },
      signatureOf(transaction),
    );
  }
  if (type !== 0n) return undefined;
  const legacy: TransactionSerializable = { ...common, gasPrice: gasPrice ?? 0n, type: "legacy" };
  // From EIP-155 on, `v` includes the chain id.
  return serializeTransaction(
    transaction.v >= 35n ? { ...legacy, chainId: Number((transaction.v - 35n) / 2n) } : legacy,
    signatureOf(transaction),
  );
}

function word(value: bigint): Hex {
  return numberToHex(value, { size: 32 });
}

function signatureOf({ r, s, v }: BlockTransaction): Signature {
  const yParity = v <= 1n ? Number(v) : Number(v >= 35n ? (v - 35n) % 2n : v - 27n);
  return { r: word(r), s: word(s), v: v <= 1n ? v + 27n : v, yParity };
}
