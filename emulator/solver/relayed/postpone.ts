import type { Context } from "../../context/Context.ts";
import type { RelayedDepositRow } from "../../store/tables.ts";
import { postponed } from "../work/postponed.ts";

/**
 * Postpones a deposit whose state is still the same.
 *
 * @param until Latest time of the next attempt.
 */
export async function postpone(
  row: RelayedDepositRow,
  { now, store }: Pick<Context, "now" | "store">,
  until = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { attempts, not_before } = postponed(row, now());
  await store
    .updateTable("relayed_deposits")
    .set({ attempts, not_before: Math.min(not_before, until) })
    .where("request_id", "=", row.request_id)
    .where("state", "=", row.state)
    .execute();
}
