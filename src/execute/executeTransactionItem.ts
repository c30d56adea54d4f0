import { erc20Abi, formatTransactionRequest, type Hex, numberToHex, type TransactionReceipt } from "viem";
import { getChainId, getTransactionCount, readContract, sendTransaction } from "viem/actions";
import { ChainMismatchError } from "../errors/ChainMismatchError.ts";
import { WalletFailedError } from "../errors/WalletFailedError.ts";
import { readHex } from "../internal/readHex.ts";
import { findItem, type ItemEntry } from "./ExecutionState.ts";
import { poll, readInTime } from "./poll.ts";
import { prepareTransaction, signTransaction } from "./prepareTransaction.ts";
import {
  assertNotAborted,
  assertProven,
  type Item,
  type Run,
  recheck,
  refuser,
  report,
  type TransactionItem,
} from "./Run.ts";
import { type Approval, readApproval } from "./stepCall.ts";
import { toWalletFailedError } from "./toWalletFailedError.ts";
import type { ChainReader, Wallet, WalletTransaction } from "./Wallet.ts";
import { type SentEntry, waitForReceipt } from "./waitForReceipt.ts";

/**
 * Sends a transaction unless already sent, and waits until it is mined and, for an approval, visible.
 *
 * With a key of this process: signs it, reports the signed bytes for the caller to save, and sends them. Whatever a node
 * answers, only the chain decides; the same bytes are sent again, also by a later run.
 */
export async function executeTransactionItem(run: Run, item: TransactionItem): Promise<TransactionReceipt> {
  const recorded = findItem(run.state, item);
  // The ledger may have lent the bytes to a run whose caller has not saved them.
  if (recorded?.raw !== undefined) await report(run, item, "sending");
  // Whatever is recorded is never sent anew.
  const sent = recorded === undefined ? await send(run, item) : (recorded as SentEntry);
  const receipt = await waitForReceipt(run, item, sent);
  const approval = readApproval(item.data);
  if (approval !== undefined) {
    await report(run, item, "allowance");
    await waitForAllowance(run, item, approval);
  }
  await report(run, item, "complete", { status: "complete", txHash: receipt.transactionHash });
  return receipt;
}

async function send(run: Run, item: TransactionItem): Promise<SentEntry> {
  const { wallet } = run;
  await assertChains(run, item);
  const prepared = prepareTransaction(run, item);
  const { fromBlock, transaction } = await readInTime(run, `preparing step ${item.step.id}`, prepared);
  assertNotAborted(run);
  assertProven(run, item);
  if (wallet.account.type === "local") {
    const signed = { fromBlock, ...(await signTransaction(run, item, transaction, wallet.account)) };
    await report(run, item, "sending", signed);
    assertNotAborted(run);
    return signed;
  }
  // Without a hash, the outcome is unknown: the item stays `sending`, and a later run searches the chain.
  const ask = async () => readHex(await sendThroughWallet(wallet, transaction), "the wallet's answer", 32);
  const txHash = await askWallet(run, [item], { fromBlock, status: "sending" }, ask);
  const sent = { fromBlock, status: "sent" as const, txHash };
  await report(run, item, "confirming", sent);
  return sent;
}

/** Asks a wallet to sign and send. Reported before: after a crash in between, a later run must not ask again. */
export async function askWallet<Answer>(
  run: Run,
  items: readonly TransactionItem[],
  entry: ItemEntry,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  await report(run, items, "sending", entry);
  await recheck(run, items);
  try {
    return await ask();
  } catch (cause) {
    const error = toWalletFailedError(cause, { leavesNothing: false, stepId: items[0]?.step.id ?? "" });
    if (error instanceof WalletFailedError) await report(run, items, "notDone", null);
    throw error;
  }
}

/**
 * Requests a transaction from a wallet that signs and sends itself. Every field is in the request: viem would leave out
 * the chain and let the node fill in the rest.
 */
function sendThroughWallet(wallet: Wallet, transaction: WalletTransaction): Promise<Hex> {
  const { account } = wallet;
  const { chainId, type: _, ...call } = transaction;
  // Other accounts make user operations alone, which viem refuses by name.
  if (account.type !== "json-rpc") return sendTransaction(wallet, { account, chain: null, to: call.to });
  const request = formatTransactionRequest({ ...call, from: account.address } as never);
  const params = [{ ...request, chainId: numberToHex(chainId) }];
  return wallet.request({ method: "eth_sendTransaction", params } as never, { retryCount: 0 });
}

/**
 * Checked before every transaction, because the user may switch the wallet's chain in between. A reader of another chain
 * would wait for a receipt in vain.
 */
export async function assertChains(run: Run, item: Item): Promise<void> {
  const { originChainId: expectedChainId, reader, wallet } = run;
  for (const client of new Set<ChainReader>([wallet, reader])) {
    const subject = client === wallet ? "wallet" : "publicClient";
    const read = getChainId(client).catch(refuser(item, `the ${subject} does not name its chain`));
    const actualChainId = await readInTime(run, `asking the ${subject}`, read);
    if (actualChainId !== expectedChainId) {
      throw new ChainMismatchError({ actualChainId, expectedChainId, subject });
    }
  }
}

/** Unlimited allowance of tokens that store 96 bits. */
const maxUint96 = 2n ** 96n - 1n;

/** Waits until reads show a mined approval: on a node that lags behind the receipt, the next step would revert. */
async function waitForAllowance(run: Run, item: TransactionItem, approval: Approval): Promise<void> {
  const { amount, spender } = approval;
  const { address } = run.wallet.account;
  const { to: token } = item.data;
  const nonce = findItem(run.state, item)?.nonce ?? Number.POSITIVE_INFINITY;
  const needed = amount > maxUint96 ? maxUint96 : amount;
  await poll(run, `waiting for the allowance of ${spender} on ${token}`, async () => {
    const allowance = await readContract(run.reader, {
      abi: erc20Abi,
      address: token,
      args: [address, spender],
      functionName: "allowance",
    });
    if (amount === 0n ? allowance === 0n : allowance >= needed) return true;
    // Another process that resumed the run may have spent it.
    return (await getTransactionCount(run.reader, { address })) > nonce + 1 || undefined;
  });
}
