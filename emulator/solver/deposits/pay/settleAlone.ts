import { isAboutNode } from "../../../chains/evm/guardIdentity.ts";
import type { Context } from "../../../context/Context.ts";
import type { TransactionRow } from "../../../store/tables.ts";

/**
 * Runs the work of one transaction. A failure is logged and stops no other transaction; an error about the node stops
 * all.
 */
export async function settleAlone<Result>(
  { kind, request_id: requestId }: Pick<TransactionRow, "kind" | "request_id">,
  work: () => Promise<Result>,
  { log }: Pick<Context, "log">,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (cause) {
    if (isAboutNode(cause)) throw cause;
    log({ cause, level: "error", message: `settling a ${kind} failed`, requestId });
    return undefined;
  }
}
