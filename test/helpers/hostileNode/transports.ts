import { setImmediate } from "node:timers/promises";
import { FetchRequest, JsonRpcProvider, makeError, Network } from "ethers";
import { custom, http, TimeoutError } from "viem";
import type { Node, Outcome } from "./nodes.ts";

const page = "<html><body>busy</body></html>";

type Answer = { readonly status: number; readonly body: string };

/** The HTTP answer of an outcome. @throws what a platform's `fetch` throws when the connection breaks. */
async function answerOf(node: Node, body: string, hang: () => Promise<never>): Promise<Answer> {
  const { id, method, params = [] } = JSON.parse(body) as { id: number; method: string; params?: unknown[] };
  const outcome = await node(method, params);
  if (!("fault" in outcome)) return { body: JSON.stringify({ id, jsonrpc: "2.0", ...outcome }), status: 200 };
  switch (outcome.fault) {
    case "drop":
      throw new TypeError("fetch failed");
    case "half":
      return { body: `{"jsonrpc":"2.0","id":${id},"resu`, status: 200 };
    case "hang":
      return hang();
    case "html":
      return { body: page, status: 200 };
    case "status 429":
      return { body: page, status: 429 };
    case "status 500":
      return { body: page, status: 500 };
  }
}

/** A viem transport over HTTP to a node. */
export function viemTransport(node: Node, retryCount: number) {
  const url = "http://127.0.0.1:1";
  const fetchFn = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    const asked = String(init?.body);
    // In place of the transport's timer, which would end honest answers on a busy machine too.
    const hang = async () => {
      await setImmediate();
      throw new TimeoutError({ body: JSON.parse(asked), url });
    };
    const { body, status } = await answerOf(node, asked, hang);
    const type = body.startsWith("<") ? "text/html" : "application/json";
    return new Response(body, { headers: { "content-type": type }, status });
  };
  return http(url, { fetchFn, retryCount, retryDelay: 1, timeout: 0 });
}

/** A provider of ethers over HTTP to a node. */
export function ethersProvider(node: Node, chainId: number): JsonRpcProvider {
  const connection = new FetchRequest("http://127.0.0.1:1");
  connection.setThrottleParams({ maxAttempts: 1 });
  connection.getUrlFunc = async (request) => {
    const hang = async () => {
      await setImmediate();
      throw makeError("request timeout", "TIMEOUT", { operation: "request", reason: "timeout", request });
    };
    const { body, status } = await answerOf(node, Buffer.from(request.body ?? []).toString(), hang);
    return { body: Buffer.from(body), headers: {}, statusCode: status, statusMessage: "" };
  };
  const staticNetwork = Network.from(chainId);
  return new JsonRpcProvider(connection, staticNetwork, {
    batchMaxCount: 1,
    cacheTimeout: -1,
    staticNetwork,
  });
}

/** An EIP-1193 provider in a browser. */
export type Provider = { request(call: { method: string; params?: unknown }): Promise<unknown> };

/** A viem transport to a provider. */
export function providerTransport(provider: Provider) {
  return custom(provider as Parameters<typeof custom>[0], { retryCount: 0 });
}

/** An error in the form of EIP-1193. */
export function providerError({ code, message }: { code: number; message: string }): Error {
  return Object.assign(new Error(message), { code });
}

/** The result of an outcome. @throws its error, or one of the connection. */
export function resultOf(outcome: Outcome): unknown {
  if ("result" in outcome) return outcome.result;
  throw "error" in outcome
    ? providerError(outcome.error)
    : providerError({ code: -32603, message: `the connection failed: ${outcome.fault}` });
}
