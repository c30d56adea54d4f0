import type { Context as HonoContext } from "hono";

/** A quote with 256 large calls fits many times over. */
const maxBodyBytes = 512 * 1024;
/** A body that is too long is read on to here and thrown away, so that its sender gets to read the answer. */
const maxDrainedBytes = 8 * 1024 * 1024;

/** A body that is longer than anything this interface has a use for. */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";
}

/**
 * Reads a request's body as text, keeping no more than the limit in memory whatever its headers say.
 *
 * @throws BodyTooLargeError when it is longer than half a megabyte.
 */
export async function readBody(http: HonoContext): Promise<string> {
  const { body } = http.req.raw;
  if (body === null) return "";
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size <= maxBodyBytes) kept.push(chunk);
    if (size > maxDrainedBytes) break;
  }
  if (size > maxBodyBytes) throw new BodyTooLargeError(`The body is longer than ${maxBodyBytes} bytes`);
  return Buffer.concat(kept).toString("utf8");
}
