import type { FaultSubject } from "../../context/FaultHooks.ts";
import type { Fault, FaultKind } from "./faultSpec.ts";
import { isByChance, matchesRequest, type SpecOf } from "./matchFault.ts";

/** An occasion on which a fault may fire. */
type Occasion = {
  /** Unique key: the request id if there is one. */
  readonly key: string;
  readonly requestId?: string | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
};

/** A fault that applies to an occasion. */
export type Hit<Kind extends FaultKind = FaultKind> = {
  readonly spec: SpecOf<Kind>;
  /** Unix milliseconds until which a holding fault delays the request. */
  readonly until?: number | undefined;
  /** The fault that fires; `undefined` if it has already fired for this request. */
  readonly fires: { readonly fault: Fault; readonly occasion: Occasion } | undefined;
};

/** Decides which fault applies to an occasion. Pure: the same faults and occasion give the same decision. */
export type Decide<Kind extends FaultKind = FaultKind> = (faults: readonly Fault[]) => Hit<Kind> | undefined;

/** Whether a fault may fire again. */
export function canFire({ fired, spec }: Fault): boolean {
  return spec.count === "always" || fired < spec.count;
}

/** Decides for the first matching fault. */
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

/** Kinds of faults that delay a request. */
export type HoldingKind = "fill-slow" | "deposit-ignored" | "transient-failure";

/** Decides for faults that delay a request: looked up repeatedly, they fire once for each request. */
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
