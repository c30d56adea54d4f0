import { concatHex, hexToBigInt, keccak256, stringToHex } from "viem";
import { storedAccount } from "../../chains/accountText.ts";
import {
  type Delivery,
  type FaultSubject,
  type QuoteSubject,
  scenarioReferrer,
} from "../../context/FaultHooks.ts";
import { currencyIdOf } from "../../currencies/currencyId.ts";
import type { Fault, FaultKind, FaultSpec } from "./faultSpec.ts";

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
export type HoldingKind =
  | "deposit-ignored"
  | "fill-slow"
  | "fill-unconfirmed"
  | "signed-deposit-slow"
  | "transient-failure";

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

type SpecOf<Kind extends FaultKind> = Extract<FaultSpec, { kind: Kind }>;

/** Fields of a request that a fault may match. */
type RequestMatch = {
  readonly requestId?: string | undefined;
  readonly user?: string | undefined;
  readonly referrer?: string | undefined;
  readonly originChainId?: number | undefined;
  readonly destinationChainId?: number | undefined;
};

/** A fault names addresses as their chains write them. */
const stored = (text: string | undefined) => (text === undefined ? undefined : storedAccount(text));

/** Whether a request matches all fields of a fault. */
export function matchesRequest(spec: RequestMatch, subject: FaultSubject): boolean {
  const { destination_chain_id, id, origin_chain_id, referrer, user } = subject;
  const quote = { destinationChainId: destination_chain_id, originChainId: origin_chain_id, referrer, user };
  if (spec.requestId === undefined) return matchesQuote(spec, quote);
  return spec.requestId === id.toLowerCase() && matchesFields(spec, quote);
}

/** Whether a quote request matches all fields of a fault. */
export function matchesQuote(spec: Omit<RequestMatch, "requestId">, subject: MatchedQuote): boolean {
  return mayMatch(spec, subject.referrer) && matchesFields(spec, subject);
}

type MatchedQuote = Omit<QuoteSubject, "referrer"> & { readonly referrer?: string | null | undefined };

function matchesFields(
  spec: RequestMatch,
  { destinationChainId, originChainId, referrer, user }: MatchedQuote,
): boolean {
  return (
    isOrAny(stored(spec.user), user.toLowerCase()) &&
    isOrAny(spec.referrer, referrer ?? null) &&
    isOrAny(spec.originChainId, originChainId) &&
    isOrAny(spec.destinationChainId, destinationChainId)
  );
}

/** Whether a fault may apply to requests of a referrer: those of scenarios must not use up the faults of others. */
function mayMatch(spec: Pick<RequestMatch, "referrer">, referrer: string | null | undefined): boolean {
  return spec.referrer !== undefined || !referrer?.startsWith(scenarioReferrer);
}

/** Whether a `solver-broke` fault applies to a request. */
export function matchesBroke(spec: SpecOf<"solver-broke">, subject: FaultSubject): boolean {
  return (
    mayMatch({}, subject.referrer) &&
    spec.destinationChainId === subject.destination_chain_id &&
    (isOrAny(stored(spec.currency), subject.currency_out.toLowerCase()) ||
      spec.currency === currencyIdOf({ symbol: subject.currency_out_symbol }))
  );
}

/** Whether a delivery matches a fault. */
export function matchesDelivery(spec: Omit<SpecOf<"delivery-dropped">, "kind">, delivery: Delivery): boolean {
  return (
    isOrAny(spec.requestId, delivery.requestId.toLowerCase()) &&
    isOrAny(spec.channel, delivery.channel) &&
    isOrAny(spec.status, delivery.status)
  );
}

/** Whether an HTTP request matches a fault. Paths below `/admin` never match, because faults are removed there. */
export function matchesRoute(
  spec: Pick<SpecOf<"route-limited">, "path" | "method">,
  method: string,
  path: string,
): boolean {
  if (path === "/admin" || path.startsWith("/admin/")) return false;
  const isPath = spec.path.endsWith("*") ? path.startsWith(spec.path.slice(0, -1)) : path === spec.path;
  return isPath && isOrAny(spec.method, method.toUpperCase());
}

/** Whether a random fault fires this time. Depends on seed, fault and occasion only. */
function isByChance({ id, spec }: Pick<Fault, "id" | "spec">, seed: string, occasion: string): boolean {
  if (spec.probability === 1) return true;
  const drawn = hexToBigInt(
    keccak256(concatHex([stringToHex(`${seed}/`), stringToHex(`${id}/`), stringToHex(occasion)])),
  );
  // The top 53 bits fit a number exactly.
  return Number(drawn >> 203n) / 2 ** 53 < spec.probability;
}

function isOrAny<Value>(wanted: Value | undefined, actual: Value | null): boolean {
  return wanted === undefined || wanted === actual;
}
