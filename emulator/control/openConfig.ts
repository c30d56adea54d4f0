import * as z from "zod";
import type { Context } from "../Context.ts";
import { loadSetting, saveSetting } from "../store/settings.ts";
import { type ConfigChange, defaultConfig, type EmulatorConfig } from "./EmulatorConfig.ts";
import { dollarsSchema } from "./openPrices.ts";

export const configChangeSchema = z
  .strictObject({
    allowRemoteWebhooks: z.boolean(),
    capacityPerRequest: dollarsSchema,
    rateLimits: z.boolean(),
    reorgs: z.boolean(),
    routerVersion: z.enum(["v3", "v2.1"]),
  })
  .partial();

export type Config = {
  get(): EmulatorConfig;
  /** Changes what is named, and leaves the rest. */
  set(change: ConfigChange): Promise<EmulatorConfig>;
};

export type OpenedConfig = Config & { reload(): Promise<void> };

const settingKey = "config";

/**
 * Opens the configuration of a database: what was set stays so.
 *
 * @param given What the start asks for: it comes before what was set earlier.
 */
export async function openConfig({
  given,
  onChange,
  store,
}: Pick<Context, "store"> & {
  readonly given: ConfigChange;
  readonly onChange: (config: EmulatorConfig) => Promise<void>;
}): Promise<OpenedConfig> {
  const asked = configChangeSchema.parse(withoutUndefined(given));
  const read = async () =>
    merge(defaultConfig, (await loadSetting(store, settingKey, configChangeSchema)) ?? {}, asked);
  let config = await read();
  const set: Config["set"] = async (change) => {
    config = merge(config, configChangeSchema.parse(change));
    await saveSetting(store, settingKey, config);
    await onChange(config);
    return config;
  };
  await onChange(config);
  return {
    get: () => config,
    reload: async () => {
      config = await read();
      await onChange(config);
    },
    set,
  };
}

function merge(base: EmulatorConfig, ...changes: readonly object[]): EmulatorConfig {
  return Object.assign({}, base, ...changes.map(withoutUndefined));
}

function withoutUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
}
