import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { WebhookEvent } from "../../../../../src/schema/request/statusUpdate.ts";

/** A received request. */
type Received = {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  readonly event: WebhookEvent;
};

/** A receiver of webhooks on loopback. */
export type Receiver = {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** Received statuses, of one request or of all. */
  statuses(requestId?: string): string[];
  stop(): Promise<void>;
};

/** Answers a request; `index` counts the requests from 0. */
export type Answer = (
  response: ServerResponse,
  received: Received & { readonly index: number },
) => void | Promise<void>;

/** Starts a receiver, which answers 200 by default. */
export async function startReceiver(
  answer: Answer = (response) => void response.writeHead(200).end("ok"),
  port = 0,
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const one = { body, event: JSON.parse(body), headers: request.headers, path: request.url ?? "" };
    received.push(one);
    await answer(response, { ...one, index: received.length - 1 });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    received,
    statuses: (requestId) =>
      received
        .filter(({ event }) => requestId === undefined || event.data.requestId === requestId)
        .map(({ event }) => event.data.status),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    url: `http://127.0.0.1:${address.port}/hook`,
  };
}
