import type { WebhookHeaders } from "../headers.ts";
import { assertHandler, receiveWebhook, type WebhookHandlerParameters } from "../receiveWebhook.ts";
import type { RawBody } from "../verifyWebhook.ts";

/** The used part of an Express request. `body` must be raw bytes. */
export type ExpressRequestLike = {
  body?: unknown;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/** The used part of an Express response. */
export type ExpressResponseLike = {
  json: (body: unknown) => unknown;
  status: (code: number) => ExpressResponseLike;
};

/**
 * Creates an Express handler. Mount it after `express.raw({ type: () => true })` and before any `express.json()`:
 * parsed bodies are rejected.
 *
 * @example
 * import { expressWebhook } from "waybill/webhooks";
 *
 * const handler = expressWebhook({ onEvent: ({ data }) => console.log(data.status), secrets: ["your-key"] });
 * // app.post("/webhook", express.raw({ type: () => true }), handler);
 * console.log(typeof handler); // "function"
 */
export function expressWebhook(
  parameters: WebhookHandlerParameters,
): (
  request: ExpressRequestLike,
  response: ExpressResponseLike,
  next?: (error: unknown) => void,
) => Promise<void> {
  assertHandler(parameters);
  return async (request, response, next) => {
    try {
      const headers: WebhookHeaders = request.headers;
      // The verification rejects other types with a typed error.
      const answer = await receiveWebhook(request.body as RawBody, headers, parameters);
      response.status(answer.status).json(answer.body);
    } catch (error) {
      if (next === undefined) throw error;
      next(error);
    }
  };
}
