import { longestTimer } from "../internal/deadline.ts";
import { sleep as realSleep, type Sleep } from "../internal/sleep.ts";
import { WebhookInvalidError } from "./WebhookInvalidError.ts";

/** Keeps one byte more than the maximum, to detect a body that is too long. */
const most = 1_048_577;

/** Limit of the time that a body takes. */
export type BodyLimit = {
  /** Milliseconds from the first read to the end of the body. Default: 10,000. */
  bodyTimeout?: number | undefined;
  /** Waits. Default: a timer. */
  sleep?: Sleep | undefined;
};

/** The used part of an async iterator. */
type Parts = {
  next: () => Promise<IteratorResult<Uint8Array, unknown>>;
  return?: () => Promise<unknown>;
};

/**
 * Reads a body to its end, and keeps at most the maximum of a webhook plus one byte.
 *
 * @throws WebhookInvalidError `too_slow`, after the body is cancelled; the connection's error.
 */
export async function readStream(
  body: ReadableStream<Uint8Array> | null,
  limit: BodyLimit = {},
): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  return readParts({ next: () => reader.read(), return: () => reader.cancel() }, limit);
}

/** Reads a body like {@link readStream}, from an iterator of its parts. */
export async function readParts(
  body: Parts,
  { bodyTimeout = 10_000, sleep = realSleep }: BodyLimit = {},
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const ended = new AbortController();
  const late = sleep(Math.min(bodyTimeout, longestTimer), ended.signal).then((): never => {
    throw new WebhookInvalidError({ reason: "too_slow" });
  });
  try {
    while (size < most) {
      const { done, value } = await Promise.race([body.next(), late]);
      if (done === true) return join(parts, size);
      parts.push(value);
      size += value.byteLength;
    }
    cancel(body);
    return join(parts, size);
  } catch (error) {
    cancel(body);
    throw error;
  } finally {
    ended.abort();
    late.catch(() => undefined);
  }
}

/** Not awaited: an iterator ends only after the part that it waits for. */
function cancel(body: Parts): void {
  body.return?.().catch(() => undefined);
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
