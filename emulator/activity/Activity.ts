import type { RequestStatus } from "../../src/schema/request/requestStatus.ts";

/** An amount in the currency's decimal form. */
export type ActivityAmount = {
  readonly amount: string;
  readonly chainId: number;
  /** Name of the chain. */
  readonly chain: string;
  readonly symbol: string;
};

type At = {
  /** Unix milliseconds of the clock. */
  readonly at: number;
  /** `debug` for steps between the ones that matter. */
  readonly level: "debug" | "info" | "warn";
};

/** A change of a request. */
export type RequestActivity = At & {
  readonly kind: "quote" | "deposit" | "fill" | "refund" | "failure" | "reorg";
  /** `quoted`, or the trigger of the change; see `emulator/requests/transitions.ts`. */
  readonly trigger: string;
  readonly requestId: string;
  readonly status: RequestStatus;
  /** As quoted. */
  readonly paid: ActivityAmount;
  /** As delivered once it is filled, else as quoted. */
  readonly received: ActivityAmount;
  /** Milliseconds since the quote. */
  readonly sinceQuoteMs: number;
  readonly reason?: string | undefined;
  readonly txHash?: string | undefined;
};

/** One post of a webhook. */
export type WebhookActivity = At & {
  readonly kind: "webhook";
  readonly requestId: string;
  readonly status: RequestStatus;
  readonly attempt: number;
  readonly durationMs: number;
  /** `null` without an answer. */
  readonly statusCode: number | null;
  readonly error: string | null;
};

/** A fired fault, or an action of the control. */
export type ControlActivity = At & {
  readonly kind: "fault" | "control";
  /** Kind of the fault, or name of the action. */
  readonly action: string;
  readonly requestId?: string | undefined;
};

/** Something that happened in the emulator. */
export type Activity = RequestActivity | WebhookActivity | ControlActivity;
