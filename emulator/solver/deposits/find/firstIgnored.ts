import type { Context } from "../../../context/Context.ts";
import { faultSubjectColumns } from "../../../context/FaultHooks.ts";
import type { FoundDeposit } from "./findDeposits.ts";

/** Number of the first block, or slot, with a deposit that a fault hides for a while. */
export async function firstIgnored(
  found: readonly FoundDeposit[],
  { control, store }: Pick<Context, "control" | "store">,
): Promise<bigint | undefined> {
  if (control.faults.isQuiet()) return undefined;
  for (const { block, tag } of found) {
    const request = await store
      .selectFrom("requests")
      .select(faultSubjectColumns)
      .where((where) => where.or([where("id", "=", tag), where("order_id", "=", tag)]))
      .executeTakeFirst();
    if (request !== undefined && (await control.faults.forDeposit(request)) !== undefined)
      return block.number;
  }
  return undefined;
}
