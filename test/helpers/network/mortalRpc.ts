import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Client, createClient, http } from "viem";

type Asked = { id: number; method: string; params: unknown[] };

/** How a node fails to answer: not at all, by a closed connection, a page, a part of the answer, or late (milliseconds). */
export type RpcFault = "hang" | "drop" | "html" | "truncate" | { readonly delayMs: number };

/** A node between a client and a chain, which can be told how many requests it lives for. */
export type MortalRpc = {
  readonly asked: Asked[];
  readonly client: Client;
  /** Requests that it still answers; behind them every connection is dropped. */
  lives: number;
  /** What goes wrong with a request; nothing unless set. */
  fault: ((asked: Asked) => RpcFault | undefined) | undefined;
  /** Where the chain is; another one may take its place. */
  upstream: string;
  stop(): void;
  /** Its address, for tests with a client of their own. */
  readonly url: string;
};

/** Parameters of {@link startMortalRpc}. */
export type MortalRpcParameters = {
  /** Answers instead of the chain where it returns something: a result, an HTTP status, or an error of JSON-RPC. */
  answer?: ((asked: Asked) => { error?: object; result?: unknown; status?: number } | undefined) | undefined;
  /** The chain's own node. */
  rpcUrl: string;
};

/** Starts a node on loopback that passes requests on to a chain, for as long as it lives. */
export async function startMortalRpc({ answer, rpcUrl }: MortalRpcParameters): Promise<MortalRpc> {
  const pass = async (body: string) => {
    const headers = { "content-type": "application/json" };
    return (await fetch(node.upstream, { body, headers, method: "POST" })).text();
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    let text = "";
    for await (const part of request) text += part;
    const asked: Asked = JSON.parse(text);
    node.asked.push(asked);
    node.lives -= 1;
    if (node.lives < 0) return request.socket.destroy();
    const fault = node.fault?.(asked);
    if (fault === "drop") return request.socket.destroy();
    if (fault === "html")
      return response.writeHead(200, { "content-type": "text/html" }).end("<html>busy</html>");
    // A node that hangs has often done what it was asked.
    if (fault === "hang" || fault === "truncate") {
      const done = await pass(text);
      if (fault === "hang") return;
      response.writeHead(200, { "content-length": done.length, "content-type": "application/json" });
      return response.write(done.slice(0, done.length / 2));
    }
    if (fault !== undefined) await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
    const own = answer?.(asked);
    response.writeHead(own?.status ?? 200, { connection: "close", "content-type": "application/json" });
    if (own !== undefined) {
      const { status: _, ...rest } = own;
      return response.end(JSON.stringify({ id: asked.id, jsonrpc: "2.0", ...rest }));
    }
    return response.end(await pass(text));
  };
  const server = createServer((request, response) => {
    // A chain that is gone takes its node with it.
    serve(request, response).catch(() => request.socket.destroy());
  });
  // It has no websocket.
  server.on("upgrade", (_, socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const node: MortalRpc = {
    asked: [],
    client: createClient({ transport: http(`http://127.0.0.1:${port}/secret-key`, { retryCount: 0 }) }),
    fault: undefined,
    lives: Number.POSITIVE_INFINITY,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
    upstream: rpcUrl,
    url: `http://127.0.0.1:${port}`,
  };
  return node;
}
