import * as z from "zod";
import type { Context } from "../Context.ts";
import { loadSetting, saveSetting } from "../store/settings.ts";
import type { ControlLog } from "./controlLog.ts";
import { canFire, createFaultHooks } from "./createFaultHooks.ts";
import type { FaultHooks } from "./FaultHooks.ts";
import { type Fault, type FaultInput, faultSchema, faultSpecSchema } from "./faultSpec.ts";

/** Faults on demand. */
export type Faults = {
  /** Adds a fault behind those that are there: the first one that matches is the one that fires. */
  add(spec: FaultInput): Promise<Fault>;
  /** Those that can still fire, in order. */
  list(): readonly Fault[];
  /** @returns Whether there was such a fault. */
  remove(id: string): Promise<boolean>;
  clear(): Promise<void>;
};

/** What the emulator itself does with them. */
export type OpenedFaults = Faults & {
  readonly hooks: FaultHooks;
  /** Reads them again, after something else has changed the database. */
  reload(): Promise<void>;
};

const settingKey = "faults";
const storedSchema = z.object({ faults: z.array(faultSchema), last: z.int() });

/**
 * Opens the faults of a database. They are in memory and written down behind what happens: a fault that fired just before
 * a crash may fire once more.
 */
export async function openFaults({
  controlLog,
  now,
  onChange,
  seed,
  store,
}: Pick<Context, "now" | "store"> & {
  readonly controlLog: ControlLog;
  readonly seed: string;
  /** Told when faults were taken away, or added: somebody may have waited because of one. */
  readonly onChange: () => void;
}): Promise<OpenedFaults> {
  let faults: Fault[] = [];
  let last = 0;
  const reload = async () => {
    const stored = await loadSetting(store, settingKey, storedSchema);
    faults = stored?.faults ?? [];
    last = stored?.last ?? 0;
  };
  let isSaving = false;
  const save = () => {
    // Faults that fire one after the other are written once.
    if (isSaving) return;
    isSaving = true;
    controlLog.enqueue(async () => {
      isSaving = false;
      await saveSetting(store, settingKey, { faults, last });
    });
  };
  const change = async () => {
    save();
    onChange();
    await controlLog.settled();
  };
  await reload();
  return {
    add: async (input) => {
      const spec = faultSpecSchema.parse(input);
      last++;
      const fault: Fault = { fired: 0, id: `fault-${last}`, spec, until: {} };
      faults.push(fault);
      await change();
      return structuredClone(fault);
    },
    clear: async () => {
      faults = [];
      await change();
    },
    hooks: createFaultHooks({
      active: () => faults,
      controlLog,
      now,
      save,
      seed,
      wakeIn: (milliseconds) => {
        setTimeout(onChange, milliseconds).unref();
      },
    }),
    list: () => structuredClone(faults.filter(canFire)),
    reload,
    remove: async (id) => {
      const rest = faults.filter((fault) => fault.id !== id);
      const isKnown = rest.length < faults.length;
      faults = rest;
      if (isKnown) await change();
      return isKnown;
    },
  };
}
