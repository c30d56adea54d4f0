import { RpcRequestError } from "viem";
import type { Rpc } from "../rpc.ts";

/** The used part of an EIP-1193 provider. */
export type Provider = {
  request(call: { method: string; params?: readonly unknown[] | object }): Promise<unknown>;
};

/** JSON-RPC error code of a reverted call, as in geth. */
const revertCode = 3;
const internalErrorCode = -32_603;

/** JSON-RPC over a provider in this process, with the errors of its HTTP server. */
export function inProcessRpc(provider: Provider, url: string): Rpc {
  return async (method, params = []) => {
    try {
      return await provider.request({ method, params });
    } catch (error) {
      throw asRpcError(error, { method, params }, url);
    }
  };
}

/** Converts an error to the one of an HTTP client, so that callers handle one kind only. */
function asRpcError(error: unknown, body: Record<string, unknown>, url: string): unknown {
  if (!(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "number" ? error.code : internalErrorCode;
  const data = "data" in error ? error.data : undefined;
  const returned = dataOf(data);
  const { message } = error;
  return new RpcRequestError({
    body,
    error: { code, data: code === revertCode ? returned : { data: returned, message }, message },
    url,
  });
}

function dataOf(data: unknown): string | undefined {
  if (typeof data === "string") return data;
  if (typeof data === "object" && data !== null && "data" in data && typeof data.data === "string") {
    return data.data;
  }
  return undefined;
}
