import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";

/** What an upstream does to a request before, or instead of, passing it on. */
type Trouble = (call: { readonly method: string; readonly count: number }) => Answer | undefined;

/** A status with a body, a JSON-RPC error, a cut connection or a pause before the node's own answer. */
type Answer =
  | { readonly status: number; readonly headers?: Record<string, string> }
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly cut: true }
  | { readonly pauseMs: number };

/** A proxy before a node, whose behaviour tests change. */
export type TroubledUpstream = {
  readonly url: string;
  /** Methods that were requested, in order. */
  readonly requests: string[];
  /** Replaces the trouble; `undefined` passes everything on. */
  trouble(next: Trouble | undefined): void;
  close(): Promise<void>;
};

/** Starts the proxy on a free loopback port. */
export async function startTroubledUpstream(node: string): Promise<TroubledUpstream> {
  const requests: string[] = [];
  let trouble: Trouble | undefined;
  const server = createServer(async (request, response) => {
    const call = (await json(request)) as { id: unknown; method: string };
    requests.push(call.method);
    const count = requests.filter((method) => method === call.method).length;
    const answer = trouble?.({ count, method: call.method });
    if (answer !== undefined && "cut" in answer) return void request.socket.destroy();
    if (answer !== undefined && "status" in answer) {
      return void response.writeHead(answer.status, answer.headers).end("busy");
    }
    if (answer !== undefined && "error" in answer) {
      return void response.end(JSON.stringify({ error: answer.error, id: call.id, jsonrpc: "2.0" }));
    }
    if (answer !== undefined) await delay(answer.pauseMs);
    const body = JSON.stringify(call);
    const passed = await fetch(node, {
      body,
      headers: { "content-type": "application/json" },
      method: "POST",
    });
    response.end(await passed.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
    requests,
    trouble: (next) => {
      trouble = next;
    },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
}
