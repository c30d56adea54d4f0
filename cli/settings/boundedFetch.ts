/** Largest answer of a node, in bytes after decompression: a block with all its transactions has a few millions. */
const mostBytes = 33_554_432;

/** `fetch` for nodes. A longer body fails while it is read, so that a node cannot exhaust the memory. */
export async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const answer = await fetch(input, init);
  if (answer.body === null) return answer;
  let size = 0;
  const counted = answer.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size > mostBytes) controller.error(new Error(`an answer above ${mostBytes} bytes`));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { headers, status, statusText } = answer;
  return new Response(counted, { headers, status, statusText });
}
