import { readBody } from "../../internal/readBody.ts";
import { stripEcho, stripEchoDeep } from "../../internal/stripEcho.ts";
import { isTooDeep } from "./isTooDeep.ts";

/** Response headers that a client reads. */
const passedOn = ["deprecation", "link", "retry-after", "sunset"];

/** Every response is JSON; browsers must not sniff another type. */
const jsonHeaders = { "content-type": "application/json", "x-content-type-options": "nosniff" };

/** Limits of {@link passBack}. */
export type PassBackOptions = { apiKey: string; maxResponseBytes: number; signal: AbortSignal };

/**
 * Converts a response of the service to one of the app's origin: JSON without the key, with the same status. Replaces
 * other content with a message, and its 2xx status with 502.
 *
 * @throws The connection's error, or the signal's reason.
 */
export async function passBack(
  answer: Response,
  { apiKey, maxResponseBytes, signal }: PassBackOptions,
): Promise<Response> {
  const { status } = answer;
  if (status < 200 || (status > 299 && status < 400)) {
    return refuse(502, "The service answered with a redirect");
  }
  const text = await readBody(answer, maxResponseBytes, signal);
  if (text === undefined) {
    return refuse(502, `The service answered with more than ${maxResponseBytes} bytes`);
  }
  const headers = new Headers(jsonHeaders);
  for (const name of passedOn) {
    const value = answer.headers.get(name);
    // A header holds no character beyond Latin-1.
    if (value !== null) headers.set(name, stripEcho(value, apiKey, "..."));
  }
  if (text === "") return new Response(null, { headers, status });
  const clean = isJsonType(answer.headers.get("content-type")) ? cleanJson(text, apiKey) : undefined;
  if (clean !== undefined)
    return new Response([204, 205].includes(status) ? null : clean, { headers, status });
  const message = JSON.stringify({ message: "The service answered with something other than JSON" });
  return new Response(message, { headers, status: status < 400 ? 502 : status });
}

/** Builds a response of the handler itself. */
export function refuse(status: number, message: string, more: object = {}): Response {
  return Response.json({ message, ...more }, { headers: jsonHeaders, status });
}

function isJsonType(contentType: string | null): boolean {
  return /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType ?? "");
}

/** JSON without the key; unchanged, with the digits of its numbers, unless it has the key. Undefined for other text. */
function cleanJson(text: string, apiKey: string): string | undefined {
  try {
    const value: unknown = isTooDeep(text) ? undefined : JSON.parse(text);
    const [before, after] = [value, stripEchoDeep(value, apiKey)].map((each) => JSON.stringify(each));
    return before === after ? before && text : after;
  } catch {
    return undefined;
  }
}
