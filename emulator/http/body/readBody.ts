import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { Context as HonoContext } from "hono";

/** A quote with 256 large calls fits many times over. */
const maxBodyBytes = 512 * 1024;
/** A body that is too long is read on to here and thrown away, so that its sender gets to read the answer. */
const maxDrainedBytes = 8 * 1024 * 1024;

/** A body that is longer than anything this interface has a use for. */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";
}

/** A body whose sender went away, or was cut off, before its end. */
export class BodyAbortedError extends Error {
  override readonly name = "BodyAbortedError";
}

/**
 * Reads a request's body as text, keeping no more than the limit in memory whatever its headers say.
 *
 * @throws BodyTooLargeError when it is longer than half a megabyte, BodyAbortedError when it does not come to its end.
 */
export async function readBody(http: HonoContext): Promise<string> {
  const { incoming } = (http.env ?? {}) as Partial<HttpBindings>;
  const body = keepBody();
  try {
    // Straight from the connection where there is one, since a web stream around it costs more than most of what is done
    // with a quote.
    if (incoming === undefined) await takeStream(http.req.raw.body, body);
    else await takeIncoming(incoming, body);
  } catch (cause) {
    throw new BodyAbortedError("The body did not come to its end", { cause });
  }
  return body.text();
}

/** What was read of a body so far. */
type Body = {
  /** @returns Whether more of it is wanted. */
  take(chunk: Uint8Array): boolean;
  text(): string;
};

function keepBody(): Body {
  const kept: Uint8Array[] = [];
  let size = 0;
  return {
    take: (chunk) => {
      size += chunk.byteLength;
      if (size <= maxBodyBytes) kept.push(chunk);
      return size <= maxDrainedBytes;
    },
    text: () => {
      if (size > maxBodyBytes) throw new BodyTooLargeError(`The body is longer than ${maxBodyBytes} bytes`);
      return Buffer.concat(kept).toString("utf8");
    },
  };
}

async function takeStream(stream: ReadableStream<Uint8Array> | null, body: Body): Promise<void> {
  const chunks = stream as (ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) | null;
  for await (const chunk of chunks ?? []) if (!body.take(chunk)) return;
}

/** By its events: an iterator over them costs as much again as everything else that Node does with a short body. */
function takeIncoming(incoming: IncomingMessage, body: Body): Promise<void> {
  return new Promise((resolve, reject) => {
    // Nothing is told of one whose client is gone already.
    if (incoming.destroyed) return reject(incoming.errored ?? new Error("the connection was closed"));
    incoming.on("data", (chunk: Buffer) => {
      if (body.take(chunk)) return;
      resolve();
      incoming.destroy();
    });
    incoming.on("end", resolve);
    incoming.on("error", reject);
    incoming.on("close", () => {
      if (!incoming.readableEnded) reject(new Error("the connection was closed"));
    });
  });
}
