import { healthy } from "../context/ChainHealth.ts";
import type { ControlHooks } from "../context/ControlHooks.ts";
import { defaultConfig } from "../context/EmulatorConfig.ts";
import { noFaults } from "../context/FaultHooks.ts";

/** Hooks without faults and with default settings, for parts used on their own. */
export const noControl: ControlHooks = {
  config: { get: () => defaultConfig },
  faults: noFaults,
  health: { of: () => healthy },
  onClock: () => () => undefined,
};
