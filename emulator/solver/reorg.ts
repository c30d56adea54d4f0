import type { Transaction } from "kysely";
import type { Context } from "../Context.ts";
import type { DepositRow, RequestRow, Tables } from "../store/tables.ts";
import type { Judgement } from "./judgeDeposit.ts";

/**
 * What becomes of a deposit whose transaction is not on its chain any more: nothing that has not been signed for it yet
 * is. Called in the transaction in which the search goes back, once for each.
 */
export async function depositVanished(
  transaction: Transaction<Tables>,
  deposit: DepositRow,
  { log }: Context,
): Promise<void> {
  await transaction
    .updateTable("deposits")
    .set({ outcome: "vanished", reason: "DEPOSIT_REORGED", tx_status: "failure" })
    .where("id", "=", deposit.id)
    .execute();
  log({
    level: "info",
    message: `a deposit vanished from chain ${deposit.chain_id}: ${deposit.tx_hash}`,
    requestId: deposit.request_id ?? undefined,
  });
}

/** What a deposit that is back counts for. */
export type Restored = {
  readonly judgement: Judgement;
  /** Whether the request still waits for its deposit, so that this one starts it. */
  readonly isFirst: boolean;
};

/**
 * What becomes of a deposit that had vanished and is on its chain again, in the transaction in which it was found. It
 * counts for what it did before, unless another one paid for the request meanwhile or the request has ended without it.
 */
export async function depositReturned(
  transaction: Transaction<Tables>,
  deposit: DepositRow,
  request: Pick<RequestRow, "id" | "status">,
  judge: (isPaid: boolean) => Judgement,
  { log }: Context,
): Promise<Restored> {
  log({
    level: "info",
    message: `a deposit is back on chain ${deposit.chain_id}: ${deposit.tx_hash}`,
    requestId: request.id,
  });
  const { status } = request;
  if (status === "waiting" || status === "depositing") return { isFirst: true, judgement: judge(false) };
  const other = await transaction
    .selectFrom("deposits")
    .select("id")
    .where("request_id", "=", request.id)
    .where("id", "!=", deposit.id)
    .where("outcome", "!=", "vanished")
    .executeTakeFirst();
  const hasEnded = status === "failure" || status === "refund";
  return { isFirst: false, judgement: judge(hasEnded || other !== undefined) };
}
