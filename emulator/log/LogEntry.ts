/** One log entry. */
export type LogEntry = {
  readonly level: "info" | "error";
  readonly message: string;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
};

const usualWindowMs = 10_000;
/** Maximum distinct lines that are remembered. */
const maxLines = 1_000;

/** A log that drops a line which it wrote less than `windowMs` milliseconds ago. */
export function dropRepetitions(
  write: (entry: LogEntry) => void,
  windowMs = usualWindowMs,
): (entry: LogEntry) => void {
  const writtenAt = new Map<string, number>();
  return (entry) => {
    const key = [entry.level, entry.message, entry.requestId ?? "", reasonOf(entry.cause)].join("\n");
    const now = performance.now();
    if (now - (writtenAt.get(key) ?? Number.NEGATIVE_INFINITY) < windowMs) return;
    if (writtenAt.size >= maxLines) writtenAt.clear();
    writtenAt.set(key, now);
    write(entry);
  };
}

/** First line of the message: later lines hold details that differ each time, such as hashes and block numbers. */
function reasonOf(cause: unknown): string {
  return cause instanceof Error ? (cause.message.split("\n", 1)[0] ?? "") : "";
}
