import type * as z from "zod/mini";
import { createClient } from "../../src/client/createClient.ts";
import type { RequestParameters } from "../../src/client/internal/RequestParameters.ts";
import type { Service } from "../settings/openService.ts";

type AdminCall<Schema extends z.ZodMiniType> = Pick<
  RequestParameters<Schema>,
  "body" | "method" | "schema" | "signal"
> & {
  /** Below `/admin`. */
  readonly path: string;
  /** Milliseconds. @default 30,000 */
  readonly timeout: number | undefined;
};

/**
 * Calls a route below `/admin` of an emulator, once. The admin key follows no redirect.
 *
 * @throws CommandError without an admin key; errors of the client.
 */
export async function callAdmin<Schema extends z.ZodMiniType>(
  service: Pick<Service, "adminKey" | "url">,
  { path, timeout, ...call }: AdminCall<Schema>,
): Promise<z.output<Schema>> {
  const key = service.adminKey();
  const client = createClient({
    baseUrl: service.url,
    fetch: (url, init) => {
      const headers = new Headers(init.headers);
      headers.set("x-admin-key", key);
      return fetch(url, { ...init, headers });
    },
    retry: { count: 0 },
    timeout,
  });
  const operation = `calling ${path}`;
  return client.request({ ...call, operation, path: `/admin${path}`, safe: call.method === "GET" });
}
