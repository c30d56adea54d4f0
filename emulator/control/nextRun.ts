import * as z from "zod";
import type { Store } from "../store/openStore.ts";
import { loadSetting, saveSetting } from "../store/settings.ts";

const settingKey = "runs";

/** Counts the starts over a database, so that ids that follow from a seed do not come again; 0 for the first. */
export async function nextRun(store: Store): Promise<number> {
  const run = (await loadSetting(store, settingKey, z.int())) ?? 0;
  await saveSetting(store, settingKey, run + 1);
  return run;
}
