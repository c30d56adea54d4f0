const encoder = new TextEncoder();
const algorithm = { hash: "SHA-256", name: "HMAC" } as const;

/**
 * HMAC-SHA256 of the Web Crypto API, available in Node, browsers and workers. Imported keys are not readable from
 * JavaScript.
 *
 * @param secret The key, as UTF-8.
 */
export async function importSecret(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign", "verify"]);
}

/** Builds the signed content of a webhook: the timestamp header, a dot, and the raw body. */
export function signedBytes(timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${timestamp}.`);
  const bytes = new Uint8Array(head.byteLength + body.byteLength);
  bytes.set(head);
  bytes.set(body, head.byteLength);
  return bytes;
}

/** Formats bytes in hexadecimal, without `0x`. */
export function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
