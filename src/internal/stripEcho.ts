/**
 * Replaces a secret in a text, plain and percent-encoded. Smaller than `stripSecret`, for data that only the caller
 * sees, who has the secret anyway.
 */
export function stripEcho(text: string, secret: string | undefined): string {
  if (!secret) return text;
  return text.replaceAll(secret, "…").replaceAll(encodeURIComponent(secret), "…");
}

/** Replaces a secret in all strings of parsed JSON, including field names. */
export function stripEchoDeep(value: unknown, secret: string | undefined): unknown {
  if (typeof value === "string") return stripEcho(value, secret);
  if (Array.isArray(value)) return value.map((entry) => stripEchoDeep(entry, secret));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, field]) => [stripEcho(name, secret), stripEchoDeep(field, secret)]),
  );
}
