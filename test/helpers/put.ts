type Json = Record<string, unknown>;

/** Sets the value at a path of a quote, such as `steps.1.items.0.data.nonce`, or what a function makes of the present one. */
export function put(quote: object, path: string, value: unknown): void {
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  let target = quote as Json;
  for (const key of keys) target = target[key] as Json;
  if (!(last in target)) throw new Error(`the quote has no ${path}`);
  target[last] = typeof value === "function" ? value(target[last]) : value;
}
