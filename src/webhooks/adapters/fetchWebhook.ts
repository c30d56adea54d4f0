import { readStream } from "../readStream.ts";
import { assertHandler, receiveWebhook, type WebhookHandlerParameters } from "../receiveWebhook.ts";

/**
 * Creates a Fetch API handler: Next, Remix, Deno, Bun, workers.
 *
 * @example
 * import { fetchWebhook } from "waybill/webhooks";
 *
 * export const POST = fetchWebhook({
 *   onEvent: ({ data }) => console.log(data.requestId, data.status),
 *   secrets: ["your-key"],
 * });
 */
export function fetchWebhook(parameters: WebhookHandlerParameters): (request: Request) => Promise<Response> {
  assertHandler(parameters);
  return async (request) => {
    if (request.method !== "POST") {
      return Response.json({ message: "POST only" }, { headers: { allow: "POST" }, status: 405 });
    }
    const { body, status } = await receiveWebhook(
      readStream(request.body, parameters),
      request.headers,
      parameters,
    );
    return Response.json(body, { status });
  };
}
