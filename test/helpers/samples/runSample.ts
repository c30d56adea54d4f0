import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { formatWithOptions } from "node:util";
import { sourcesByName } from "../../../scripts/checks/samples/compileSamples.ts";
import type { Sample } from "../../../scripts/checks/samples/readSamples.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const IMPORT = /(?<=\bfrom )"([^"]+)"/g;
const PRINTED = /console\.log\(.*; \/\/ (.+)$/gm;

/** Runs a sample as a module. Returns what it printed, and what its comments promise, in this order. */
export async function runSample({
  code,
  line,
  page,
}: Sample): Promise<{ printed: string[]; promised: RegExp[] }> {
  const sources = new Map(sourcesByName()).set(
    "@waybill/emulator/testing",
    join(import.meta.dirname, "sharedEmulator.ts"),
  );
  const path = join(root, "cache", "samples", "run", `${page}-${line}.ts`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    code.replace(IMPORT, (text, name) => JSON.stringify(sources.get(name) ?? name) || text),
  );
  const printed: string[] = [];
  const { log } = console;
  console.log = (...values) => {
    printed.push(formatWithOptions({ breakLength: Number.POSITIVE_INFINITY }, ...values));
  };
  try {
    await import(path);
  } finally {
    console.log = log;
  }
  const promised = [...code.matchAll(PRINTED)].map(([, text = ""]) => patternOf(text));
  return { printed, promised };
}

/** `…` stands for any text. */
function patternOf(text: string): RegExp {
  const parts = text.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".+")}$`);
}
