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
 * Reads a request's body as text, keeping at most half a megabyte in memory.
 *
 * @throws BodyTooLargeError when it is longer than half a megabyte, BodyAbortedError when it does not come to its end.
 */
export async function readBody(http: HonoContext): Promise<string> {
  const body = await readBytes(http).catch((cause) => {
    throw new BodyAbortedError("The body did not come to its end", { cause });
  });
  if (body === undefined) throw new BodyTooLargeError(`The body is longer than ${maxBodyBytes} bytes`);
  return body.toString("utf8");
}

/** The body, or `undefined` when it is too long. */
async function readBytes({ env, req }: HonoContext): Promise<Buffer | undefined> {
  // Node reads no further than the announced length, and its adapter reads such a body without a costly web stream.
  const announced = Number(req.header("content-length") ?? Number.POSITIVE_INFINITY);
  if (announced <= maxBodyBytes) return Buffer.from(await req.arrayBuffer());
  const kept: Uint8Array[] = [];
  let size = 0;
  const stream = req.raw.body as (ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) | null;
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength;
    if (size <= maxBodyBytes) kept.push(chunk);
    if (size <= maxDrainedBytes) continue;
    // The connection ends here: the rest of the body would stand where the next request is expected.
    (env as Partial<HttpBindings> | undefined)?.incoming?.destroy();
    break;
  }
  return size > maxBodyBytes ? undefined : Buffer.concat(kept);
}
