import type { RecordTransaction } from "../schema/record/recordTransaction.ts";
import type { RequestRecord } from "../schema/record/requestV3.ts";
import type { StatusUpdate } from "./reduceStatus.ts";

/** Converts a request record of version 3 to a status report for `reduceStatus`. */
export function toStatusUpdate({ data, status, updatedAt }: RequestRecord): StatusUpdate {
  const { failReason, inTxs = [], outTxs = [], refundFailReason } = data ?? {};
  const time = Date.parse(updatedAt ?? "");
  return {
    destinationChainId: outTxs[0]?.chainId,
    failReason,
    inTxHashes: hashesOf(inTxs),
    originChainId: inTxs[0]?.chainId,
    refundFailReason,
    status,
    txHashes: hashesOf(outTxs),
    updatedAt: Number.isNaN(time) ? undefined : time,
  };
}

function hashesOf(transactions: readonly RecordTransaction[]): string[] {
  return transactions.flatMap(({ txHash }) => txHash ?? []);
}
