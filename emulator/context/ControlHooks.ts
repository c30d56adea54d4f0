import type { ChainHealth } from "./ChainHealth.ts";
import type { EmulatorConfig } from "./EmulatorConfig.ts";
import type { FaultHooks } from "./FaultHooks.ts";

/** What the parts of the emulator ask the control for. */
export type ControlHooks = {
  readonly faults: FaultHooks;
  readonly health: { of(chainId: number): ChainHealth };
  readonly config: { get(): EmulatorConfig };
  /**
   * Has a function called after anything was set that somebody may wait for: the clock above all. Call what it returns to
   * end that.
   */
  onClock(listener: () => void): () => void;
};
