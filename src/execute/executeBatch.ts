import { type Hex, numberToHex } from "viem";
import { BaseError } from "../errors/BaseError.ts";
import { ChainMismatchError } from "../errors/ChainMismatchError.ts";
import { PaymentUnsettledError } from "../errors/PaymentUnsettledError.ts";
import { TransactionRevertedError } from "../errors/TransactionRevertedError.ts";
import { WalletFailedError } from "../errors/WalletFailedError.ts";
import { bytes32Schema } from "../schema/wire/hex.ts";
import { findItem } from "./ExecutionState.ts";
import { askWallet, assertChains } from "./executeTransactionItem.ts";
import { poll, readInTime } from "./poll.ts";
import {
  assertProven,
  type Item,
  isTransaction,
  listOpenItems,
  type OriginReceipt,
  type Run,
  report,
} from "./Run.ts";
import { callOf, readApproval } from "./stepCall.ts";

/** Time limit for a wallet to report its capabilities, in milliseconds. Some wallets never answer an unknown method. */
const capabilitiesTimeout = 5_000;

type Capabilities = Record<string, { atomic?: { status?: unknown } }>;

/**
 * Sends approvals and the following transaction as one batch, and waits until it is mined.
 *
 * @returns `undefined` when nothing was sent: no approval comes first, another item stands between or has started, or the
 * wallet lacks support or rejects the batch, and the user does not.
 */
export async function executeBatch(run: Run, start: Item): Promise<readonly OriginReceipt[] | undefined> {
  const open = listOpenItems(run);
  const isApproval = (item: Item) => isTransaction(item) && readApproval(item.data) !== undefined;
  const batch = open.slice(0, open.findIndex((item) => !isApproval(item)) + 1);
  const isStarted = batch.some((item) => findItem(run.state, item) !== undefined);
  const isBatch = batch.length > 1 && !isStarted && batch.every(isTransaction);
  if (!run.mayBatch || !isBatch || !(await isOffered(run))) return undefined;
  const { client, originChainId, state, wallet } = run;
  // Generated here, so that a later run can look up the batch even without the wallet's response.
  const batchId = `${state.requestId}${Math.trunc(client.now()).toString(16).padStart(16, "0")}`;
  const calls = batch.map(({ data }) => ({ ...callOf(data), value: numberToHex(callOf(data).value) }));
  for (const item of batch) assertProven(run, item);
  await assertChains(run, start);
  const [chainId, from] = [numberToHex(originChainId), wallet.account.address];
  const params = { atomicRequired: true, calls, chainId, from, id: batchId, version: "2.0.0" };
  const ask = async () => {
    const answer = await wallet.request({ method: "wallet_sendCalls", params: [params] }, { retryCount: 0 });
    return String(answer?.id ?? batchId);
  };
  const asked = askWallet(run, batch, { batchId, status: "sending" }, ask);
  const id = await asked.catch((error: unknown) => {
    if (!(error instanceof WalletFailedError) || error.userRejected) throw error;
    run.mayBatch = false;
  });
  if (id === undefined) return undefined;
  await report(run, batch, "confirming", { batchId: id, status: "sent" });
  return followBatch(run, id);
}

/**
 * Whether the wallet executes batches atomically on the origin chain (EIP-5792, capability `atomic`). `ready` does not
 * count: it would first upgrade the account to a contract.
 */
async function isOffered(run: Run): Promise<boolean> {
  const chain = numberToHex(run.originChainId);
  const params: [Hex, [Hex]] = [run.wallet.account.address, [chain]];
  try {
    const asked = run.wallet.request({ method: "wallet_getCapabilities", params }, { retryCount: 0 });
    const limits = { ...run, timeout: capabilitiesTimeout };
    const all = (await readInTime(limits, "asking the wallet", asked)) as Capabilities;
    // Zero means every chain.
    return (all[chain]?.atomic ?? all["0x0"]?.atomic)?.status === "supported";
  } catch {
    return false;
  }
}

/** Waits until a batch is mined. */
export async function followBatch(run: Run, batchId: string): Promise<readonly OriginReceipt[]> {
  const batch = run.items.filter((item) => findItem(run.state, item)?.batchId === batchId);
  const stepId = batch[0]?.step.id ?? "";
  const { originChainId: expectedChainId } = run;
  const read = async () => {
    const answer = await readBatch(run, batchId);
    return answer.status >= 200 ? answer : undefined;
  };
  const operation = `waiting for batch ${batchId}`;
  const { actualChainId, receipts, status } = await poll(run, operation, read, { stepId });
  if (actualChainId !== expectedChainId) {
    const cause = new ChainMismatchError({ actualChainId, expectedChainId, subject: "wallet" });
    throw new PaymentUnsettledError({ cause, stepId });
  }
  const last = receipts.at(-1);
  const reverted = receipts.find((each) => each.status === "reverted") ?? (status < 400 ? undefined : last);
  if (reverted !== undefined) {
    const { blockNumber, transactionHash: hash } = reverted;
    throw new TransactionRevertedError({ blockNumber, chainId: expectedChainId, hash, stepId });
  }
  if (status >= 300) {
    const cause = new BaseError(`Batch ${batchId} has status ${status}.`);
    if (status < 400 || status >= 500) throw new PaymentUnsettledError({ cause, stepId });
    // A status of 400 to 499 means that it will never be mined.
    await report(run, batch, "notDone", null);
    throw new WalletFailedError({ cause, stepId, userRejected: false });
  }
  const { data: txHash } = bytes32Schema.safeParse(last?.transactionHash);
  await report(run, batch, "complete", { batchId, status: "complete", txHash });
  return receipts;
}

/** Reads a batch; fails when the wallet never received it. */
export async function readBatch({ originChainId, wallet }: Run, batchId: string) {
  const answer = await wallet.request({ method: "wallet_getCallsStatus", params: [batchId] });
  const receipts = (answer.receipts ?? []).map(
    ({ blockNumber, gasUsed, status, transactionHash }): OriginReceipt => ({
      blockNumber: BigInt(blockNumber),
      gasUsed: BigInt(gasUsed),
      status: BigInt(status) === 1n ? "success" : "reverted",
      transactionHash,
    }),
  );
  return { actualChainId: Number(answer.chainId ?? originChainId), receipts, status: Number(answer.status) };
}
