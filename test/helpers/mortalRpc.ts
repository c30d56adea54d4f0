import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Client, createClient, http } from "viem";

type Asked = { id: number; method: string; params: unknown[] };

/** A node between a client and a chain, which can be told how many requests it lives for. */
export type MortalRpc = {
  readonly asked: Asked[];
  readonly client: Client;
  /** Requests that it still answers; behind them every connection is dropped. */
  lives: number;
  stop(): void;
  /** Where it is, for whoever brings a client of their own. */
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
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    const asked: Asked = JSON.parse(text);
    node.asked.push(asked);
    node.lives -= 1;
    if (node.lives < 0) return request.socket.destroy();
    const own = answer?.(asked);
    response.writeHead(own?.status ?? 200, { connection: "close", "content-type": "application/json" });
    if (own !== undefined) {
      const { status: _, ...rest } = own;
      return response.end(JSON.stringify({ id: asked.id, jsonrpc: "2.0", ...rest }));
    }
    const real = await fetch(rpcUrl, {
      body: text,
      headers: { "content-type": "application/json" },
      method: "POST",
    });
    return response.end(await real.text());
  });
  // It has no websocket.
  server.on("upgrade", (_, socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const node: MortalRpc = {
    asked: [],
    client: createClient({ transport: http(`http://127.0.0.1:${port}/secret-key`, { retryCount: 0 }) }),
    lives: Number.POSITIVE_INFINITY,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
    url: `http://127.0.0.1:${port}`,
  };
  return node;
}
