import { HttpRequestError, RpcRequestError, TimeoutError } from "viem";
import { getHttpRpcClient } from "viem/utils";
import { isRead } from "../readCache.ts";
import { fetchWhole, type Rpc } from "../rpc.ts";

/**
 * JSON-RPC over HTTP. An unanswered read is repeated once. Other calls are not, because the node may have executed
 * them: look a transaction up before you send it again.
 */
export function httpRpc(url: string, timeoutMs: number): Rpc {
  const http = getHttpRpcClient(url, { fetchFn: fetchWhole, timeout: timeoutMs });
  const ask = async (method: string, params: readonly unknown[]) => {
    const body = { method, params };
    const { error, result } = await http.request({ body });
    if (error !== undefined) throw new RpcRequestError({ body, error, url });
    return result as unknown;
  };
  return (method, params = []) =>
    ask(method, params).catch((error: unknown) => {
      if (!isRead(method) || !isTransportError(error)) throw error;
      return ask(method, params);
    });
}

/** Whether a node gave no answer or no JSON, according to an error or one of its causes. */
export function isTransportError(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof HttpRequestError || current instanceof TimeoutError) return true;
  }
  return false;
}
