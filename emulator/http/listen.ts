import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { PortInUseError } from "../chains/ports.ts";

/** A listening HTTP server. */
export type Listening = { readonly url: string; close(): Promise<void> };

/** How long a client may take to send its headers, and its whole request, in milliseconds. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
/** How long answers under way may delay a stop, in milliseconds. */
const closeGraceMs = 2_000;

/**
 * Serves a fetch handler over HTTP.
 *
 * @throws PortInUseError when somebody else has the port.
 */
export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  { hostname, port }: { hostname: string; port: number },
): Promise<Listening> {
  const server = createAdaptorServer({ fetch, hostname }) as Server;
  server.headersTimeout = headersTimeoutMs;
  server.requestTimeout = requestTimeoutMs;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "EADDRINUSE" ? new PortInUseError({ hostname, port }) : error),
    );
    server.listen(port, hostname, resolve);
  });
  const address = server.address() as AddressInfo;
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    close: () =>
      new Promise((resolve, reject) => {
        const grace = setTimeout(() => server.closeAllConnections(), closeGraceMs);
        server.close((error) => {
          clearTimeout(grace);
          if (error === undefined) resolve();
          else reject(error);
        });
        server.closeIdleConnections();
      }),
    url: `http://${host}:${address.port}`,
  };
}
