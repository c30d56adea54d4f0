import type { RequestStatus } from "../../src/schema/requestStatus.ts";
import type { WebhookEvent } from "../../src/schema/statusUpdate.ts";

/** Where the statuses of one API key's requests are posted to. */
export type Webhook = {
  readonly apiKeyId: string;
  readonly url: string;
  /** What happens while it is off is never posted; what was still to be posted waits. */
  readonly isEnabled: boolean;
  /** Sent along with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
};

/** What an endpoint is set to. */
export type WebhookSettings = {
  readonly url: string;
  /** @default true */
  readonly isEnabled?: boolean | undefined;
  /** @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/** What became of a delivery, see `docs/emulator.md`. */
export type WebhookDeliveryState = "pending" | "delivered" | "failed" | "dropped" | "cancelled";

/** One POST. */
export type WebhookAttempt = {
  /** Unix milliseconds of the emulator's clock. */
  readonly at: number;
  /** Null when there was no answer. */
  readonly statusCode: number | null;
  /** Why there was none. */
  readonly error: string | null;
  readonly durationMs: number;
  /** The beginning of the answer's body. */
  readonly answer: string | null;
};

/** A status on its way to an endpoint, with every attempt so far. */
export type WebhookDelivery = {
  readonly id: number;
  readonly apiKeyId: string;
  readonly requestId: string;
  readonly kind: "event" | "resend" | "test";
  /** The delivery that this one repeats. */
  readonly resendOf: number | null;
  readonly status: RequestStatus;
  readonly state: WebhookDeliveryState;
  /** Null once there is none to come. */
  readonly nextAttemptAt: number | null;
  readonly createdAt: number;
  readonly finishedAt: number | null;
  readonly payload: WebhookEvent;
  readonly attempts: readonly WebhookAttempt[];
};

/** Which deliveries are listed: those that fit everything that is given. */
export type WebhookDeliveryFilter = {
  readonly requestId?: string | undefined;
  readonly state?: WebhookDeliveryState | undefined;
  readonly status?: RequestStatus | undefined;
  readonly kind?: WebhookDelivery["kind"] | undefined;
  /** @default 20 */
  readonly limit?: number | undefined;
  /** From the page before. */
  readonly continuation?: string | undefined;
};

/** Newest first. */
export type WebhookDeliveryPage = {
  readonly deliveries: readonly WebhookDelivery[];
  /** Missing on the last page. */
  readonly continuation?: string | undefined;
};

/** The webhooks of all keys. A key is named by its id. */
export type Webhooks = {
  get(apiKeyId: string): Promise<Webhook | undefined>;
  /**
   * Sets the endpoint of a key, in place of an earlier one. Statuses from now on are posted.
   *
   * @throws WebhookRefusedError when there is no such key in force, or the target or a header is not allowed.
   */
  set(apiKeyId: string, settings: WebhookSettings): Promise<Webhook>;
  /** Ends the endpoint; what was still to be posted never is. Returns whether there was one. */
  remove(apiKeyId: string): Promise<boolean>;
  /** @throws WebhookRefusedError for a `continuation` that is not one. */
  deliveries(apiKeyId: string, filter?: WebhookDeliveryFilter): Promise<WebhookDeliveryPage>;
  /**
   * Posts a delivery again, the same bytes under a new signature; one that waits for its next attempt is attempted now.
   *
   * @returns The delivery to look at; `undefined` when there is none with this id, or no endpoint any more.
   */
  resend(apiKeyId: string, deliveryId: number): Promise<WebhookDelivery | undefined>;
  /** Posts an event of a request that does not exist. `undefined` when the key has no endpoint. */
  test(apiKeyId: string, status?: RequestStatus): Promise<WebhookDelivery | undefined>;
};
