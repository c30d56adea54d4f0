import type { Answer, DeliveryFault, FaultHooks, FaultSubject } from "../../context/FaultHooks.ts";
import type { StoreTransaction } from "../../store/tables.ts";
import {
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
import type { FaultKind } from "./faultSpec.ts";

/** Requests with this referrer are refunded instead of filled, as on the service's testnets. */
const forcedRefundReferrer = "debug-force-refund";

const deliveryFaults = {
  "delivery-dropped": "drop",
  "delivery-duplicated": "duplicate",
  "delivery-reordered": "reorder",
} as const satisfies Partial<Record<FaultKind, DeliveryFault>>;

type CreateFaultHooksParameters = {
  /** Lets the faults decide. A fault that fires is recorded before the answer is returned. */
  readonly ask: <Kind extends FaultKind>(
    decide: Decide<Kind>,
    transaction?: StoreTransaction,
  ) => Answer<Hit<Kind>>;
  readonly isQuiet: () => boolean;
  readonly now: () => number;
  /** Seed of random faults. */
  readonly seed: string;
};

/** Creates the hooks by which the parts of the emulator look up active faults. */
export function createFaultHooks({ ask, isQuiet, now, seed }: CreateFaultHooksParameters): FaultHooks {
  let calls = 0;
  let quotes = 0;
  const until = (kind: HoldingKind, subject: FaultSubject, transaction?: StoreTransaction) =>
    isQuiet() ? undefined : when(ask(holding(kind, subject, now(), seed), transaction), (hit) => hit.until);
  const toFill = (subject: FaultSubject) => {
    const occasion = { key: subject.id, requestId: subject.id };
    const decide = striking(
      ["fill-fails", "solver-broke"],
      occasion,
      (each) => (each.kind === "fill-fails" ? matchesRequest(each, subject) : matchesBroke(each, subject)),
      seed,
    );
    return when(ask(decide), ({ spec }) =>
      spec.kind === "solver-broke"
        ? ({ details: "The solver does not hold the output", failReason: "SOLVER_BALANCE_TOO_LOW" } as const)
        : { details: spec.details ?? `Forced: ${spec.failReason}`, failReason: spec.failReason },
    );
  };
  return {
    forConfirmation: (subject) => until("fill-unconfirmed", subject),
    forDelivery: (delivery, transaction) => {
      if (isQuiet()) return undefined;
      const { channel, requestId, status } = delivery;
      const key = `${requestId}/${channel}/${status}`;
      const kinds = Object.keys(deliveryFaults) as (keyof typeof deliveryFaults)[];
      const decide = striking(
        kinds,
        { data: { channel, status }, key, requestId },
        (each) => matchesDelivery({ ...each, kind: "delivery-dropped" }, delivery),
        seed,
      );
      return when(ask(decide, transaction), ({ spec }) => deliveryFaults[spec.kind]);
    },
    forDeposit: (subject, transaction) => until("deposit-ignored", subject, transaction),
    forFailure: (subject) => until("transient-failure", subject),
    forFill: (subject) => {
      if (subject.referrer === forcedRefundReferrer) {
        return { details: `The referrer is ${forcedRefundReferrer}`, failReason: "MANUAL_ADMIN_REFUND" };
      }
      if (isQuiet()) return undefined;
      return otherwise(
        when(until("fill-slow", subject), (time) => ({ until: time })),
        () => toFill(subject),
      );
    },
    forQuote: (subject) => {
      if (isQuiet()) return undefined;
      const { destinationChainId, originChainId, user } = subject;
      const data = { destinationChainId, originChainId, user };
      const occasion = { data, key: `quote ${quotes++}` };
      const decide = striking(["quote-refused"], occasion, (each) => matchesQuote(each, subject), seed);
      return when(ask(decide), ({ spec: { errorCode, errorData, message } }) => ({
        errorCode,
        errorData,
        message: message ?? `Forced: ${errorCode}`,
      }));
    },
    forRefund: (subject) => {
      if (isQuiet()) return undefined;
      const occasion = { key: subject.id, requestId: subject.id };
      const decide = striking(["refund-rejected"], occasion, (each) => matchesRequest(each, subject), seed);
      return when(ask(decide), ({ spec: { details, refundFailReason } }) => ({ details, refundFailReason }));
    },
    forRoute: (method, path) => {
      if (isQuiet()) return undefined;
      const occasion = { data: { method, path }, key: `call ${calls++}` };
      const decide = striking(
        ["route-limited", "route-broken", "route-slow"],
        occasion,
        (each) => matchesRoute(each, method, path),
        seed,
      );
      return when(ask(decide), ({ spec }) => {
        if (spec.kind === "route-limited") return { delayMs: 0, status: 429 };
        return { delayMs: spec.delayMs, status: spec.kind === "route-broken" ? spec.status : undefined };
      });
    },
    forSignedDeposit: (subject) => until("signed-deposit-slow", subject),
    isQuiet,
  };
}

/** Maps an answer, synchronously if the answer is. */
function when<Value, Result>(
  answer: Answer<Value>,
  use: (value: Value) => Result | undefined,
): Answer<Result> {
  if (answer instanceof Promise)
    return answer.then((value) => (value === undefined ? undefined : use(value)));
  return answer === undefined ? undefined : use(answer);
}

/** Falls back to another answer if there is none. */
function otherwise<Value, Other>(answer: Answer<Value>, other: () => Answer<Other>): Answer<Value | Other> {
  if (answer instanceof Promise) return answer.then((value) => value ?? other());
  return answer ?? other();
}
