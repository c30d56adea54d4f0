import { type Hex, keccak256, parseTransaction } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import type { ItemState } from "./ExecutionState.ts";
import { isSignedByAccount } from "./findTransaction.ts";
import { type Run, type TransactionItem, toTransactionItem } from "./Run.ts";
import { isSameCall } from "./stepCall.ts";

/**
 * Rejects a saved state whose entries belong to no item, lack what their status promises, or carry bytes of another
 * transaction. Whoever writes a state must neither pay twice with it, nor have another payment sent.
 *
 * @throws InvalidParameterError
 */
export async function checkState(run: Run): Promise<void> {
  for (const entry of run.state.items) {
    const fault = await findFault(run, entry);
    if (fault === undefined) continue;
    const reason = `the entry at step ${entry.stepIndex}, item ${entry.itemIndex} ${fault}`;
    throw new InvalidParameterError({ parameter: "state.items", reason });
  }
}

async function findFault(run: Run, entry: ItemState): Promise<string | undefined> {
  const { batchId, raw, signature, status, txHash } = entry;
  const step = run.steps[entry.stepIndex];
  if (step?.items[entry.itemIndex] === undefined) return "belongs to no item";
  const item = toTransactionItem({ ...entry, step });
  const isSignature = item === undefined;
  const handle = {
    sent: isSignature ? undefined : (txHash ?? batchId),
    signed: isSignature ? signature : raw,
  };
  if ((status === "sent" || status === "signed") && handle[status] === undefined) {
    return `is ${status} and does not say what`;
  }
  if (raw === undefined) return undefined;
  const isOwn = item !== undefined && keccak256(raw) === txHash && (await isSignedByAccount(run, raw));
  return isOwn && isBytesOf(run, item, { ...entry, raw })
    ? undefined
    : "has the bytes of another transaction";
}

/** The bytes are signed, so they can be parsed. */
function isBytesOf(run: Run, item: TransactionItem, entry: ItemState & { raw: Hex }): boolean {
  const { data: input = "0x", nonce = 0, to = null, value = 0n } = parseTransaction(entry.raw);
  return nonce === entry.nonce && isSameCall(run, { input, to, value }, item);
}
