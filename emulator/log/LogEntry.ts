/** One log entry. */
export type LogEntry = {
  readonly level: "info" | "error";
  readonly message: string;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
};
