import { healthy } from "./ChainHealth.ts";
import type { ControlHooks } from "./ControlHooks.ts";
import { defaultConfig } from "./EmulatorConfig.ts";
import { noFaults } from "./FaultHooks.ts";

/** Nobody controls anything: for parts that are used by themselves. */
export const noControl: ControlHooks = {
  config: { get: () => defaultConfig },
  faults: noFaults,
  health: { of: () => healthy },
  onClock: () => () => undefined,
};
