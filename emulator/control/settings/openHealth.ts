import * as z from "zod";
import { type ChainHealth, type HealthChange, healthy } from "../../context/ChainHealth.ts";
import type { Context } from "../../context/Context.ts";
import { openSetting } from "../../store/openSetting.ts";

/** Health of the chains, as the API reports it. */
type Health = {
  of(chainId: number): ChainHealth;
  /** Changes the given fields and keeps the others. */
  set(chainId: number, change: HealthChange): Promise<ChainHealth>;
};

export type OpenedHealth = Health & { reload(): Promise<void> };

export const healthChangeSchema = z
  .strictObject({
    blockProductionLagging: z.boolean(),
    disabled: z.boolean(),
    // One ether is more smallest units than a safe integer holds.
    partialDisableLimit: z.number().min(0).refine(Number.isInteger, "not a whole number"),
  })
  .partial();

const storedSchema = z.record(z.string(), healthChangeSchema.required());

/** Opens the chains' health of a database, as it was last set. */
export async function openHealth({ store }: Pick<Context, "store">): Promise<OpenedHealth> {
  const setting = await openSetting({ initial: {}, key: "health", schema: storedSchema, store });
  const of = (chainId: number): ChainHealth => setting.get()[chainId] ?? healthy;
  return {
    of,
    reload: setting.reload,
    set: async (chainId, change) => {
      const { blockProductionLagging, disabled, partialDisableLimit } = healthChangeSchema.parse(change);
      await setting.change((stored) => {
        const before = stored[chainId] ?? healthy;
        const after: ChainHealth = {
          blockProductionLagging: blockProductionLagging ?? before.blockProductionLagging,
          disabled: disabled ?? before.disabled,
          partialDisableLimit: partialDisableLimit ?? before.partialDisableLimit,
        };
        return { ...stored, [chainId]: after };
      });
      return of(chainId);
    },
  };
}
