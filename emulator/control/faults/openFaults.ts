import * as z from "zod";
import type { Context } from "../../context/Context.ts";
import type { FaultHooks } from "../../context/FaultHooks.ts";
import { openSetting } from "../../store/openSetting.ts";
import type { StoreTransaction } from "../../store/tables.ts";
import type { ControlLog } from "../settings/controlLog.ts";
import { createFaultHooks } from "./createFaultHooks.ts";
import { canFire, type Decide, type Hit } from "./decideFault.ts";
import { type Fault, type FaultInput, type FaultKind, faultSchema, faultSpecSchema } from "./faultSpec.ts";

/** Faults injected on demand. */
export type Faults = {
  /** Adds a fault after the existing ones. The first matching fault fires. */
  add(spec: FaultInput): Promise<Fault>;
  /** Lists faults that can still fire, in order. */
  list(): readonly Fault[];
  /** Removes a fault. @returns Whether it existed. */
  remove(id: string): Promise<boolean>;
  clear(): Promise<void>;
};

/** Faults with the hooks for the emulator's parts. */
export type OpenedFaults = Faults & {
  readonly hooks: FaultHooks;
  /** Reloads the faults after a change of the database by others. */
  reload(): Promise<void>;
};

const storedSchema = z.object({ faults: z.array(faultSchema), last: z.int() });

/**
 * Opens the faults of a database. Each process caches them and queries the database only if a cached fault matches. That
 * transaction serializes processes, so a fault fires exactly as often as its `count` allows. A fault that fired just before a
 * crash counts as fired, even if its effect was lost.
 */
export async function openFaults({
  controlLog,
  log,
  now,
  onChange,
  seed,
  store,
}: Pick<Context, "log" | "now" | "store"> & {
  readonly controlLog: ControlLog;
  readonly seed: string;
  /** Called after faults were added or removed, because a request may wait for one. */
  readonly onChange: () => void;
}): Promise<OpenedFaults> {
  const setting = await openSetting({
    initial: { faults: [], last: 0 },
    key: "faults",
    schema: storedSchema,
    store,
  });
  const { change, reload } = setting;
  const known = () => setting.get().faults;

  /** Decides by the stored faults and records the one that fires. */
  async function fire<Kind extends FaultKind>(decide: Decide<Kind>, transaction: StoreTransaction) {
    let hit: Hit<Kind> | undefined;
    await setting.changeIn(transaction, (stored) => {
      hit = decide(stored.faults);
      if (hit?.fires === undefined) return stored;
      const { fault, occasion } = hit.fires;
      fault.fired++;
      if (hit.until !== undefined) fault.until[occasion.key] = hit.until;
      return { ...stored, faults: stored.faults.filter((each) => isOfUse(each, now())) };
    });
    if (hit?.fires !== undefined) {
      const { fault, occasion } = hit.fires;
      const { data, key, requestId } = occasion;
      await controlLog.writeIn(transaction, {
        data: { fault: fault.spec.kind, ...data, ...(requestId === undefined && { occasion: key }) },
        faultId: fault.id,
        kind: "fault",
        requestId,
      });
    }
    return hit;
  }
  async function fireNow<Kind extends FaultKind>(decide: Decide<Kind>) {
    const hit = await store.transaction().execute((transaction) => fire(decide, transaction));
    await reload();
    wakeAt(hit?.until);
    return hit;
  }
  async function fireIn<Kind extends FaultKind>(decide: Decide<Kind>, transaction: StoreTransaction) {
    const hit = await fire(decide, transaction);
    // On SQLite this waits for the caller's transaction. PostgreSQL notifies of its commit, which reloads again.
    reload().catch((cause: unknown) =>
      log({ cause, level: "error", message: "the faults could not be reloaded" }),
    );
    wakeAt(hit?.until);
    return hit;
  }
  /** Looks at a delayed request again once its delay ends. */
  function wakeAt(until: number | undefined): void {
    if (until !== undefined) setTimeout(onChange, Math.max(0, until - now())).unref();
  }
  return {
    add: async (input) => {
      const spec = faultSpecSchema.parse(input);
      const { last } = await change((stored) => {
        const number = stored.last + 1;
        const fault: Fault = { fired: 0, id: `fault-${number}`, spec, until: {} };
        return { faults: [...stored.faults, fault], last: number };
      });
      onChange();
      return { fired: 0, id: `fault-${last}`, spec, until: {} };
    },
    clear: async () => {
      await change((stored) => ({ ...stored, faults: [] }));
      onChange();
    },
    hooks: createFaultHooks({
      ask: async (decide, transaction) => {
        const hit = decide(known());
        if (hit?.fires === undefined) return hit;
        return transaction === undefined ? fireNow(decide) : fireIn(decide, transaction);
      },
      isQuiet: () => known().length === 0,
      now,
      seed,
    }),
    list: () => structuredClone(known().filter(canFire)),
    reload,
    remove: async (id) => {
      let isKnown = false;
      await change((stored) => {
        const faults = stored.faults.filter((fault) => fault.id !== id);
        isKnown = faults.length < stored.faults.length;
        return isKnown ? { ...stored, faults } : stored;
      });
      if (isKnown) onChange();
      return isKnown;
    },
  };
}

function isOfUse(fault: Fault, now: number): boolean {
  return canFire(fault) || Object.values(fault.until).some((until) => now < until);
}
