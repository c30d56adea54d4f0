import type { WebhookHandlerParameters } from "../receiveWebhook.ts";
import { fetchWebhook } from "./fetchWebhook.ts";

/** The used part of a Hono context. */
export type HonoContextLike = { req: { raw: Request } };

/**
 * Creates a Hono handler.
 *
 * @example
 * import { honoWebhook } from "waybill/webhooks";
 *
 * const handler = honoWebhook({ onEvent: ({ data }) => console.log(data.status), secrets: ["your-key"] });
 * // app.post("/webhook", handler);
 * console.log(typeof handler); // "function"
 */
export function honoWebhook(
  parameters: WebhookHandlerParameters,
): (context: HonoContextLike) => Promise<Response> {
  const handle = fetchWebhook(parameters);
  return ({ req }) => handle(req.raw);
}
