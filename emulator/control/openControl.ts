import { randomUUID } from "node:crypto";
import type { Chain } from "../chains/Chain.ts";
import type { Context, ControlHooks } from "../context/Context.ts";
import type { ConfigChange } from "../context/EmulatorConfig.ts";
import { loadSecret } from "../keys/secrets.ts";
import { settingsChannel } from "../store/dialect/presence.ts";
import { tellOthers } from "../store/openSetting.ts";
import type { OpenedStore } from "../store/openStore.ts";
import type { Control } from "./Control.ts";
import { type ControlledParts, createControl } from "./createControl.ts";
import { openFaults } from "./faults/openFaults.ts";
import { openPrices } from "./prices/openPrices.ts";
import { openControlLog } from "./settings/controlLog.ts";
import { openClock } from "./settings/openClock.ts";
import { openConfig } from "./settings/openConfig.ts";
import { openHealth } from "./settings/openHealth.ts";
import type { Random } from "./settings/openRandom.ts";
import { type OpenedState, openState } from "./state/openState.ts";

type OpenControlParameters = Pick<Context, "log" | "store"> &
  Pick<OpenedStore, "onSettingsChanged"> & {
    /** The underlying clock, in Unix milliseconds. */
    readonly base: () => number;
    /** Start of the emulator's clock in Unix milliseconds. @default the underlying clock */
    readonly start?: number | undefined;
    readonly random: Random;
    /** Seed of random faults. @default a secret of the database */
    readonly seed?: string | undefined;
    /** Configuration given at the start. */
    readonly config: ConfigChange;
  };

/** The opened settings, before the parts that they control have started. */
export type OpenedControl = {
  readonly hooks: ControlHooks;
  readonly now: () => number;
  /** Current time of a set clock, in Unix milliseconds; `undefined` if it follows the underlying clock. */
  readonly startAt: number | undefined;
  /** Whether this start set the clock. Then no chain may be ahead of it. */
  readonly isNewStart: boolean;
  /** Returns the chain with current prices on its currencies. */
  priced<C extends Pick<Chain, "currencies">>(chain: C): C;
  /** Connects the running parts and brings the chains to the clock's time. */
  attach(parts: ControlledParts): Promise<Control>;
  /** Writes pending log entries and disconnects. */
  close(): Promise<void>;
};

/** Opens all settings of a database, as the previous run left them. */
export async function openControl(parameters: OpenControlParameters): Promise<OpenedControl> {
  const { base, log, random, store } = parameters;
  const seed = parameters.seed ?? (await loadSecret(store, "chance", randomUUID));
  const listeners = new Set<() => void>();
  const { start } = parameters;
  const clock = await openClock(base, { start, store });
  const controlLog = openControlLog({ log, now: clock.now, store });
  const health = await openHealth({ store });
  const prices = await openPrices({ now: clock.now, store });
  let state: OpenedState | undefined;
  let wake = () => {};
  let apply: ControlledParts["apply"] = () => {};
  let letGo = () => {};
  const config = await openConfig({
    given: parameters.config,
    onChange: async (changed) => {
      apply(changed);
      await state?.keepBlocks(changed.reorgs);
    },
    store,
  });
  const faults = await openFaults({ controlLog, log, now: clock.now, onChange: () => wake(), seed, store });
  const tell = async <Reading extends object>(kind: string, change: Promise<Reading>): Promise<Reading> => {
    const reading = await change;
    controlLog.write({ data: Object.fromEntries(Object.entries(reading)), kind });
    for (const listener of listeners) listener();
    wake();
    return reading;
  };
  let rereadKeys = async () => {};
  /** Reloads settings that another process or a restore has changed, and notifies the parts. */
  const reread = async () => {
    await rereadKeys();
    for (const part of [clock, config, faults, health, prices]) await part.reload();
    for (const listener of listeners) listener();
    wake();
  };
  parameters.onSettingsChanged((isOwn) => {
    // Own changes are loaded already, except faults that fired inside a caller's transaction.
    const reading = isOwn ? faults.reload() : reread();
    reading.catch((cause: unknown) =>
      log({ cause, level: "error", message: "the settings could not be reloaded" }),
    );
  });
  return {
    attach: async (parts) => {
      const { apiKeys, chains, exchange, hold } = parts;
      ({ apply, wake } = parts);
      rereadKeys = apiKeys.reload;
      apply(config.get());
      letGo = clock.follow(chains.values());
      if (clock.isSet()) await clock.align(chains.values());
      const opened = await openState({
        chains,
        clock,
        controlLog,
        exchange,
        hold,
        random,
        reload: async () => {
          await reread();
          await tellOthers(store, settingsChannel);
        },
        store,
      });
      state = opened;
      await opened.keepBlocks(config.get().reorgs);
      return createControl(
        { clock, config, controlLog, faults, health, prices, state: opened, store, tell },
        parts,
      );
    },
    close: async () => {
      letGo();
      await state?.keepBlocks(false);
      await controlLog.settled();
    },
    hooks: {
      config,
      faults: faults.hooks,
      health,
      onClock: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    isNewStart: clock.isNewStart,
    now: clock.now,
    startAt: clock.isSet() ? clock.now() : undefined,
    priced: prices.priced,
  };
}
