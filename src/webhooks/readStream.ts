/** Keeps one byte more than the maximum, to detect a body that is too long. */
const most = 1_048_577;

/** The used part of an async iterator. */
type Parts = {
  next: () => Promise<IteratorResult<Uint8Array, unknown>>;
  return?: () => Promise<unknown>;
};

/**
 * Reads a body to its end, and keeps at most the maximum of a webhook plus one byte.
 *
 * @example
 * await readStream(new Response("{}").body); // the bytes of "{}"
 */
export async function readStream(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  return readParts({ next: () => reader.read(), return: () => reader.cancel() });
}

/**
 * Reads a body like {@link readStream}, from an iterator of its parts.
 *
 * @example
 * await readParts(request[Symbol.asyncIterator]()); // the bytes of a request of `node:http`
 */
export async function readParts(body: Parts): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  while (size < most) {
    const { done, value } = await body.next();
    if (done === true) return join(parts, size);
    parts.push(value);
    size += value.byteLength;
  }
  await body.return?.();
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
