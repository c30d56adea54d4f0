import * as z from "zod";
import { type RequestStatus, requestStatuses } from "../../src/schema/request/requestStatus.ts";
import { webhookEventSchema } from "../../src/schema/request/statusUpdate.ts";

export const webhookSettingsSchema = z.strictObject({
  url: z.string(),
  /** @default true */
  isEnabled: z.boolean().optional(),
  /** @default {} */
  headers: z.record(z.string(), z.string()).optional(),
});

/** Settings of an endpoint. */
export type WebhookSettings = z.output<typeof webhookSettingsSchema>;

export const webhookSchema = z.strictObject({
  apiKeyId: z.string(),
  url: z.string(),
  /** While disabled, new statuses are skipped for good and queued deliveries wait. */
  isEnabled: z.boolean(),
  /** Extra headers of each POST. */
  headers: z.record(z.string(), z.string()),
  /** Unix milliseconds. */
  createdAt: z.int(),
  updatedAt: z.int(),
});

/** The endpoint that receives the statuses of one API key's requests. */
export type Webhook = z.output<typeof webhookSchema>;

const attemptSchema = z.strictObject({
  /** Unix milliseconds of the emulator's clock. */
  at: z.int(),
  /** Status of the response; null without one. */
  statusCode: z.int().nullable(),
  /** Why there was no response; null with one. */
  error: z.string().nullable(),
  durationMs: z.number(),
  /** Start of the response body. */
  answer: z.string().nullable(),
});

/** One POST of a delivery. */
export type WebhookAttempt = z.output<typeof attemptSchema>;

const kindSchema = z.enum(["event", "resend", "test"]);
/** State of a delivery; see `docs/reference/emulator.md`. */
const stateSchema = z.enum(["pending", "delivered", "failed", "dropped", "cancelled"]);
export const statusSchema = z.enum(requestStatuses);

export const webhookDeliverySchema = z.strictObject({
  id: z.int(),
  apiKeyId: z.string(),
  requestId: z.string(),
  kind: kindSchema,
  /** Id of the delivery that this one repeats. */
  resendOf: z.int().nullable(),
  status: statusSchema,
  state: stateSchema,
  /** Unix milliseconds; null if no attempt follows. */
  nextAttemptAt: z.int().nullable(),
  createdAt: z.int(),
  finishedAt: z.int().nullable(),
  payload: webhookEventSchema,
  attempts: z.array(attemptSchema),
});

/** The delivery of one status to an endpoint, with all attempts. */
export type WebhookDelivery = z.output<typeof webhookDeliverySchema>;

/** Maximum deliveries of a page. */
export const largestPage = 50;

export const webhookDeliveryFilterSchema = z.strictObject({
  requestId: z.string().max(100).optional(),
  state: stateSchema.optional(),
  status: statusSchema.optional(),
  kind: kindSchema.optional(),
  /** @default 20 */
  limit: z.coerce.number().int().min(1).max(largestPage).optional(),
  /** Cursor of the previous page. */
  continuation: z.string().max(200).optional(),
});

/** Filter of deliveries; all given fields must match. */
export type WebhookDeliveryFilter = z.output<typeof webhookDeliveryFilterSchema>;

export const webhookDeliveryPageSchema = z.strictObject({
  deliveries: z.array(webhookDeliverySchema),
  /** Cursor of the next page; missing on the last page. */
  continuation: z.string().optional(),
});

/** A page of deliveries, newest first. */
export type WebhookDeliveryPage = z.output<typeof webhookDeliveryPageSchema>;

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
