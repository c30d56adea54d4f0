import type { FaultSubject } from "../../context/FaultHooks.ts";
import type { Fault, FaultKind } from "./faultSpec.ts";
import { isByChance, matchesRequest, type SpecOf } from "./matchFault.ts";

/** An occasion on which a fault may fire. */
export type Occasion = {
  /** What tells it from others: the request where there is one. */
  readonly key: string;
  readonly requestId?: string | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
};

/** What is to happen. */
export type Hit<Kind extends FaultKind = FaultKind> = {
  readonly spec: SpecOf<Kind>;
  /** Until when what is asked about is held up, where the fault does that; unix milliseconds. */
  readonly until?: number | undefined;
  /** The fault that fires by it; `undefined` for one that has fired for the same before. */
  readonly fires: { readonly fault: Fault; readonly occasion: Occasion } | undefined;
};

/** Says what the faults there are do about an occasion. It changes nothing, and says the same each time for the same. */
export type Decide<Kind extends FaultKind = FaultKind> = (faults: readonly Fault[]) => Hit<Kind> | undefined;

/** Whether a fault is not used up. */
export function canFire({ fired, spec }: Fault): boolean {
  return spec.count === "always" || fired < spec.count;
}

/** The first of the faults that matches strikes. */
export function striking<Kind extends FaultKind>(
  kinds: readonly Kind[],
  occasion: Occasion,
  matches: (spec: SpecOf<Kind>) => boolean,
  seed: string,
): Decide<Kind> {
  return (faults) => {
    for (const fault of faults) {
      const { spec } = fault;
      if (!isOfKind(spec, kinds) || !canFire(fault) || !matches(spec)) continue;
      if (isByChance(fault, seed, occasion.key)) return { fires: { fault, occasion }, spec };
    }
    return undefined;
  };
}

/** Kinds of faults that hold a request up. */
export type HoldingKind = "fill-slow" | "deposit-ignored" | "transient-failure";

/** A fault that holds a request up: it is asked for again and again, and fires once for each request. */
export function holding(
  kind: HoldingKind,
  subject: FaultSubject,
  now: number,
  seed: string,
): Decide<HoldingKind> {
  return (faults) => {
    for (const fault of faults) {
      const { spec } = fault;
      if (!isOfKind(spec, [kind])) continue;
      const until = fault.until[subject.id];
      if (until !== undefined) {
        if (now < until) return { fires: undefined, spec, until };
        continue;
      }
      if (!canFire(fault) || !matchesRequest(spec, subject) || !isByChance(fault, seed, subject.id)) continue;
      const data = { until: now + spec.delayMs };
      return { fires: { fault, occasion: { data, key: subject.id, requestId: subject.id } }, spec, ...data };
    }
    return undefined;
  };
}

function isOfKind<Kind extends FaultKind>(spec: Fault["spec"], kinds: readonly Kind[]): spec is SpecOf<Kind> {
  return (kinds as readonly FaultKind[]).includes(spec.kind);
}
