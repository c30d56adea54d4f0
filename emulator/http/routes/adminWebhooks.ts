import { Hono, type Context as HonoContext } from "hono";
import * as z from "zod";
import { requestStatuses } from "../../../src/schema/requestStatus.ts";
import { largestPage } from "../../webhooks/listDeliveries.ts";
import { WebhookRefusedError } from "../../webhooks/WebhookRefusedError.ts";
import type { Deps } from "../Deps.ts";
import { errorAnswer } from "../errorBody.ts";
import { InvalidRequestError, readJson, readQuery } from "../readJson.ts";

const settingsSchema = z.strictObject({
  headers: z.record(z.string(), z.string()).optional(),
  isEnabled: z.boolean().optional(),
  url: z.string(),
});

const status = z.enum(requestStatuses);
const filterSchema = z.strictObject({
  continuation: z.string().max(200).optional(),
  kind: z.enum(["event", "resend", "test"]).optional(),
  limit: z.coerce.number().int().min(1).max(largestPage).optional(),
  requestId: z.string().max(100).optional(),
  state: z.enum(["pending", "delivered", "failed", "dropped", "cancelled"]).optional(),
  status: status.optional(),
});
const testSchema = z.strictObject({ status: status.optional() });
const deliveryIdSchema = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

/**
 * The webhook of an API key, and the stream's sockets, for whoever runs the emulator. A key is named by its id.
 *
 * - `GET`, `PUT`, `DELETE /admin/keys/{id}/webhook`
 * - `POST /admin/keys/{id}/webhook/test`
 * - `GET /admin/keys/{id}/webhook/deliveries`
 * - `POST /admin/keys/{id}/webhook/deliveries/{deliveryId}/resend`
 * - `POST /admin/websocket/restart`
 */
export function adminWebhooksRoute({ restartSockets, webhooks }: Deps): Hono {
  const base = "/admin/keys/:id/webhook";
  return new Hono()
    .get(base, async (http) => {
      const webhook = await webhooks.get(http.req.param("id"));
      return webhook === undefined ? notFound(http) : http.json(webhook);
    })
    .put(base, async (http) => {
      const settings = await readJson(http, settingsSchema);
      return http.json(await refusing(() => webhooks.set(http.req.param("id"), settings)));
    })
    .delete(base, async (http) =>
      (await webhooks.remove(http.req.param("id"))) ? http.body(null, 204) : notFound(http),
    )
    .post(`${base}/test`, async (http) => {
      const body = await readJson(http, testSchema);
      const delivery = await webhooks.test(http.req.param("id"), body.status);
      return delivery === undefined ? notFound(http) : http.json(delivery, 202);
    })
    .get(`${base}/deliveries`, async (http) => {
      const filter = readQuery(http, filterSchema);
      return http.json(await refusing(() => webhooks.deliveries(http.req.param("id"), filter)));
    })
    .post(`${base}/deliveries/:deliveryId/resend`, async (http) => {
      const id = deliveryIdSchema.safeParse(http.req.param("deliveryId"));
      const delivery = id.success ? await webhooks.resend(http.req.param("id"), id.data) : undefined;
      return delivery === undefined ? notFound(http) : http.json(delivery, 202);
    })
    .post("/admin/websocket/restart", async (http) => http.json(await restartSockets()));
}

async function refusing<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (cause) {
    if (cause instanceof WebhookRefusedError) throw new InvalidRequestError(cause.shortMessage, { cause });
    throw cause;
  }
}

function notFound(http: HonoContext): Response {
  return errorAnswer(http, 404, "There is no such webhook or delivery", { errorCode: "NOT_FOUND" });
}
