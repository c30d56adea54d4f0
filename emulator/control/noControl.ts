import { healthy } from "../context/ChainHealth.ts";
import type { ControlHooks } from "../context/ControlHooks.ts";
import { defaultConfig } from "../context/EmulatorConfig.ts";
import { noFaults } from "../context/FaultHooks.ts";

/** Nobody controls anything: for parts that are used by themselves. */
export const noControl: ControlHooks = {
  config: { get: () => defaultConfig },
  faults: noFaults,
  health: { of: () => healthy },
  onClock: () => () => undefined,
};
