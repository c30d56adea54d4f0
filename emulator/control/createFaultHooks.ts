import type { ControlLog } from "./controlLog.ts";
import type { DeliveryFault, FaultHooks, FaultSubject } from "./FaultHooks.ts";
import type { Fault, FaultKind } from "./faultSpec.ts";
import {
  isByChance,
  matchesBroke,
  matchesDelivery,
  matchesRequest,
  matchesRoute,
  type SpecOf,
} from "./matchFault.ts";

/** Requests with this referrer are refunded instead of filled, as the service's testnets do. */
export const forcedRefundReferrer = "debug-force-refund";

const deliveryFaults = {
  "delivery-dropped": "drop",
  "delivery-duplicated": "duplicate",
  "delivery-reordered": "reorder",
} as const satisfies Partial<Record<FaultKind, DeliveryFault>>;

/** An occasion on which a fault may fire. */
type Occasion = {
  /** What tells it from others: the request where there is one. */
  readonly key: string;
  readonly requestId?: string | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
};

/** Whether a fault is not used up. */
export function canFire({ fired, spec }: Fault): boolean {
  return spec.count === "always" || fired < spec.count;
}

/** What the parts of the emulator ask, over the faults that are active. */
export function createFaultHooks({
  active,
  controlLog,
  now,
  save,
  seed,
  wakeIn,
}: {
  readonly active: () => readonly Fault[];
  readonly controlLog: Pick<ControlLog, "write">;
  readonly now: () => number;
  /** Has the faults written down as they are now. */
  readonly save: () => void;
  /** Decides what happens by chance. */
  readonly seed: string;
  /** Has whoever waits ask again after so many milliseconds. */
  readonly wakeIn: (milliseconds: number) => void;
}): FaultHooks {
  let calls = 0;
  const fire = (fault: Fault, { data, key, requestId }: Occasion) => {
    fault.fired++;
    controlLog.write({
      data: { fault: fault.spec.kind, ...data, ...(requestId === undefined && { occasion: key }) },
      faultId: fault.id,
      kind: "fault",
      requestId,
    });
    save();
  };
  const strike = <Kind extends FaultKind>(
    kinds: readonly Kind[],
    occasion: Occasion,
    matches: (spec: SpecOf<Kind>) => boolean,
  ): SpecOf<Kind> | undefined => {
    for (const fault of active()) {
      if (!isOfKind(fault.spec, kinds) || !canFire(fault) || !matches(fault.spec)) continue;
      if (!isByChance(fault, seed, occasion.key)) continue;
      fire(fault, occasion);
      return fault.spec;
    }
    return undefined;
  };
  /** A fault that holds a request up: it is asked for again and again, and fires once for each request. */
  const hold = (kind: "fill-slow" | "deposit-ignored" | "transient-failure", subject: FaultSubject) => {
    for (const fault of active()) {
      const { spec } = fault;
      if (spec.kind !== kind) continue;
      const until = fault.until[subject.id];
      if (until !== undefined) {
        if (now() < until) return until;
        continue;
      }
      if (!canFire(fault) || !matchesRequest(spec, subject)) continue;
      const occasion = { data: { until: now() + spec.delayMs }, key: subject.id, requestId: subject.id };
      if (!isByChance(fault, seed, occasion.key)) continue;
      fault.until[subject.id] = occasion.data.until;
      fire(fault, occasion);
      wakeIn(spec.delayMs);
      return occasion.data.until;
    }
    return undefined;
  };
  const isQuiet = () => active().length === 0;
  return {
    forDelivery: (delivery) => {
      if (isQuiet()) return undefined;
      const { channel, requestId, status } = delivery;
      const key = `${requestId}/${channel}/${status}`;
      const kinds = Object.keys(deliveryFaults) as (keyof typeof deliveryFaults)[];
      const spec = strike(kinds, { data: { channel, status }, key, requestId }, (each) =>
        matchesDelivery({ ...each, kind: "delivery-dropped" }, delivery),
      );
      return spec && deliveryFaults[spec.kind];
    },
    forDeposit: (subject) => (isQuiet() ? undefined : hold("deposit-ignored", subject)),
    forFailure: (subject) => (isQuiet() ? undefined : hold("transient-failure", subject)),
    forFill: (subject) => {
      if (subject.referrer === forcedRefundReferrer) {
        return { details: `The referrer is ${forcedRefundReferrer}`, failReason: "MANUAL_ADMIN_REFUND" };
      }
      if (isQuiet()) return undefined;
      const until = hold("fill-slow", subject);
      if (until !== undefined) return { until };
      const occasion = { key: subject.id, requestId: subject.id };
      const spec = strike(["fill-fails", "solver-broke"], occasion, (each) =>
        each.kind === "fill-fails" ? matchesRequest(each, subject) : matchesBroke(each, subject),
      );
      if (spec === undefined) return undefined;
      return spec.kind === "solver-broke"
        ? { details: "The solver does not hold the output", failReason: "SOLVER_BALANCE_TOO_LOW" }
        : { details: spec.details ?? `Forced: ${spec.failReason}`, failReason: spec.failReason };
    },
    forRefund: (subject) => {
      if (isQuiet()) return undefined;
      const occasion = { key: subject.id, requestId: subject.id };
      const spec = strike(["refund-rejected"], occasion, (each) => matchesRequest(each, subject));
      return spec && { details: spec.details, refundFailReason: spec.refundFailReason };
    },
    forRoute: (method, path) => {
      if (isQuiet()) return undefined;
      const occasion = { data: { method, path }, key: `call ${calls++}` };
      const spec = strike(["route-limited", "route-broken", "route-slow"], occasion, (each) =>
        matchesRoute(each, method, path),
      );
      if (spec === undefined) return undefined;
      if (spec.kind === "route-limited") return { delayMs: 0, status: 429 };
      return { delayMs: spec.delayMs, status: spec.kind === "route-broken" ? spec.status : undefined };
    },
    isQuiet,
  };
}

function isOfKind<Kind extends FaultKind>(spec: Fault["spec"], kinds: readonly Kind[]): spec is SpecOf<Kind> {
  return (kinds as readonly FaultKind[]).includes(spec.kind);
}
