import type * as z from "zod/mini";
import { createClient } from "../../src/client/createClient.ts";
import type { RequestParameters } from "../../src/client/internal/Client.ts";

/** A call below `/admin` of an emulator. */
export type AdminCall<Schema extends z.ZodMiniType> = Pick<
  RequestParameters<Schema>,
  "body" | "method" | "path" | "schema" | "signal" | "timeout"
>;

/** Calls a route below `/admin` of an emulator, once. The admin key follows no redirect. */
export async function callAdmin<Schema extends z.ZodMiniType>(
  { key, url: baseUrl }: { readonly key: string; readonly url: string },
  { path, ...call }: AdminCall<Schema>,
): Promise<z.output<Schema>> {
  const client = createClient({
    baseUrl,
    fetch: (url, init) => {
      const headers = new Headers(init.headers);
      headers.set("x-admin-key", key);
      return fetch(url, { ...init, headers });
    },
    retry: { count: 0 },
  });
  const operation = `calling ${path}`;
  return client.request({ ...call, operation, path: `/admin${path}`, safe: call.method === "GET" });
}
