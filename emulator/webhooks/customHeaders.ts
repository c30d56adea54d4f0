import { validateHeaderName, validateHeaderValue } from "node:http";
import * as z from "zod";
import { signatureHeader, timestampHeader } from "../../src/webhooks/headers.ts";
import { WebhookRefusedError } from "../errors/WebhookRefusedError.ts";

const mostHeaders = 50;
const longestValue = 4_096;

/** Headers of the HTTP protocol and of the signature; custom headers cannot override them. */
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
 * Validates the custom headers of a webhook.
 *
 * @throws WebhookRefusedError for invalid, duplicate or reserved headers, and for too many.
 */
export function assertCustomHeaders(headers: Readonly<Record<string, string>>): void {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  if (names.length > mostHeaders)
    throw new WebhookRefusedError(`There are more than ${mostHeaders} headers.`);
  if (new Set(names).size < names.length) throw new WebhookRefusedError("A header is given twice.");
  for (const [name, value] of Object.entries(headers)) {
    if (reserved.has(name.toLowerCase()) || /^proxy-/i.test(name)) {
      throw new WebhookRefusedError(`The header ${name} is reserved.`);
    }
    // The message repeats neither name nor value: a value may be a secret.
    if (!isSendable(name, value)) throw new WebhookRefusedError("A header has an invalid name or value.");
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
