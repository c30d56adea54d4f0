import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createGzip } from "node:zlib";

/** A server whose answers never end. */
export type EndlessServer = {
  /** Bytes written so far, to all, before compression. */
  readonly written: () => number;
  close(): Promise<void>;
  /** Settles once no client is connected any more. */
  quiet(): Promise<void>;
  readonly url: string;
};

/** Parameters of {@link startEndlessServer}. */
export type EndlessServerParameters = {
  /** Announced length of the answer: a gigabyte, or none. */
  contentLength?: number | undefined;
  /** Every byte that is sent becomes about a thousand. */
  gzip?: boolean | undefined;
  status?: number | undefined;
};

const part = Buffer.alloc(65_536, " ");

/** Starts a server on loopback that answers with endless blanks, with which JSON may begin, until the client disconnects. */
export async function startEndlessServer(parameters: EndlessServerParameters = {}): Promise<EndlessServer> {
  const { contentLength, gzip = false, status = 200 } = parameters;
  let written = 0;
  const open = new Set<ServerResponse>();
  const server = createServer((_request, response) => {
    open.add(response);
    response.once("close", () => open.delete(response));
    response.writeHead(status, {
      connection: "close",
      "content-type": "application/json",
      ...(contentLength === undefined ? {} : { "content-length": contentLength }),
      ...(gzip ? { "content-encoding": "gzip" } : {}),
    });
    const body = gzip ? createGzip() : response;
    if (body !== response) body.pipe(response);
    const pour = () => {
      while (!response.destroyed) {
        written += part.byteLength;
        if (!body.write(part)) return;
      }
    };
    body.on("drain", pour);
    response.on("error", () => undefined);
    pour();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
    quiet: async () => {
      for (const response of open) if (!response.closed) await once(response, "close");
    },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    written: () => written,
  };
}
