import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Client, createClient, http } from "viem";

type Asked = { id: number; method: string; params: unknown[] };

/** Faults of a node: no answer, a closed connection, a page, a part of the answer, or a delay (milliseconds). */
export type RpcFault = "hang" | "drop" | "html" | "truncate" | { readonly delayMs: number };

/** A proxy between a client and a chain that dies after a given number of requests. */
export type MortalRpc = {
  /** See {@link MortalRpcParameters}. */
  answer: MortalRpcParameters["answer"];
  readonly asked: Asked[];
  readonly client: Client;
  /** Requests that the node still answers; afterwards it drops every connection. */
  lives: number;
  /** Fault of each request; none by default. */
  fault: ((asked: Asked) => RpcFault | undefined) | undefined;
  /** URL of the chain, which can be replaced. */
  upstream: string;
  stop(): void;
  /** URL of the node, for tests with a client of their own. */
  readonly url: string;
};

/** Parameters of {@link startMortalRpc}. */
export type MortalRpcParameters = {
  /** Answers instead of the chain where it returns something: a result, an HTTP status, or an error of JSON-RPC. */
  answer?: ((asked: Asked) => { error?: object; result?: unknown; status?: number } | undefined) | undefined;
  /** The chain's own node. */
  rpcUrl: string;
};

/** Starts a node on loopback that forwards requests to a chain until it dies. */
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
    // A node that hangs has often executed the request.
    if (fault === "hang" || fault === "truncate") {
      const done = await pass(text);
      if (fault === "hang") return;
      response.writeHead(200, { "content-length": done.length, "content-type": "application/json" });
      return response.write(done.slice(0, done.length / 2));
    }
    if (fault !== undefined) await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
    const own = node.answer?.(asked);
    response.writeHead(own?.status ?? 200, { connection: "close", "content-type": "application/json" });
    if (own !== undefined) {
      const { status: _, ...rest } = own;
      return response.end(JSON.stringify({ id: asked.id, jsonrpc: "2.0", ...rest }));
    }
    return response.end(await pass(text));
  };
  const server = createServer((request, response) => {
    // A node without its chain drops the connection.
    serve(request, response).catch(() => request.socket.destroy());
  });
  // The node has no websocket.
  server.on("upgrade", (_, socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const node: MortalRpc = {
    answer,
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
