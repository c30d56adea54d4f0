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

/** Why a target gave no answer, in words. */
export class NoAnswerError extends Error {}

/**
 * Posts a message with the same bytes and headers. Follows no redirect: its status is the answer. Credentials of the URL are sent
 * as a header, unless the message has one.
 *
 * @param rawHeaders Names and values in turn, as Node gives them.
 * @throws NoAnswerError
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
  const target = new URL(url);
  headers.push("host", target.host, "content-length", String(body.byteLength), "connection", "close");
  const authorization = authorizationOf(target);
  const isAuthorized = headers.some((name, i) => i % 2 === 0 && name.toLowerCase() === "authorization");
  if (authorization !== undefined && !isAuthorized) headers.push("authorization", authorization);
  const request = target.protocol === "https:" ? httpsRequest : httpRequest;
  const late = AbortSignal.timeout(timeout);
  const limit = AbortSignal.any([signal, late]);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(target, { agent: false, headers, method: "POST", signal: limit });
      sent.once("response", resolve);
      // An answer of another protocol; the connection is closed.
      sent.once("upgrade", (_, socket) => {
        socket.destroy();
        reject(new NoAnswerError("it switched protocols"));
      });
      // A target that answers before it read the body can fail more than once.
      sent.on("error", reject);
      sent.end(body);
    });
    const answer = await readAll(response);
    if (answer === undefined) throw new NoAnswerError("its body is above one mebibyte");
    return {
      body: answer,
      contentType: response.headers["content-type"],
      durationMs: Math.round(performance.now() - start),
      statusCode: response.statusCode ?? 502,
    };
  } catch (cause) {
    if (cause instanceof NoAnswerError) throw cause;
    if (signal.aborted) throw new NoAnswerError("the listener ended", { cause });
    if (late.aborted) throw new NoAnswerError(`none within ${timeout / 1_000} s`, { cause });
    const { code, name } = cause as NodeJS.ErrnoException;
    throw new NoAnswerError(code ?? name, { cause });
  }
}

function authorizationOf({ password, username }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  const decoded = `${decode(username)}:${decode(password)}`;
  return `Basic ${Buffer.from(decoded).toString("base64")}`;
}

/** A percent sign may stand for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Largest body of a webhook or its answer, in bytes. */
const largestBody = 1_048_576;

/** Reads a whole body; `undefined` above one mebibyte, after which the connection is closed. */
export async function readAll(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > largestBody) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
