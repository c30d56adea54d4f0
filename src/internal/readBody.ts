/**
 * Reads a body as text, up to a maximum length.
 *
 * @param message A response or request. Platforms without body streams use `text()`.
 * @param mostBytes Maximum after decompression.
 * @param signal Cancels the body and releases its connection.
 * @returns `undefined` for a longer body. The rest is not read, and the connection is released.
 * @throws The connection's error, or the signal's reason.
 */
export async function readBody(
  message: Pick<Response, "body" | "text">,
  mostBytes: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (!message.body) return message.text();
  const reader = message.body.getReader();
  // Not awaited: the peer may never close.
  const cancel = () => reader.cancel().catch(() => undefined);
  signal?.addEventListener("abort", cancel, { once: true });
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let size = 0; ; ) {
      const { done, value } = await reader.read();
      // A cancelled body ends like a complete one.
      signal?.throwIfAborted();
      if (done) return text + decoder.decode();
      size += value.byteLength;
      if (size > mostBytes) {
        cancel();
        return undefined;
      }
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}
