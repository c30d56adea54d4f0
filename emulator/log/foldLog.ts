import type { LogEntry } from "./LogEntry.ts";

/** Repetitions within this time of a line become one line; milliseconds. */
const usualWindowMs = 10_000;
/** So many different lines are remembered: what comes beyond them is written as it is. */
const maxLines = 1_000;

type Line = { readonly timer: NodeJS.Timeout; count: number; last: LogEntry };

/** A log in which a line that comes again and again is written once per window, with the number of its repetitions. */
export type FoldedLog = {
  log(entry: LogEntry): void;
  /** Writes what is counted at present. */
  flush(): void;
};

/** Folds repeated lines: the first is written at once, those that follow as "… repeated 120 times in 10 s". */
export function foldLog(write: (entry: LogEntry) => void, windowMs = usualWindowMs): FoldedLog {
  const lines = new Map<string, Line>();
  const tell = ({ count, last }: Line) => {
    if (count === 0) return;
    const times = count === 1 ? "once" : `${count} times`;
    write({ ...last, message: `${last.message} … repeated ${times} in ${windowMs / 1_000} s` });
  };
  const endWindow = (key: string) => {
    const line = lines.get(key);
    if (line === undefined) return;
    tell(line);
    // A line that was silent for a whole window begins anew.
    if (line.count === 0) lines.delete(key);
    else lines.set(key, { ...line, count: 0, timer: later(key) });
  };
  const later = (key: string) => setTimeout(endWindow, windowMs, key).unref();
  return {
    flush: () => {
      for (const line of lines.values()) {
        clearTimeout(line.timer);
        tell(line);
      }
      lines.clear();
    },
    log: (entry) => {
      const key = [entry.level, entry.message, entry.requestId ?? "", reasonOf(entry.cause)].join("\n");
      const line = lines.get(key);
      if (line !== undefined) {
        line.count++;
        line.last = entry;
        return;
      }
      write(entry);
      if (lines.size < maxLines) lines.set(key, { count: 0, last: entry, timer: later(key) });
    },
  };
}

/** The first line: those below hold what differs from one time to the next, such as hashes and block numbers. */
function reasonOf(cause: unknown): string {
  return cause instanceof Error ? (cause.message.split("\n", 1)[0] ?? "") : "";
}
