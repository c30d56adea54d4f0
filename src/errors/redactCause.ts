import { redactUrls } from "./redactUrls.ts";

/** Wallet errors nest only a few levels. */
const deepest = 24;

/** Platform errors keep these in class getters, which do not work on a copy. */
const inherited = ["name", "message", "code", "cause", "stack"];

type Copy = { isChanged: boolean; made: Map<object, unknown>; secrets: Set<string> };

/**
 * Removes node URLs, which contain keys and credentials, from an error of another library: message, stack, causes and
 * all fields. Also removes the keys where they appear without their URL.
 *
 * @returns The error itself if it has no secrets, else a copy of the same class. The copy omits opaque objects, such as
 * requests.
 */
export function redactCause(cause: unknown): unknown {
  const secrets = new Set<string>();
  const copyOnce = () => {
    const copy = { isChanged: false, made: new Map(), secrets };
    const value = copyOf(cause, copy, 0);
    return copy.isChanged ? value : cause;
  };
  try {
    // The first copy collects the secrets, the second one omits them.
    copyOnce();
    return copyOnce();
  } catch {
    return new Error("An error that cannot be read.");
  }
}

function copyOf(value: unknown, copy: Copy, depth: number): unknown {
  if (typeof value === "string") return clean(value, copy);
  if (typeof value !== "object" || value === null) return value;
  if (copy.made.has(value)) return copy.made.get(value);
  const prototype: object | null = Object.getPrototypeOf(value);
  const isError = value instanceof Error;
  const isPlain = prototype === Object.prototype || prototype === null || Array.isArray(value);
  if (depth > deepest || !(isError || isPlain)) {
    copy.isChanged = true;
    return undefined;
  }
  const target: object = isError ? new Error() : Array.isArray(value) ? [] : {};
  Object.setPrototypeOf(target, prototype);
  copy.made.set(value, target);
  const names = isError ? new Set([...inherited, ...Reflect.ownKeys(value)]) : Object.keys(value);
  for (const name of names) {
    const field: unknown = Reflect.get(value, name);
    if (field === undefined || typeof field === "function") continue;
    const enumerable = Object.getOwnPropertyDescriptor(value, name)?.enumerable ?? false;
    const copied = name === "stack" && isError ? cleanStack(field, copy) : copyOf(field, copy, depth + 1);
    Object.defineProperty(target, name, { configurable: true, enumerable, value: copied, writable: true });
  }
  return target;
}

function clean(text: string, copy: Copy): string {
  let cleaned = redactUrls(text, copy.secrets);
  for (const secret of copy.secrets) cleaned = cleaned.replaceAll(secret, "…");
  if (cleaned !== text) copy.isChanged = true;
  return cleaned;
}

/** In a browser, stack frames are URLs of the app, which stay. */
function cleanStack(stack: unknown, copy: Copy): string {
  const text = String(stack);
  const places = text.search(/\n\s+at /);
  return places < 0 ? clean(text, copy) : clean(text.slice(0, places), copy) + text.slice(places);
}
