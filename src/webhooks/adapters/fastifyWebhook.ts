import { assertHandler, receiveWebhook, type WebhookHandlerParameters } from "../receiveWebhook.ts";
import type { RawBody } from "../verifyWebhook.ts";

/** The used part of a Fastify request. `body` must be raw bytes. */
export type FastifyRequestLike = {
  body?: unknown;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/** The used part of a Fastify reply. */
export type FastifyReplyLike = {
  code: (status: number) => FastifyReplyLike;
  send: (body: unknown) => unknown;
};

/**
 * Creates a Fastify handler. Register a parser in its scope that keeps raw bodies: parsed bodies are rejected.
 *
 * @example
 * import { fastifyWebhook } from "waybill/webhooks";
 *
 * const handler = fastifyWebhook({ onEvent: ({ data }) => console.log(data.status), secrets: ["your-key"] });
 * // app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
 * // app.post("/webhook", handler);
 * console.log(typeof handler); // "function"
 */
export function fastifyWebhook(
  parameters: WebhookHandlerParameters,
): (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<void> {
  assertHandler(parameters);
  return async (request, reply) => {
    const answer = await receiveWebhook(request.body as RawBody, request.headers, parameters);
    await reply.code(answer.status).send(answer.body);
  };
}
