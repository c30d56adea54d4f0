import { concatHex, hexToBigInt, keccak256, stringToHex } from "viem";
import type { Delivery, FaultSubject, QuoteSubject } from "../../context/FaultHooks.ts";
import { currencyIdOf } from "../../currencies/currencyId.ts";
import type { Fault, FaultKind, FaultSpec } from "./faultSpec.ts";

/** Specs of the given kinds. */
export type SpecOf<Kind extends FaultKind> = Extract<FaultSpec, { kind: Kind }>;

/** Fields of a request that a fault may match. */
type RequestMatch = {
  readonly requestId?: string | undefined;
  readonly user?: string | undefined;
  readonly referrer?: string | undefined;
  readonly originChainId?: number | undefined;
  readonly destinationChainId?: number | undefined;
};

/** Whether a request matches all fields of a fault. */
export function matchesRequest(spec: RequestMatch, subject: FaultSubject): boolean {
  return (
    isOrAny(spec.requestId, subject.id.toLowerCase()) &&
    isOrAny(spec.user, subject.user.toLowerCase()) &&
    isOrAny(spec.referrer, subject.referrer) &&
    isOrAny(spec.originChainId, subject.origin_chain_id) &&
    isOrAny(spec.destinationChainId, subject.destination_chain_id)
  );
}

/** Whether a quote request matches all fields of a fault. */
export function matchesQuote(
  spec: Omit<RequestMatch, "requestId">,
  { destinationChainId, originChainId, referrer, user }: QuoteSubject,
): boolean {
  return (
    isOrAny(spec.user, user.toLowerCase()) &&
    isOrAny(spec.referrer, referrer ?? null) &&
    isOrAny(spec.originChainId, originChainId) &&
    isOrAny(spec.destinationChainId, destinationChainId)
  );
}

/** Whether a `solver-broke` fault applies to a request. */
export function matchesBroke(spec: SpecOf<"solver-broke">, subject: FaultSubject): boolean {
  return (
    spec.destinationChainId === subject.destination_chain_id &&
    (isOrAny(spec.currency, subject.currency_out.toLowerCase()) ||
      spec.currency === currencyIdOf({ symbol: subject.currency_out_symbol }))
  );
}

/** Whether a delivery matches a fault. */
export function matchesDelivery(spec: SpecOf<"delivery-dropped">, delivery: Delivery): boolean {
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
export function isByChance(
  { id, spec }: Pick<Fault, "id" | "spec">,
  seed: string,
  occasion: string,
): boolean {
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
