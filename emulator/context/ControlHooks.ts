import type { ChainHealth } from "./ChainHealth.ts";
import type { EmulatorConfig } from "./EmulatorConfig.ts";
import type { FaultHooks } from "./FaultHooks.ts";

/** Hooks by which the parts of the emulator read the control's settings. */
export type ControlHooks = {
  readonly faults: FaultHooks;
  readonly health: { of(chainId: number): ChainHealth };
  readonly config: { get(): EmulatorConfig };
  /**
   * Calls a function after each change of the settings, above all of the clock.
   *
   * @returns A function that removes the listener.
   */
  onClock(listener: () => void): () => void;
};
