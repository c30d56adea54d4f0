/** One log entry. */
export type LogEntry = {
  readonly level: "info" | "error";
  readonly message: string;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
};

/** Window in milliseconds: repetitions of a line within it become one line. */
const usualWindowMs = 10_000;
/** Maximum distinct lines that are folded; further lines are written unfolded. */
const maxLines = 1_000;

type Line = { readonly timer: NodeJS.Timeout; count: number; last: LogEntry };

/** A log that writes a repeated line once for each window, with the number of repetitions. */
type FoldedLog = {
  log(entry: LogEntry): void;
  /** Writes all pending counts. */
  flush(): void;
};

/** Folds repeated lines: the first is written at once, repetitions as "… repeated 120 times in 10 s". */
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
    // A line without repetitions for a whole window starts over.
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

/** First line of the message: later lines hold details that differ each time, such as hashes and block numbers. */
function reasonOf(cause: unknown): string {
  return cause instanceof Error ? (cause.message.split("\n", 1)[0] ?? "") : "";
}
