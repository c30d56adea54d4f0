import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy in front of a service or a node. */
export type AlteringProxy = { readonly url: string; stop(): void };

export type AlteringProxyParameters = {
  readonly target: string;
  /** Changes an answer's JSON. */
  readonly alter?: ((answer: unknown, path: string, body: string) => unknown) | undefined;
  /** Called before a request is passed on; `false` leaves it without an answer, unsent. */
  readonly before?: ((body: string, path: string) => boolean) | undefined;
  /** Called after the target answered; `false` keeps the answer back. */
  readonly after?: ((body: string, path: string) => boolean) | undefined;
};

/** Starts a proxy that changes answers, or keeps requests and answers back. */
export async function startAlteringProxy({
  after = () => true,
  alter = (answer) => answer,
  before = () => true,
  target,
}: AlteringProxyParameters): Promise<AlteringProxy> {
  const server = createServer(async (request, response) => {
    const path = request.url ?? "/";
    const body = await bodyOf(request);
    if (!before(body, path)) return;
    const { method = "GET" } = request;
    const headers = { "content-type": "application/json" };
    const sent = body === "" ? { method } : { body, headers, method };
    const answer = await fetch(`${target.replace(/\/$/, "")}${path}`, sent);
    const text = await answer.text();
    if (!after(body, path)) return;
    response.writeHead(answer.status, headers);
    response.end(JSON.stringify(alter(JSON.parse(text), path, body)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
