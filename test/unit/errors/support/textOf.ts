import { inspect } from "node:util";

/** All text of a value: a logger's output, every own field at any depth, and JSON. */
export function textOf(value: unknown): string {
  const texts: string[] = [inspect(value, { depth: null, maxStringLength: null, showHidden: true })];
  const seen = new Set<unknown>();
  const walk = (inner: unknown): void => {
    if (typeof inner === "string") texts.push(inner);
    if ((typeof inner !== "object" && typeof inner !== "function") || inner === null || seen.has(inner))
      return;
    seen.add(inner);
    for (const name of Reflect.ownKeys(inner)) {
      texts.push(String(name));
      walk(Reflect.get(inner, name));
    }
    if (inner instanceof Headers) texts.push(JSON.stringify([...inner]));
    if (inner instanceof Error)
      for (const name of ["message", "stack", "cause"]) walk(Reflect.get(inner, name));
  };
  walk(value);
  return texts.join("\n");
}
