import * as z from "zod";
import type { Context } from "../Context.ts";
import { loadSetting, saveSetting } from "../store/settings.ts";
import { type ChainHealth, type HealthChange, healthy } from "./ChainHealth.ts";

/** The condition of the chains, as the service tells of it. */
export type Health = {
  of(chainId: number): ChainHealth;
  /** Changes what is named, and leaves the rest. */
  set(chainId: number, change: HealthChange): Promise<ChainHealth>;
};

export type OpenedHealth = Health & { reload(): Promise<void> };

export const healthChangeSchema = z
  .strictObject({
    blockProductionLagging: z.boolean(),
    disabled: z.boolean(),
    partialDisableLimit: z.int().min(0),
  })
  .partial();

const settingKey = "health";
const storedSchema = z.record(z.string(), healthChangeSchema.required());

/** Opens the conditions of a database: those that were set stay so. */
export async function openHealth({ store }: Pick<Context, "store">): Promise<OpenedHealth> {
  let stored: Record<string, ChainHealth> = {};
  const reload = async () => {
    stored = (await loadSetting(store, settingKey, storedSchema)) ?? {};
  };
  const of = (chainId: number) => stored[chainId] ?? healthy;
  await reload();
  return {
    of,
    reload,
    set: async (chainId, change) => {
      const { blockProductionLagging, disabled, partialDisableLimit } = healthChangeSchema.parse(change);
      const before = of(chainId);
      const after: ChainHealth = {
        blockProductionLagging: blockProductionLagging ?? before.blockProductionLagging,
        disabled: disabled ?? before.disabled,
        partialDisableLimit: partialDisableLimit ?? before.partialDisableLimit,
      };
      stored = { ...stored, [chainId]: after };
      await saveSetting(store, settingKey, stored);
      return of(chainId);
    },
  };
}
