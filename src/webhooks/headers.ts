import { WebhookInvalidError } from "./WebhookInvalidError.ts";

/** Header with the unix timestamp. */
export const timestampHeader = "x-signature-timestamp";

/** Header with the signature: HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal. */
export const signatureHeader = "x-signature-sha256";

/** Headers of any server: `Headers`, or an object with names in any letter case. */
export type WebhookHeaders =
  | { get: (name: string) => string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Reads a header that must occur once.
 *
 * @throws WebhookInvalidError for a missing or repeated header.
 */
export function readHeader(headers: WebhookHeaders, name: string): string {
  const values = valuesOf(headers, name);
  const [value] = values;
  // Some servers join repeated headers with commas, which neither value may contain.
  if (values.length > 1 || value?.includes(",") === true) {
    throw new WebhookInvalidError({ details: name, reason: "duplicate_header" });
  }
  if (value === undefined || value.trim() === "") {
    throw new WebhookInvalidError({ details: name, reason: "missing_header" });
  }
  return value.trim();
}

function valuesOf(headers: WebhookHeaders, name: string): readonly string[] {
  if (typeof headers !== "object" || headers === null) return [];
  if (typeof headers.get === "function") {
    const value: unknown = headers.get(name);
    return typeof value === "string" ? [value] : [];
  }
  return Object.entries<unknown>(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value)
    .filter((value) => typeof value === "string");
}
