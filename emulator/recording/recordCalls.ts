import { fromJson, toJson } from "./Recording.ts";
import type { Run } from "./Run.ts";

/** Functions of the handle that change nothing. */
const reading: ReadonlySet<string> = new Set([
  "deliveries",
  "entries",
  "get",
  "health",
  "list",
  "log",
  "read",
  "snapshots",
]);

/** The handle with its changing functions admitted as inputs, named by their path. */
export function recordCalls<Handle extends object>(handle: Handle, run: Run, path = ""): Handle {
  const wrapped = Object.entries(handle).map(([key, value]: [string, unknown]) => {
    const name = path === "" ? key : `${path}.${key}`;
    if (typeof value === "object" && value !== null) return [key, recordCalls(value, run, name)];
    if (typeof value !== "function" || reading.has(key)) return [key, value];
    const act = value as (...args: unknown[]) => Promise<unknown>;
    return [
      key,
      (...args: unknown[]) =>
        run.admit(
          { args: plain(args), kind: "call", name },
          () => act(...args),
          (answer) => answer ?? null,
        ),
    ];
  });
  return Object.fromEntries(wrapped) as Handle;
}

/** Arguments as JSON has them, without what cannot be repeated, such as signals. */
function plain(args: readonly unknown[]): unknown[] {
  const kept = args.map((arg) => {
    if (typeof arg !== "object" || arg === null) return arg;
    return Object.fromEntries(Object.entries(arg).filter(([, value]) => !(value instanceof AbortSignal)));
  });
  return fromJson(toJson(kept)) as unknown[];
}

/** Finds a function of a handle by its path. */
export function callByName(handle: object, name: string, args: readonly unknown[]): Promise<unknown> {
  let found: unknown = handle;
  for (const key of name.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) {
      throw new Error(`the handle has no ${name}`);
    }
    found = (found as Record<string, unknown>)[key];
  }
  return (found as (...args: readonly unknown[]) => Promise<unknown>)(...args);
}
