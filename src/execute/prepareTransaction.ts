import {
  Eip1559FeesNotSupportedError,
  keccak256,
  type LocalAccount,
  parseTransaction,
  serializeTransaction,
} from "viem";
import {
  estimateFeesPerGas,
  estimateGas,
  getBalance,
  getBlockNumber,
  getTransactionCount,
} from "viem/actions";
import { isSigned } from "./findTransaction.ts";
import { readInTime } from "./poll.ts";
import { type Run, refuse, refuser, type TransactionItem } from "./Run.ts";
import { callOf } from "./stepCall.ts";
import { throwNothingSent } from "./toWalletFailedError.ts";
import type { ChainReader, WalletTransaction } from "./Wallet.ts";
import type { SentEntry } from "./waitForReceipt.ts";

/**
 * Sets gas, fees and chain id of an item's transaction. Ignores the quote's fees, which may be outdated.
 *
 * The gas limit is a quarter above the estimate, which misses that a pool's first trade in a second costs more; at least
 * the quote's gas, and at most `maximumGas`. A transaction that cannot be estimated would revert, so it is not sent.
 */
export async function prepareTransaction(
  run: Run,
  item: TransactionItem,
): Promise<{ fromBlock: number; transaction: WalletTransaction }> {
  const { client, maximumFee, maximumGas, originChainId, reader, wallet } = run;
  const { address, type } = wallet.account;
  const call = callOf(item.data);
  const estimate = () => estimateGas(reader, { account: address, ...call });
  const retry = async (cause: unknown) => {
    // The node may lag behind the approval of an earlier item.
    if (item.itemIndex + item.stepIndex === 0) throw cause;
    await client.sleep(run.pollingInterval, run.signal);
    return estimate();
  };
  const estimated = await estimate().catch(retry).catch(refuser(item, "its gas cannot be estimated"));
  if (estimated > maximumGas) {
    throw refuse(item, `it needs ${estimated} gas, above maximumGas, ${maximumGas}`);
  }
  const padded = estimated + estimated / 4n;
  const quoted = BigInt(item.data.gas ?? 0);
  const wanted = padded > quoted ? padded : quoted;
  const gas = wanted > maximumGas ? maximumGas : wanted;
  const [prices, balance, head] = await Promise.all([
    readPrices(reader),
    getBalance(reader, { address }),
    getBlockNumber(reader, { cacheTime: 0 }),
  ]).catch(refuser(item, "its fees cannot be read"));
  const fee = gas * (prices.type === "legacy" ? prices.gasPrice : prices.maxFeePerGas);
  const isNegative = fee < 0n || (prices.maxPriorityFeePerGas ?? 0n) < 0n;
  if (isNegative || fee > maximumFee) {
    throw refuse(item, `its fee of ${fee} wei is negative or above maximumFee, ${maximumFee}`);
  }
  // A node would not take it, and the signed bytes would stay open. Contract accounts may pay fees otherwise.
  const needed = call.value + fee;
  if (type === "local" && balance < needed) {
    throw refuse(item, `the account has ${balance} wei, and it may cost ${needed}`);
  }
  return { fromBlock: Number(head), transaction: { ...call, ...prices, chainId: originChainId, gas } };
}

async function readPrices(reader: ChainReader) {
  try {
    return { ...(await estimateFeesPerGas(reader)), type: "eip1559" as const };
  } catch (error) {
    if (!(error instanceof Eip1559FeesNotSupportedError)) throw error;
    const legacy = await estimateFeesPerGas(reader, { chain: reader.chain, type: "legacy" });
    return { ...legacy, type: "legacy" as const };
  }
}

/** Signs a prepared transaction with a key of this process, and compares the signed bytes with it. */
export async function signTransaction(
  run: Run,
  item: TransactionItem,
  prepared: WalletTransaction,
  account: LocalAccount,
): Promise<SentEntry> {
  const { reader } = run;
  const { address, nonceManager } = account;
  const counted = nonceManager
    ? nonceManager.consume({ address, chainId: prepared.chainId, client: reader })
    : getTransactionCount(reader, { address, blockTag: "pending" });
  const read = counted.catch(refuser(item, "its nonce cannot be read"));
  const nonce = Math.max(await readInTime(run, "reading the nonce", read), run.nextNonce);
  const transaction = { ...prepared, nonce };
  const sign = async () => account.signTransaction(transaction as never);
  const raw = await sign().catch(throwNothingSent(item.step.id));
  const isOwn = await isSigned(run, raw);
  if (isOwn && serializeTransaction(transaction as never, parseTransaction(raw) as never) === raw) {
    run.nextNonce = nonce + 1;
    return { nonce, raw, status: "signed", txHash: keccak256(raw) };
  }
  throw refuse(item, "the account signed another transaction");
}
