import * as z from "zod";
import {
  statusSchema,
  webhookDeliveryFilterSchema,
  webhookDeliveryPageSchema,
  webhookDeliverySchema,
  webhookSchema,
  webhookSettingsSchema,
} from "../../../webhooks/Webhook.ts";
import {
  assertFound,
  type Deps,
  defineRoute,
  NotFoundError,
  notFound,
  type Route,
} from "../../route/Route.ts";

const testSchema = z.strictObject({ status: statusSchema.optional() });
const deliveryIdSchema = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
const base = "/admin/keys/:id/webhook";
const common = { params: z.object({ id: z.string() }), tag: "Webhooks" } as const;
const absent = "There is no such webhook or delivery";
const missing = notFound(absent);

/** `/admin` routes for webhooks of API keys, each named by its id, and for the stream's sockets. */
export function adminWebhooksRoutes(deps: Deps): readonly Route[] {
  return [...endpointRoutes(deps), ...deliveryRoutes(deps), socketRoute(deps)];
}

function endpointRoutes({ webhooks }: Deps): readonly Route[] {
  const webhook = { body: webhookSchema, description: "The endpoint" };
  return [
    defineRoute({
      ...common,
      endpoint: `GET ${base}`,
      operationId: "getWebhook",
      summary: "The endpoint of a key",
      answers: { 200: webhook, 404: missing },
      handle: async ({ http, params: { id } }) => http.json(assertFound(await webhooks.get(id), absent)),
    }),
    defineRoute({
      ...common,
      endpoint: `PUT ${base}`,
      operationId: "setWebhook",
      summary: "Sets or replaces the endpoint of a key",
      body: webhookSettingsSchema,
      answers: { 200: webhook },
      handle: async ({ body, http, params: { id } }) => http.json(await webhooks.set(id, body)),
    }),
    defineRoute({
      ...common,
      endpoint: `DELETE ${base}`,
      operationId: "removeWebhook",
      summary: "Removes the endpoint of a key",
      answers: { 204: { description: "Removed" }, 404: missing },
      handle: async ({ http, params: { id } }) => {
        if (!(await webhooks.remove(id))) throw new NotFoundError(absent);
        return http.body(null, 204);
      },
    }),
    defineRoute({
      ...common,
      endpoint: `POST ${base}/test`,
      operationId: "testWebhook",
      summary: "Posts a test event of a fictitious request",
      body: testSchema,
      answers: { 202: { body: webhookDeliverySchema, description: "The delivery to look at" }, 404: missing },
      handle: async ({ body: { status: wanted }, http, params: { id } }) =>
        http.json(assertFound(await webhooks.test(id, wanted), absent), 202),
    }),
  ];
}

function deliveryRoutes({ webhooks }: Deps): readonly Route[] {
  return [
    defineRoute({
      ...common,
      endpoint: `GET ${base}/deliveries`,
      operationId: "listDeliveries",
      summary: "The deliveries of a key with every attempt, newest first",
      query: webhookDeliveryFilterSchema,
      notes: { continuation: "Cursor of the previous page." },
      answers: { 200: { body: webhookDeliveryPageSchema, description: "A page" } },
      handle: async ({ http, params: { id }, query }) => http.json(await webhooks.deliveries(id, query)),
    }),
    defineRoute({
      ...common,
      endpoint: `POST ${base}/deliveries/:deliveryId/resend`,
      operationId: "resendDelivery",
      summary: "Posts a delivery again: the same bytes, newly signed",
      params: z.object({ deliveryId: z.string(), id: z.string() }),
      answers: { 202: { body: webhookDeliverySchema, description: "The delivery to look at" }, 404: missing },
      handle: async ({ http, params: { deliveryId, id } }) => {
        const parsed = deliveryIdSchema.safeParse(deliveryId);
        const delivery = parsed.success ? await webhooks.resend(id, parsed.data) : undefined;
        return http.json(assertFound(delivery, absent), 202);
      },
    }),
  ];
}

function socketRoute({ restartSockets }: Deps): Route {
  return defineRoute({
    endpoint: "POST /admin/websocket/restart",
    operationId: "restartSockets",
    tag: "Webhooks",
    summary: "Closes all sockets of the stream with code 1012, in waves",
    answers: {
      200: { body: z.strictObject({ closed: z.int() }), description: "The number of sockets closed" },
    },
    handle: async ({ http }) => http.json(await restartSockets()),
  });
}
