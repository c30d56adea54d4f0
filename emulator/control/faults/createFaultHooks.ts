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
  ) => Promise<Hit<Kind> | undefined>;
  readonly isQuiet: () => boolean;
  readonly now: () => number;
  /** Seed of random faults. */
  readonly seed: string;
};

/** Creates the hooks by which the parts of the emulator look up active faults. */
export function createFaultHooks({ ask, isQuiet, now, seed }: CreateFaultHooksParameters): FaultHooks {
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
