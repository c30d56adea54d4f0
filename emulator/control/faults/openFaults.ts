import * as z from "zod";
import type { Context } from "../../context/Context.ts";
import type { Answer, DeliveryFault, FaultHooks, FaultSubject } from "../../context/FaultHooks.ts";
import { openSetting } from "../../store/openSetting.ts";
import type { StoreTransaction } from "../../store/tables.ts";
import type { ControlLog } from "../settings/controlLog.ts";
import {
  canFire,
  type Decide,
  type Hit,
  type HoldingKind,
  holding,
  matchesBroke,
  matchesDelivery,
  matchesQuote,
  matchesRequest,
  matchesRoute,
  striking,
} from "./decideFault.ts";
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

/** Requests with this referrer are refunded instead of filled, as on the service's testnets. */
const forcedRefundReferrer = "debug-force-refund";

const deliveryFaults = {
  "delivery-dropped": "drop",
  "delivery-duplicated": "duplicate",
  "delivery-reordered": "reorder",
} as const satisfies Partial<Record<FaultKind, DeliveryFault>>;

type Asking = Pick<Context, "now"> & {
  /** Lets the faults decide. A fault that fires is recorded before the answer is returned. */
  readonly ask: <Kind extends FaultKind>(
    decide: Decide<Kind>,
    transaction?: StoreTransaction,
  ) => Promise<Hit<Kind> | undefined>;
  readonly isQuiet: () => boolean;
  /** Seed of random faults. */
  readonly seed: string;
};

/** Creates the hooks by which the parts of the emulator look up active faults. */
function createFaultHooks({ ask, isQuiet, now, seed }: Asking): FaultHooks {
  let calls = 0;
  let quotes = 0;
  /** Answers synchronously that there is no fault where there is none at all. */
  const unlessQuiet =
    <Subject extends unknown[], Fault>(find: (...subject: Subject) => Promise<Fault | undefined>) =>
    (...subject: Subject): Answer<Fault> =>
      isQuiet() ? undefined : find(...subject);
  const until = (kind: HoldingKind) =>
    unlessQuiet(
      async (subject: FaultSubject, transaction?: StoreTransaction) =>
        (await ask(holding(kind, subject, now(), seed), transaction))?.until,
    );
  const untilFilled = until("fill-slow");
  return {
    forConfirmation: until("fill-unconfirmed"),
    forDelivery: unlessQuiet(async (delivery, transaction) => {
      const { channel, requestId, status } = delivery;
      const key = `${requestId}/${channel}/${status}`;
      const kinds = Object.keys(deliveryFaults) as (keyof typeof deliveryFaults)[];
      const occasion = { data: { channel, status }, key, requestId };
      const hit = await ask(
        striking(kinds, occasion, (spec) => matchesDelivery(spec, delivery), seed),
        transaction,
      );
      return hit && deliveryFaults[hit.spec.kind];
    }),
    forDeposit: until("deposit-ignored"),
    forFailure: until("transient-failure"),
    forFill: async (subject) => {
      if (subject.referrer === forcedRefundReferrer) {
        return { details: `The referrer is ${forcedRefundReferrer}`, failReason: "MANUAL_ADMIN_REFUND" };
      }
      if (isQuiet()) return undefined;
      const time = await untilFilled(subject);
      if (time !== undefined) return { until: time };
      const occasion = { key: subject.id, requestId: subject.id };
      const hit = await ask(
        striking(
          ["fill-fails", "solver-broke"],
          occasion,
          (spec) =>
            spec.kind === "fill-fails" ? matchesRequest(spec, subject) : matchesBroke(spec, subject),
          seed,
        ),
      );
      if (hit === undefined) return undefined;
      const { spec } = hit;
      return spec.kind === "solver-broke"
        ? { details: "The solver does not hold the output", failReason: "SOLVER_BALANCE_TOO_LOW" }
        : { details: spec.details ?? `Forced: ${spec.failReason}`, failReason: spec.failReason };
    },
    forQuote: unlessQuiet(async (subject) => {
      const { destinationChainId, originChainId, user } = subject;
      const occasion = { data: { destinationChainId, originChainId, user }, key: `quote ${quotes++}` };
      const hit = await ask(
        striking(["quote-refused"], occasion, (spec) => matchesQuote(spec, subject), seed),
      );
      if (hit === undefined) return undefined;
      const { errorCode, errorData, message = `Forced: ${errorCode}` } = hit.spec;
      return { errorCode, errorData, message };
    }),
    forRefund: unlessQuiet(async (subject) => {
      const occasion = { key: subject.id, requestId: subject.id };
      const hit = await ask(
        striking(["refund-rejected"], occasion, (spec) => matchesRequest(spec, subject), seed),
      );
      return hit && { details: hit.spec.details, refundFailReason: hit.spec.refundFailReason };
    }),
    forRoute: unlessQuiet(async (method, path) => {
      const occasion = { data: { method, path }, key: `call ${calls++}` };
      const kinds = ["route-limited", "route-broken", "route-slow"] as const;
      const hit = await ask(striking(kinds, occasion, (spec) => matchesRoute(spec, method, path), seed));
      if (hit === undefined) return undefined;
      const { spec } = hit;
      if (spec.kind === "route-limited") return { delayMs: 0, status: 429 };
      return { delayMs: spec.delayMs, status: spec.kind === "route-broken" ? spec.status : undefined };
    }),
    forSignedDeposit: until("signed-deposit-slow"),
    isQuiet,
  };
}
