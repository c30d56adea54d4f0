import { validateHeaderName, validateHeaderValue } from "node:http";
import * as z from "zod";
import { signatureHeader, timestampHeader } from "../../src/webhooks/headers.ts";
import { WebhookRefusedError } from "../errors/WebhookRefusedError.ts";

const mostHeaders = 50;
const longestValue = 4_096;

/** Those that make the request what it is, or that tell the receiver who sent it. */
const reserved: ReadonlySet<string> = new Set([
  signatureHeader,
  timestampHeader,
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const headersSchema = z.record(z.string(), z.string());

/** Reads the custom headers of an endpoint from their stored form. */
export function parseCustomHeaders(json: string): Readonly<Record<string, string>> {
  return headersSchema.parse(JSON.parse(json));
}

/**
 * Looks at the headers that somebody wants to have sent along.
 *
 * @throws WebhookRefusedError for those that cannot be sent, or that would override the service's own.
 */
export function assertCustomHeaders(headers: Readonly<Record<string, string>>): void {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  if (names.length > mostHeaders)
    throw new WebhookRefusedError(`There are more than ${mostHeaders} headers.`);
  if (new Set(names).size < names.length) throw new WebhookRefusedError("A header is there twice.");
  for (const [name, value] of Object.entries(headers)) {
    if (reserved.has(name.toLowerCase()) || /^proxy-/i.test(name)) {
      throw new WebhookRefusedError(`The header ${name} is the service's own.`);
    }
    // A value may be a secret: neither it nor what is said about it is repeated.
    if (!isSendable(name, value)) throw new WebhookRefusedError("A header cannot be sent as it is.");
  }
}

function isSendable(name: string, value: string): boolean {
  if (name.length > longestValue || value.length > longestValue) return false;
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
