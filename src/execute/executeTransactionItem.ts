import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  erc20Abi,
  type Hex,
  keccak256,
  type TransactionReceipt,
} from "viem";
import { readContract } from "viem/actions";
import { ChainMismatchError } from "../errors/ChainMismatchError.ts";
import { WalletFailedError } from "../errors/WalletFailedError.ts";
import { findItem, type ItemState } from "./ExecutionState.ts";
import { poll, readInTime } from "./poll.ts";
import { prepareTransaction, signTransaction } from "./prepareTransaction.ts";
import { assertNotAborted, assertProven, type Run, report, type TransactionItem } from "./Run.ts";
import { type Approval, readApproval } from "./stepCall.ts";
import { throwNothingSent, toWalletFailedError } from "./toWalletFailedError.ts";
import { type SentEntry, waitForReceipt } from "./waitForReceipt.ts";

/**
 * Sends a transaction unless already sent, and waits until it is mined and, for an approval, visible.
 *
 * With a key of this process: signs it, reports the signed bytes for the caller to save, and sends them. Whatever a node
 * answers, only the chain decides; the same bytes are sent again, also by a later run. Wallets that send themselves get a
 * request with every field.
 *
 * @throws ChainMismatchError, StepRejectedError, WalletFailedError: nothing was sent. PaymentUnsettledError,
 * TransactionRevertedError, TransactionReplacedError, AbortedError.
 */
export async function executeTransactionItem(run: Run, item: TransactionItem): Promise<TransactionReceipt> {
  const recorded = findItem(run.state, item);
  const sent: SentEntry = hasHash(recorded) ? recorded : await send(run, item);
  // The ledger may have lent the bytes to a run whose caller has not saved them.
  if (sent === recorded && sent.raw !== undefined) await report(run, item, "sending");
  const receipt = await waitForReceipt(run, item, sent);
  const { data, to: token } = item.data;
  const approval = readApproval(data);
  if (approval !== undefined) {
    await report(run, item, "allowance");
    await waitForAllowance(run, approval, token);
  }
  await report(run, item, "complete", { status: "complete", txHash: receipt.transactionHash });
  return receipt;
}

const hasHash = (entry: ItemState | undefined): entry is ItemState & SentEntry => entry?.txHash !== undefined;

async function send(run: Run, item: TransactionItem): Promise<SentEntry> {
  const { wallet } = run;
  const stepId = item.step.id;
  await assertWalletChain(run, stepId);
  const prepared = prepareTransaction(run, item);
  const { fromBlock, transaction } = await readInTime(run, `preparing step ${stepId}`, prepared);
  assertNotAborted(run);
  assertProven(run, item);
  if (wallet.signTransaction !== undefined) {
    const { nonce, raw } = await signTransaction(run, item, transaction);
    const signed = { fromBlock, nonce, raw, status: "signed" as const, txHash: keccak256(raw) };
    await report(run, item, "sending", signed);
    assertNotAborted(run);
    return signed;
  }
  // Recorded before the wallet request: after a crash in between, the transaction must not be sent again.
  await report(run, item, "sending", { fromBlock, status: "sending" });
  if (run.signal?.aborted === true) await report(run, item, "notDone", null);
  assertNotAborted(run);
  let txHash: Hex;
  try {
    txHash = await wallet.sendTransaction(transaction);
  } catch (cause) {
    const error = toWalletFailedError(cause, { leavesNothing: false, stepId });
    if (error instanceof WalletFailedError) await report(run, item, "notDone", null);
    throw error;
  }
  const sent = { fromBlock, status: "sent" as const, txHash };
  await report(run, item, "confirming", sent);
  return sent;
}

/**
 * Checked before every transaction, because the user may switch the wallet's chain in between.
 *
 * @throws ChainMismatchError, WalletFailedError, TimeoutError, AbortedError
 */
export async function assertWalletChain(run: Run, stepId: string): Promise<void> {
  const { originChainId, wallet } = run;
  const read = wallet.getChainId().catch(throwNothingSent(stepId));
  const actualChainId = await readInTime(run, "asking the wallet for its chain", read);
  if (actualChainId === originChainId) return;
  throw new ChainMismatchError({ actualChainId, expectedChainId: originChainId, subject: "wallet" });
}

/** Unlimited allowance of tokens that store 96 bits. */
const maxUint96 = 2n ** 96n - 1n;

/**
 * Waits until reads show a mined approval. Load-balanced nodes lag behind a receipt, and the next step would revert on
 * a lagging one.
 *
 * An approval of zero is visible at an allowance of zero. Returns at once for a token without `allowance`: `approve` of
 * an NFT has the same selector.
 *
 * @throws TimeoutError; AbortedError.
 */
async function waitForAllowance(run: Run, { amount, spender }: Approval, token: Address): Promise<void> {
  const needed = amount > maxUint96 ? maxUint96 : amount;
  const args = [run.wallet.address, spender] as const;
  const call = { abi: erc20Abi, address: token, args, functionName: "allowance" } as const;
  await poll(run, {
    operation: `waiting until the allowance of ${spender} on ${token} is visible`,
    read: async () => {
      try {
        const allowance = await readContract(run.reader, call);
        return (amount === 0n ? allowance === 0n : allowance >= needed) || undefined;
      } catch (error) {
        if (hasNoAllowances(error)) return true;
        throw error;
      }
    },
  });
}

function hasNoAllowances(error: unknown): boolean {
  const isMeant = (inner: unknown) =>
    inner instanceof ContractFunctionRevertedError || inner instanceof ContractFunctionZeroDataError;
  return error instanceof BaseError && error.walk(isMeant) !== null;
}
