import type { ServiceErrorCode } from "../../src/errors/serviceErrorCodes.ts";
import type { FailReason, RefundFailReason } from "../../src/schema/request/failReason.ts";
import type { RequestStatus } from "../../src/schema/request/requestStatus.ts";
import type { RequestRow, StoreTransaction } from "../store/tables.ts";

/** Prefix of the referrer of scenarios. A fault fires for their requests only if it names the request or the referrer. */
export const scenarioReferrer = "scenario:";

export type FaultSubject = Pick<RequestRow, (typeof faultSubjectColumns)[number]>;

/** Names of the columns that faults match. */
export const faultSubjectColumns = [
  "id",
  "user",
  "referrer",
  "origin_chain_id",
  "destination_chain_id",
  "currency_out",
  "currency_out_symbol",
] as const satisfies readonly (keyof RequestRow)[];

/** Fault of a fill: it fails, or waits until a time of the clock (Unix milliseconds). */
type FillFault = { readonly failReason: FailReason; readonly details: string } | { readonly until: number };

/** Fields of a quote request that faults match. */
export type QuoteSubject = {
  readonly user: string;
  readonly originChainId: number;
  readonly destinationChainId: number;
  readonly referrer?: string | undefined;
};

/** Fault of a quote: its refusal. */
type QuoteFault = {
  readonly errorCode: ServiceErrorCode;
  readonly message: string;
  readonly errorData?: unknown;
};

/** Fault of a refund: why it is rejected. */
type RefundFault = {
  readonly details: string;
  readonly refundFailReason?: RefundFailReason | undefined;
};

/** Fault of a delivery: dropped, sent twice, or sent so late that the next ones of the same request overtake it. */
export type DeliveryFault = "drop" | "duplicate" | "reorder";

/** A status to be delivered to one receiver. */
export type Delivery = {
  readonly channel: "webhook" | "websocket";
  readonly requestId: string;
  readonly status: RequestStatus;
};

/** Fault of an HTTP request: a delay in milliseconds, then an error status or the usual answer. */
type RouteFault = { readonly delayMs: number; readonly status?: number | undefined };

/** `undefined` without any faults, else a promise. */
export type Answer<Value> = Promise<Value | undefined> | undefined;

/**
 * Look-ups of injected faults, called before each action that can be made to fail. `undefined` means no fault. The caller must
 * apply any other answer: the fault is then recorded as fired, for all processes of the database. Without a matching fault no
 * query is needed.
 */
export type FaultHooks = {
  /** Whether there are no faults, so that callers can skip the look-up of a subject. */
  isQuiet(): boolean;
  /**
   * Unix milliseconds until which the search ignores this deposit; on an EVM chain all later ones too.
   *
   * @param transaction The caller's transaction, if any. SQLite has one connection: another transaction would never start.
   */
  forDeposit(subject: FaultSubject, transaction?: StoreTransaction): Answer<number>;
  /** Unix milliseconds until which the deposit that a user signed is not sent. */
  forSignedDeposit(subject: FaultSubject): Answer<number>;
  forFill(subject: FaultSubject): Answer<FillFault>;
  /** Unix milliseconds until which a fill counts as not mined. */
  forConfirmation(subject: FaultSubject): Answer<number>;
  forRefund(subject: FaultSubject): Answer<RefundFault>;
  /** Unix milliseconds until which a failed request stays `failure` before its refund begins. */
  forFailure(subject: FaultSubject): Answer<number>;
  /** @param transaction The caller's transaction, if any: the fault fires with its commit. */
  forDelivery(delivery: Delivery, transaction?: StoreTransaction): Answer<DeliveryFault>;
  /** Refusal of a quote or a price. */
  forQuote(subject: QuoteSubject): Answer<QuoteFault>;
  forRoute(method: string, path: string): Answer<RouteFault>;
};

/** Hooks without faults. */
export const noFaults: FaultHooks = {
  forConfirmation: () => undefined,
  forDelivery: () => undefined,
  forDeposit: () => undefined,
  forFailure: () => undefined,
  forFill: () => undefined,
  forQuote: () => undefined,
  forRefund: () => undefined,
  forRoute: () => undefined,
  forSignedDeposit: () => undefined,
  isQuiet: () => true,
};
