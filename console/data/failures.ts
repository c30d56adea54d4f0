import page from "../../docs/reference/failures.md";
import { fixes } from "../../src/calls/failureFixes.ts";

/** Causes by reason, from the tables of the guide, so that console and guide say the same. */
const causes = new Map<string, string>();
for (const line of page.split("\n")) {
  const [, names, cause] = /^\| (`[A-Z][^|]*`) \| ([^|]+?) \|/.exec(line) ?? [];
  for (const [, name = ""] of names?.matchAll(/`([A-Z_0-9]+)`/g) ?? []) {
    const known = causes.get(name);
    const plain = (cause ?? "").replaceAll(/`|\[([^\]]+)\]\([^)]*\)/g, "$1");
    causes.set(name, known === undefined ? plain : `${known}; or: ${plain}`);
  }
}

/** Why a request ends so, and what to do. */
export function explain(reason: string): { readonly cause: string | undefined; readonly cure: string } {
  return {
    cause: causes.get(reason),
    cure:
      fixes[reason] ??
      "Ask for a new quote. If a fault of the emulator forced this, remove it on the page Control.",
  };
}
