import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Answers of an upstream about one block, kept on disk. */
export type ForkCache = {
  get(key: string): unknown;
  /** Stores an answer. It never changes afterwards. */
  set(key: string, answer: unknown): void;
};

/** Folder of the caches: `$XDG_CACHE_HOME/waybill/forks`, by default in `~/.cache`. */
export function defaultCacheFolder(): string {
  return join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "waybill", "forks");
}

/**
 * Opens the cache of a block: one file, to which each answer is appended as a line of JSON. The file's name contains a hash of
 * the URL, because the URL may contain a key. A line that a crash cut short is skipped.
 */
export function openForkCache(
  folder: string,
  { block, chainId, rpcUrl }: { readonly block: number; readonly chainId: number; readonly rpcUrl: string },
): ForkCache {
  const source = createHash("sha256").update(rpcUrl).digest("hex").slice(0, 12);
  const file = join(folder, `${chainId}-${block}-${source}.jsonl`);
  mkdirSync(folder, { recursive: true });
  const answers = new Map<string, unknown>();
  for (const line of readLines(file)) {
    const entry = parseEntry(line);
    if (entry !== undefined) answers.set(entry[0], entry[1]);
  }
  return {
    get: (key) => answers.get(key),
    set: (key, answer) => {
      if (answers.has(key)) return;
      answers.set(key, answer);
      // The newline comes first: it ends a line that a crash cut short.
      appendFileSync(file, `\n${JSON.stringify([key, answer])}`);
    },
  };
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}

function parseEntry(line: string): readonly [string, unknown] | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return Array.isArray(entry) && typeof entry[0] === "string" ? [entry[0], entry[1]] : undefined;
  } catch {
    return undefined;
  }
}
