import type { RequestStatus } from "../../src/schema/request/requestStatus.ts";
import type { WebhookEvent } from "../../src/schema/request/statusUpdate.ts";

/** The endpoint that receives the statuses of one API key's requests. */
export type Webhook = {
  readonly apiKeyId: string;
  readonly url: string;
  /** While disabled, new statuses are skipped for good and queued deliveries wait. */
  readonly isEnabled: boolean;
  /** Extra headers of each POST. */
  readonly headers: Readonly<Record<string, string>>;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
};

/** Settings of an endpoint. */
export type WebhookSettings = {
  readonly url: string;
  /** @default true */
  readonly isEnabled?: boolean | undefined;
  /** @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/** State of a delivery; see `docs/emulator.md`. */
type WebhookDeliveryState = "pending" | "delivered" | "failed" | "dropped" | "cancelled";

/** One POST of a delivery. */
export type WebhookAttempt = {
  /** Unix milliseconds of the emulator's clock. */
  readonly at: number;
  /** Status of the response; null without one. */
  readonly statusCode: number | null;
  /** Why there was no response; null with one. */
  readonly error: string | null;
  readonly durationMs: number;
  /** Start of the response body. */
  readonly answer: string | null;
};

/** The delivery of one status to an endpoint, with all attempts. */
export type WebhookDelivery = {
  readonly id: number;
  readonly apiKeyId: string;
  readonly requestId: string;
  readonly kind: "event" | "resend" | "test";
  /** Id of the delivery that this one repeats. */
  readonly resendOf: number | null;
  readonly status: RequestStatus;
  readonly state: WebhookDeliveryState;
  /** Unix milliseconds; null if no attempt follows. */
  readonly nextAttemptAt: number | null;
  readonly createdAt: number;
  readonly finishedAt: number | null;
  readonly payload: WebhookEvent;
  readonly attempts: readonly WebhookAttempt[];
};

/** Filter of deliveries; all given fields must match. */
export type WebhookDeliveryFilter = {
  readonly requestId?: string | undefined;
  readonly state?: WebhookDeliveryState | undefined;
  readonly status?: RequestStatus | undefined;
  readonly kind?: WebhookDelivery["kind"] | undefined;
  /** @default 20 */
  readonly limit?: number | undefined;
  /** Cursor of the previous page. */
  readonly continuation?: string | undefined;
};

/** A page of deliveries, newest first. */
export type WebhookDeliveryPage = {
  readonly deliveries: readonly WebhookDelivery[];
  /** Cursor of the next page; missing on the last page. */
  readonly continuation?: string | undefined;
};

/** Webhooks of all API keys, each named by its id. */
export type Webhooks = {
  get(apiKeyId: string): Promise<Webhook | undefined>;
  /**
   * Sets or replaces the endpoint of a key. Statuses from now on are posted.
   *
   * @throws WebhookRefusedError for an unknown or revoked key, a forbidden target and a forbidden header.
   */
  set(apiKeyId: string, settings: WebhookSettings): Promise<Webhook>;
  /** Removes the endpoint and cancels its pending deliveries. @returns Whether the key had an endpoint. */
  remove(apiKeyId: string): Promise<boolean>;
  /** Lists deliveries, newest first. @throws WebhookRefusedError for an invalid `continuation`. */
  deliveries(apiKeyId: string, filter?: WebhookDeliveryFilter): Promise<WebhookDeliveryPage>;
  /**
   * Posts a delivery again: the same bytes, newly signed. A pending delivery is attempted now.
   *
   * @returns The new or the pending delivery; `undefined` if the delivery or the endpoint does not exist.
   */
  resend(apiKeyId: string, deliveryId: number): Promise<WebhookDelivery | undefined>;
  /** Posts an event of a fictitious request. @returns `undefined` if the key has no endpoint. */
  test(apiKeyId: string, status?: RequestStatus): Promise<WebhookDelivery | undefined>;
};
