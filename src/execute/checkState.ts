import { keccak256, parseTransaction } from "viem";
import { assertValid } from "../internal/readParts.ts";
import { findItem, type ItemState, isAt } from "./ExecutionState.ts";
import { isSigned } from "./findTransaction.ts";
import { isTransaction, type Run } from "./Run.ts";
import { isSameCall, readApproval } from "./stepCall.ts";

/**
 * Rejects a saved state whose entries belong to no item, lack what their status promises, or carry bytes of another
 * transaction. An attacker who edits a state must neither cause a second payment nor send another transaction.
 */
export async function checkState(run: Run): Promise<void> {
  for (const entry of run.state.items) {
    const fault = await findFault(run, entry);
    const reason = `the entry at step ${entry.stepIndex}, item ${entry.itemIndex} ${fault}`;
    assertValid(fault === undefined, "state.items", reason);
  }
}

async function findFault(run: Run, entry: ItemState): Promise<string | undefined> {
  const { batchId, nonce, raw, signature, status, txHash } = entry;
  const item = run.items.find((each) => isAt(each, entry));
  if (item === undefined || findItem(run.state, entry) !== entry) return "belongs to no item of its own";
  const [sent, signed] = isTransaction(item) ? [txHash ?? batchId, raw] : [undefined, signature];
  // A payment that is complete without a trace would be a success that was never paid.
  const isPaid = status === "complete" && isTransaction(item) && readApproval(item.data) === undefined;
  const isSent = status === "sent" || isPaid;
  const isOpen = (isSent && sent === undefined) || (status === "signed" && signed === undefined);
  if (isOpen) return `is ${status} and does not say what`;
  if (raw === undefined) return undefined;
  const other = "has the bytes of another transaction";
  if (!isTransaction(item) || keccak256(raw) !== txHash || !(await isSigned(run, raw))) return other;
  const { data: input = "0x", to = null, value = 0n, ...parsed } = parseTransaction(raw);
  return (parsed.nonce ?? 0) === nonce && isSameCall(run, { input, to, value }, item) ? undefined : other;
}
