import type { Transaction } from "kysely";
import type { Context } from "../../context/Context.ts";
import type { Tables } from "../../store/tables.ts";
import { lockAdvance } from "../obligations/payBackAdvance.ts";
import { countPartAgain } from "./countPartAgain.ts";
import { recallPartRefunds } from "./recallPartRefunds.ts";

/** Most deposits of one query. */
const idsAtOnce = 500;

/**
 * Counts refunded deposits that are on their chain again toward their advances, as far as these are owed, in the caller's
 * transaction. Their refunds were cancelled, and the fill of the advance was mined or may be: a refund would wait for it without
 * end.
 */
export async function countReturnedParts(
  transaction: Transaction<Tables>,
  deposits: readonly { readonly id: string }[],
  context: Context,
): Promise<void> {
  for (let from = 0; from < deposits.length; from += idsAtOnce) {
    const ids = deposits.slice(from, from + idsAtOnce).map(({ id }) => id);
    const parts = await transaction
      .selectFrom("deposits")
      .select(["covers", "request_id"])
      .where("id", "in", ids)
      .where("covers", "is not", null)
      .where("source", "=", "payment")
      .where("todo", "=", "refund")
      .execute();
    for (const part of parts) {
      const advance = part.covers === null ? undefined : await lockAdvance(transaction, part.covers);
      if (advance?.outcome !== "accepted" || advance.request_id === null) continue;
      const { id, request_id } = advance;
      const isOwn = part.request_id === request_id;
      await (isOwn ? countPartAgain : recallPartRefunds)(transaction, { id, request_id }, context);
    }
  }
}
