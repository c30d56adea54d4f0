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
  const kept: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of chunksOf(http)) {
      size += chunk.byteLength;
      if (size <= maxBodyBytes) kept.push(chunk);
      if (size > maxDrainedBytes) break;
    }
  } catch (cause) {
    throw new BodyAbortedError("The body did not come to its end", { cause });
  }
  if (size > maxBodyBytes) throw new BodyTooLargeError(`The body is longer than ${maxBodyBytes} bytes`);
  return Buffer.concat(kept).toString("utf8");
}

/**
 * The body piece by piece: straight from the connection where there is one, since a web stream around it costs more than
 * most of what is done with a quote.
 */
function chunksOf(http: HonoContext): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  const { incoming } = (http.env ?? {}) as Partial<HttpBindings>;
  if (incoming !== undefined) return incoming;
  return (http.req.raw.body as (ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) | null) ?? [];
}
