import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Context } from "../../context/Context.ts";
import { type ConfigChange, defaultConfig, type EmulatorConfig } from "../../context/EmulatorConfig.ts";
import { dollarsSchema } from "../../money/priceHistory.ts";
import { openSetting } from "../../store/openSetting.ts";

export const configChangeSchema = z
  .strictObject({
    advancePerKey: dollarsSchema,
    advancePerRequest: dollarsSchema,
    allowRemoteWebhooks: z.boolean(),
    capacityPerRequest: dollarsSchema,
    lenient: z.boolean(),
    rateLimits: z.boolean(),
    reorgs: z.boolean(),
    requestsV2Sunset: z.union([z.literal("never"), z.iso.datetime()]),
    routerVersion: z.enum(["v3", "v2.1"]),
  })
  .partial();

export type Config = {
  get(): EmulatorConfig;
  /** Changes the given fields and keeps the others. */
  set(change: ConfigChange): Promise<EmulatorConfig>;
};

export type OpenedConfig = Config & { reload(): Promise<void> };

/** Fields that were set, with a unique token in `times` for the last change of each. */
const storedSchema = configChangeSchema.extend({ times: z.record(z.string(), z.string()).default({}) });

/**
 * Opens the configuration of a database, shared by all its processes.
 *
 * @param given Configuration of this start. In this process it overrides earlier changes; later changes override it.
 */
export async function openConfig({
  given,
  onChange,
  store,
}: Pick<Context, "store"> & {
  readonly given: ConfigChange;
  readonly onChange: (config: EmulatorConfig) => Promise<void>;
}): Promise<OpenedConfig> {
  const asked = Object.entries(configChangeSchema.parse(withoutUndefined(given)));
  const setting = await openSetting({ initial: { times: {} }, key: "config", schema: storedSchema, store });
  const { times: atStart } = setting.get();
  const read = (): EmulatorConfig => {
    const { times, ...set } = setting.get();
    const standing = asked.filter(([key]) => times[key] === undefined || times[key] === atStart[key]);
    return merge(defaultConfig, set, Object.fromEntries(standing));
  };
  let config = read();
  const renew = async () => {
    config = read();
    await onChange(config);
    return config;
  };
  await onChange(config);
  return {
    get: () => config,
    reload: async () => {
      await setting.reload();
      await renew();
    },
    set: async (change) => {
      const parsed = withoutUndefined(configChangeSchema.parse(change));
      const time = randomUUID();
      const times = Object.fromEntries(Object.keys(parsed).map((key) => [key, time]));
      await setting.change((stored) => ({ ...stored, ...parsed, times: { ...stored.times, ...times } }));
      return renew();
    },
  };
}

function merge(base: EmulatorConfig, ...changes: readonly object[]): EmulatorConfig {
  return Object.assign({}, base, ...changes.map(withoutUndefined));
}

function withoutUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
}
