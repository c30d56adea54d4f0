/**
 * Reads a body to its end as text, and keeps no more of it than it may be long.
 *
 * @param message An answer or a call. A platform whose bodies are no streams reads it by itself.
 * @param mostBytes After decompression.
 * @returns `undefined` when it is longer: the rest is not read, and the connection let go.
 * @throws Whatever broke the connection.
 *
 * @example
 * await readBody(new Response("{}"), 1_024); // "{}"
 */
export async function readBody(
  message: Pick<Response, "body" | "text">,
  mostBytes: number,
): Promise<string | undefined> {
  if (!message.body) return message.text();
  const reader = message.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > mostBytes) {
      // Not waited for: the other side may never let go.
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
