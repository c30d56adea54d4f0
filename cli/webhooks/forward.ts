import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";

/** Headers between two neighbours; the others belong to the message. */
const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** What the target answered. */
export type Forwarded = {
  readonly body: Buffer;
  readonly durationMs: number;
  readonly contentType: string | undefined;
  readonly statusCode: number;
};

/** Time limit of the target, in milliseconds. */
const timeout = 30_000;

/**
 * Posts a message with the same bytes and headers. Follows no redirect: its status is the answer.
 *
 * @param rawHeaders Names and values in turn, as Node gives them.
 */
export async function forward(
  url: string,
  { body, rawHeaders }: { readonly body: Buffer; readonly rawHeaders: readonly string[] },
  signal: AbortSignal,
): Promise<Forwarded> {
  const start = performance.now();
  const headers: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? "";
    if (!hopByHop.has(name.toLowerCase())) headers.push(name, rawHeaders[i + 1] ?? "");
  }
  headers.push("host", new URL(url).host, "content-length", String(body.byteLength), "connection", "close");
  const request = url.startsWith("https:") ? httpsRequest : httpRequest;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { agent: false, headers, method: "POST", signal: limit });
    sent.once("response", resolve);
    sent.once("error", reject);
    sent.end(body);
  });
  const answer = await readAll(response);
  return {
    body: answer,
    contentType: response.headers["content-type"],
    durationMs: Math.round(performance.now() - start),
    statusCode: response.statusCode ?? 502,
  };
}

/** Largest body of a webhook or its answer, in bytes. */
const largestBody = 1_048_576;

/** Reads a whole body. @throws Error above one mebibyte. */
export async function readAll(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > largestBody) throw new Error("a body above one mebibyte");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
