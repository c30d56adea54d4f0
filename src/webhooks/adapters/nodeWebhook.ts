import { readParts } from "../readStream.ts";
import { assertHandler, receiveWebhook, type WebhookHandlerParameters } from "../receiveWebhook.ts";

/** The used part of an `IncomingMessage` of `node:http`. Its body must not be read before. */
export type NodeRequestLike = AsyncIterable<Uint8Array> & {
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  method?: string | undefined;
};

/** The used part of a `ServerResponse` of `node:http`. */
export type NodeResponseLike = {
  writeHead: (
    status: number,
    headers: Readonly<Record<string, string>>,
  ) => { end: (body: string) => unknown };
};

/**
 * Creates a listener of `node:http`. A body that is too long or too slow is not read to its end, and its connection is
 * closed. Errors of the connection and of the parameters go to `onError`: a rejection
 * would end the process.
 *
 * @example
 * import { createServer } from "node:http";
 * import { nodeWebhook } from "waybill/webhooks";
 *
 * const handler = nodeWebhook({ onEvent: ({ data }) => console.log(data.status), secrets: ["your-key"] });
 * const server = createServer(handler);
 * // server.listen(3000);
 * console.log(server.listening); // false
 */
export function nodeWebhook(
  parameters: WebhookHandlerParameters,
): (request: NodeRequestLike, response: NodeResponseLike) => Promise<void> {
  assertHandler(parameters);
  return async (request, response) => {
    const answer = (status: number, body: object, headers: Readonly<Record<string, string>> = {}) =>
      response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(JSON.stringify(body));
    if (request.method !== "POST") {
      answer(405, { message: "POST only" }, { ...unread, allow: "POST" });
      return;
    }
    try {
      const rawBody = readParts(request[Symbol.asyncIterator](), parameters);
      const { body, status } = await receiveWebhook(rawBody, request.headers, parameters);
      answer(status, body, status === 408 || status === 413 ? unread : {});
    } catch (error) {
      // Without effect on a closed connection.
      answer(500, { message: "Not handled" });
      parameters.onError?.(error);
    }
  };
}

/** A kept connection would read the rest of the body. */
const unread = { connection: "close" };
