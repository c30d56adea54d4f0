/** Keeps one byte more than the maximum, to detect a body that is too long. */
const most = 1_048_577;

/**
 * Reads a body to its end, and keeps at most the maximum of a webhook plus one byte.
 *
 * @example
 * await readStream(new Response("{}").body); // the bytes of "{}"
 */
export async function readStream(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  while (size < most) {
    const { done, value } = await reader.read();
    if (done) return join(parts, size);
    parts.push(value);
    size += value.byteLength;
  }
  await reader.cancel();
  return join(parts, size);
}

function join(parts: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.byteLength;
  }
  return bytes;
}
