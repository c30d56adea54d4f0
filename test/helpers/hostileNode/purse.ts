import { encodeFunctionData, erc20Abi, type Hex, hexToBigInt, zeroAddress } from "viem";
import type { Payment, Scene, SceneChain } from "./scene.ts";
import { readSent, type Sent } from "./sent.ts";

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
