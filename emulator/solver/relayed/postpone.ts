import type { Context } from "../../context/Context.ts";
import type { RelayedDepositRow } from "../../store/tables.ts";
import { postponed, postponedUntil } from "../postponed.ts";

/** Postpones a deposit whose state is still the same. */
export async function postpone(
  row: RelayedDepositRow,
  context: Pick<Context, "now" | "store" | "workTime">,
  until?: number,
): Promise<void> {
  await context.store
    .updateTable("relayed_deposits")
    .set(until === undefined ? postponed(row, context.workTime()) : postponedUntil(until, context))
    .where("request_id", "=", row.request_id)
    .where("state", "=", row.state)
    .execute();
}
