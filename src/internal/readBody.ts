/**
 * Reads a body to its end as text, and keeps no more of it than it may be long.
 *
 * @param message An answer or a call. A platform whose bodies are no streams reads it by itself.
 * @param mostBytes After decompression.
 * @param signal Cancels the body when it fires, so that its connection is let go.
 * @returns `undefined` when it is longer: the rest is not read, and the connection let go.
 * @throws Whatever broke the connection, or the signal's reason.
 *
 * @example
 * await readBody(new Response("{}"), 1_024); // "{}"
 */
export async function readBody(
  message: Pick<Response, "body" | "text">,
  mostBytes: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (!message.body) return message.text();
  const reader = message.body.getReader();
  // Not waited for: the other side may never let go.
  const cancel = () => reader.cancel().catch(() => undefined);
  signal?.addEventListener("abort", cancel, { once: true });
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let size = 0; ; ) {
      const { done, value } = await reader.read();
      // A cancelled body ends like a whole one.
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
