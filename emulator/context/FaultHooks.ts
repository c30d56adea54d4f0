import type { Transaction } from "kysely";
import type { ServiceErrorCode } from "../../src/errors/serviceErrorCodes.ts";
import type { FailReason } from "../../src/schema/failReason.ts";
import type { RefundFailReason } from "../../src/schema/refundFailReason.ts";
import type { RequestStatus } from "../../src/schema/requestStatus.ts";
import type { RequestRow, Tables } from "../store/tables.ts";

/** The request that a fault may strike, as its row has it. */
export type FaultSubject = Pick<RequestRow, (typeof faultSubjectColumns)[number]>;

/** Columns of a request that faults are matched against. */
export const faultSubjectColumns = [
  "id",
  "user",
  "referrer",
  "origin_chain_id",
  "destination_chain_id",
  "currency_out",
  "currency_out_symbol",
] as const satisfies readonly (keyof RequestRow)[];

/** What becomes of a fill instead of being made: it fails, or waits until a time of the clock (unix milliseconds). */
export type FillFault =
  | { readonly failReason: FailReason; readonly details: string }
  | { readonly until: number };

/** What of a quote request a fault is matched against. */
export type QuoteSubject = {
  readonly user: string;
  readonly originChainId: number;
  readonly destinationChainId: number;
  readonly referrer?: string | undefined;
};

/** What a quote is refused with. */
export type QuoteFault = {
  readonly errorCode: ServiceErrorCode;
  readonly message: string;
  readonly errorData?: unknown;
};

/** Why a refund is not made. */
export type RefundFault = {
  readonly details: string;
  readonly refundFailReason?: RefundFailReason | undefined;
};

/** What becomes of a delivery: it is lost, made twice, or made behind the next one of the same request. */
export type DeliveryFault = "drop" | "duplicate" | "reorder";

/** A status on its way to one receiver. */
export type Delivery = {
  readonly channel: "webhook" | "websocket";
  readonly requestId: string;
  readonly status: RequestStatus;
};

/** What becomes of an HTTP request: an error answer, and before it or before the usual answer a wait, in milliseconds. */
export type RouteFault = { readonly delayMs: number; readonly status?: number | undefined };

/** What is known at once, or has to be asked of the database. */
export type Answer<Value> = Value | undefined | Promise<Value | undefined>;

/**
 * What the parts of the emulator ask before they do something that can be made to go wrong. `undefined` means: go on.
 * Whoever gets something else does as told: the fault counts as fired, for every process that uses the database, and is
 * written down. Without a fault that fits nothing is looked up, and the answer is there at once.
 */
export type FaultHooks = {
  /** Whether there is no fault at all, so that nothing needs to be looked up to ask for one. */
  isQuiet(): boolean;
  /** Until when the search leaves this deposit, and all behind it on its chain, unseen; unix milliseconds. */
  forDeposit(subject: FaultSubject): Answer<number>;
  forFill(subject: FaultSubject): Answer<FillFault>;
  forRefund(subject: FaultSubject): Answer<RefundFault>;
  /** Until when a failed request shows `failure` before its refund begins; unix milliseconds. */
  forFailure(subject: FaultSubject): Answer<number>;
  /** @param transaction The caller's, if it is in one: the fault fires when that is committed. */
  forDelivery(delivery: Delivery, transaction?: Transaction<Tables>): Answer<DeliveryFault>;
  /** What a quote or a price is refused with. */
  forQuote(subject: QuoteSubject): Answer<QuoteFault>;
  forRoute(method: string, path: string): Answer<RouteFault>;
};

/** Nothing ever goes wrong. */
export const noFaults: FaultHooks = {
  forDelivery: () => undefined,
  forDeposit: () => undefined,
  forFailure: () => undefined,
  forFill: () => undefined,
  forQuote: () => undefined,
  forRefund: () => undefined,
  forRoute: () => undefined,
  isQuiet: () => true,
};
