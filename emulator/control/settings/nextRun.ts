import * as z from "zod";
import { openSetting } from "../../store/openSetting.ts";
import type { Store } from "../../store/openStore.ts";

/**
 * Counts the starts over a database, so that ids that follow from a seed do not come again, whichever process starts; 0 for
 * the first.
 */
export async function nextRun(store: Store): Promise<number> {
  const runs = await openSetting({ initial: 0, key: "runs", schema: z.int(), store });
  return (await runs.change((run) => run + 1)) - 1;
}
