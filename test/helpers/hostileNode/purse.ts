import {
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  isAddressEqual,
  parseTransaction,
  type TransactionSerialized,
  zeroAddress,
} from "viem";
import type { Payment, Scene, SceneChain } from "./scene.ts";

/** Signed bytes that left the victim's process. `isForeign`: of another app, without lies. */
export type Sent = { readonly hash: Hex; readonly raw: Hex; readonly isForeign?: true };

/** The fields of signed bytes. */
export type SignedTransaction = Partial<ReturnType<typeof parseTransaction>>;

/** Parses signed bytes; what viem rejects, such as a transaction with blobs, has no fields. */
export function readSent(raw: Hex): SignedTransaction {
  try {
    return parseTransaction(raw as TransactionSerialized);
  } catch {
    return {};
  }
}

/** A transaction that a run was about to send. */
export type Call = {
  readonly data?: string | undefined;
  readonly to: `0x${string}`;
  readonly value?: string | undefined;
};

/** Whether signed bytes are those of a call. */
export function isCall({ raw }: Sent, { data = "0x", to, value = "0" }: Call): boolean {
  const sent = readSent(raw);
  const isSame = (sent.data ?? "0x") === data.toLowerCase() && (sent.value ?? 0n) === BigInt(value);
  return isSame && sent.to != null && isAddressEqual(sent.to, to);
}

type Receipt = {
  readonly blockNumber: Hex;
  readonly effectiveGasPrice: Hex;
  readonly gasUsed: Hex;
  readonly status: Hex;
};

/** The victim's money on both chains, before a run. */
export type Purse = {
  /** What left the victim in the payment's currency on the origin chain, without fees. */
  spent(sent: readonly Sent[]): Promise<bigint>;
  /** Whether anything of the victim moved on the other chain. */
  hasMovedElsewhere(sent: readonly Sent[]): Promise<boolean>;
};

/** Opens the purse of a payment. */
export async function openPurse({ origin, other, victim }: Scene, { currency }: Payment): Promise<Purse> {
  const isNative = currency === zeroAddress;
  const data = encodeFunctionData({ abi: erc20Abi, args: [victim.address], functionName: "balanceOf" });
  const head = async () => (await origin.rpc("eth_blockNumber", [])) as Hex;
  const balance = async (block: Hex) =>
    hexToBigInt(
      (await (isNative
        ? origin.rpc("eth_getBalance", [victim.address, block])
        : origin.rpc("eth_call", [{ data, to: currency }, block]))) as Hex,
    );
  const native = () => other.rpc("eth_getBalance", [victim.address, "latest"]);
  const [before, elsewhere] = await Promise.all([head().then(balance), native()]);
  return {
    hasMovedElsewhere: async (sent) => {
      const found = await Promise.all(sent.map(({ hash }) => receiptOf(other, hash)));
      return found.some((receipt) => receipt !== null) || (await native()) !== elsewhere;
    },
    spent: async (sent) => {
      // One block for all reads: a run beside this one may be mined in between.
      const block = await head();
      const left = before - (await balance(block));
      if (!isNative) return left;
      const receipts = await Promise.all(sent.map(({ hash }) => receiptOf(origin, hash)));
      return receipts.reduce((sum, receipt) => sum - feeOf(receipt, block), left);
    },
  };
}

async function receiptOf({ rpc }: SceneChain, hash: Hex): Promise<Receipt | null> {
  return (await rpc("eth_getTransactionReceipt", [hash])) as Receipt | null;
}

function feeOf(receipt: Receipt | null, block: Hex): bigint {
  if (receipt === null || hexToBigInt(receipt.blockNumber) > hexToBigInt(block)) return 0n;
  return hexToBigInt(receipt.gasUsed) * hexToBigInt(receipt.effectiveGasPrice);
}

/** Whether signed bytes were mined with success, or still can be. */
export async function isAlive({ origin, victim }: Scene, { hash, raw }: Sent): Promise<boolean> {
  const receipt = await receiptOf(origin, hash);
  if (receipt !== null) return receipt.status === "0x1";
  const count = (await origin.rpc("eth_getTransactionCount", [victim.address, "latest"])) as Hex;
  return BigInt(readSent(raw).nonce ?? 0) >= hexToBigInt(count);
}
