import { Eip1559FeesNotSupportedError, type Hex, parseTransaction, serializeTransaction } from "viem";
import {
  estimateFeesPerGas,
  estimateGas,
  getBalance,
  getBlockNumber,
  getTransactionCount,
} from "viem/actions";
import { isSigned } from "./findTransaction.ts";
import { readInTime } from "./poll.ts";
import { type Run, refuse, type TransactionItem } from "./Run.ts";
import { type CallData, callOf } from "./stepCall.ts";
import { throwNothingSent } from "./toWalletFailedError.ts";
import type { Fees, WalletTransaction } from "./Wallet.ts";

/**
 * Sets gas, fees and chain id of an item's transaction. Ignores the quote's fees, which may be outdated.
 *
 * The gas limit is a quarter above the estimate, which misses that a pool's first trade in a second costs more; at least
 * the quote's gas, and at most `maximumGas`. A transaction that cannot be estimated would revert, so it is not sent.
 *
 * @throws StepRejectedError for a failed read, for gas above `maximumGas`, a fee above `maximumFee` or the balance.
 */
export async function prepareTransaction(
  run: Run,
  item: TransactionItem,
): Promise<{ fromBlock: number; transaction: WalletTransaction }> {
  const { maximumFee, maximumGas, originChainId: chainId, reader, wallet } = run;
  const call = callOf(item.data);
  const estimated = await estimate(run, item, call);
  if (estimated > maximumGas) {
    throw refuse(item, `it needs ${estimated} gas, above maximumGas, ${maximumGas}`);
  }
  const padded = estimated + estimated / 4n;
  const quoted = BigInt(item.data.gas ?? 0);
  const wanted = padded > quoted ? padded : quoted;
  const gas = wanted > maximumGas ? maximumGas : wanted;
  const readLegacyFees = (error: unknown) => {
    if (!(error instanceof Eip1559FeesNotSupportedError)) throw error;
    return estimateFeesPerGas(reader, { chain: reader.chain, type: "legacy" });
  };
  const fees: Fees = await estimateFeesPerGas(reader)
    .catch(readLegacyFees)
    .catch(refuser(item, "its fees cannot be read"));
  const fee = gas * ("gasPrice" in fees ? fees.gasPrice : fees.maxFeePerGas);
  if (fee > maximumFee) throw refuse(item, `its fee is up to ${fee} wei, above maximumFee, ${maximumFee}`);
  // A node would not take it, and the signed bytes would stay open. Contract accounts may pay fees otherwise.
  if (wallet.signTransaction !== undefined) {
    const { address } = wallet;
    const balance = await getBalance(reader, { address }).catch(refuser(item, "the balance cannot be read"));
    const needed = call.value + fee;
    if (balance < needed) throw refuse(item, `the account has ${balance} wei, and it may cost ${needed}`);
  }
  const head = await getBlockNumber(reader, { cacheTime: 0 }).catch(
    refuser(item, "the block cannot be read"),
  );
  return { fromBlock: Number(head), transaction: { ...call, chainId, fees, gas } };
}

/** The node may lag behind the approval of an earlier item, so the estimate is retried once. */
async function estimate(run: Run, item: TransactionItem, call: CallData): Promise<bigint> {
  const { client, pollingInterval, reader, signal, wallet } = run;
  const read = () =>
    estimateGas(reader, { account: wallet.address, ...call }).catch(
      refuser(item, "its gas cannot be estimated"),
    );
  try {
    return await read();
  } catch (error) {
    if (item.itemIndex + item.stepIndex === 0) throw error;
    await client.sleep(pollingInterval, signal);
    return read();
  }
}

function refuser(item: TransactionItem, reason: string): (cause: unknown) => never {
  return (cause) => {
    throw refuse(item, reason, cause);
  };
}

/**
 * Signs a prepared transaction with a key of this process, and compares the signed bytes with it.
 *
 * @throws WalletFailedError when the account does not sign; StepRejectedError for other bytes or signers, or without a nonce.
 * Nothing was sent.
 */
export async function signTransaction(
  run: Run,
  item: TransactionItem,
  transaction: WalletTransaction,
): Promise<{ nonce: number; raw: Hex }> {
  const { reader, wallet } = run;
  const { address, signTransaction: sign, takeNonce } = wallet;
  const { chainId, fees, ...call } = transaction;
  const counted =
    takeNonce?.(reader, chainId) ?? getTransactionCount(reader, { address, blockTag: "pending" });
  const read = counted.catch(refuser(item, "its nonce cannot be read"));
  const nonce = await readInTime(run, "reading the nonce", read);
  const raw = await sign?.({ ...transaction, nonce }).catch(throwNothingSent(item.step.id));
  if (raw === undefined || raw !== expectedBytes({ ...call, ...fees, chainId, nonce }, raw)) {
    throw refuse(item, "the account signed another transaction");
  }
  if (!(await isSigned(run, raw))) throw refuse(item, "another account signed it");
  return { nonce, raw };
}

/** The transaction with the signature of `raw`. */
function expectedBytes(transaction: object, raw: Hex): Hex | undefined {
  const type = "gasPrice" in transaction ? "legacy" : "eip1559";
  try {
    const { r, s, v, yParity } = parseTransaction(raw);
    return serializeTransaction({ ...transaction, type } as never, { r, s, v, yParity } as never);
  } catch {
    return undefined;
  }
}
