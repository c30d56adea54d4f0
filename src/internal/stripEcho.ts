/**
 * Replaces a secret in a text, plain and percent-encoded: a service repeats what it was sent. One that wants to give the
 * secret away could always do so in another form.
 *
 * @param mark Must be ASCII for header values.
 */
export function stripEcho(text: string, secret: string | undefined, mark = "…"): string {
  if (!secret) return text;
  return text.replaceAll(secret, mark).replaceAll(encodeURIComponent(secret), mark);
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
