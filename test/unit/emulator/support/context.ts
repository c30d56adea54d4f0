import { type Context, defaultQuoteSettings, noControl } from "../../../../emulator/context/Context.ts";
import type { ApiKeys } from "../../../../emulator/keys/openApiKeys.ts";
import { accounts } from "./liveChain.ts";

/** API keys of an emulator without any. */
const noApiKeys: ApiKeys = {
  create: async () => {
    throw new Error("no key can be created here");
  },
  find: () => undefined,
  forNone: () => undefined,
  list: () => [],
  reload: async () => {},
  revoke: async () => false,
};

/** A context without chains, faults or API keys, whose clocks stand still and whose random values are counted up. */
export function testContext(parts: Pick<Context, "store"> & Partial<Context>): Context {
  let drawn = 0;
  return {
    accounts,
    adminKey: "",
    apiKeys: noApiKeys,
    chains: new Map(),
    control: noControl,
    log: () => undefined,
    now: () => 1_000,
    quoting: defaultQuoteSettings(),
    workTime: parts.now ?? (() => 1_000),
    random32: () => `0x${(++drawn).toString(16).padStart(64, "0")}`,
    ...parts,
  };
}
