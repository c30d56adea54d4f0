import { RpcRequestError } from "viem";
import type { Rpc } from "../rpc.ts";

/** The part of an EIP-1193 provider that is used here. */
export type Provider = {
  request(call: { method: string; params?: readonly unknown[] | object }): Promise<unknown>;
};

/** JSON-RPC's number for a call that reverted, as geth has it. */
const revertCode = 3;
const internalErrorCode = -32_603;

/** Speaks to a provider in this process, with the errors that its server would answer with. */
export function inProcessRpc(provider: Provider, url: string): Rpc {
  return async (method, params = []) => {
    try {
      return await provider.request({ method, params });
    } catch (error) {
      throw asRpcError(error, { method, params }, url);
    }
  };
}

/** The error that an HTTP client would have made of the server's answer, so that callers see one kind only. */
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
