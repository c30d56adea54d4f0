import type { Activity, LogEntry } from "../../emulator/index.ts";
import { printable } from "../../src/errors/printable.ts";
import type { Style } from "../terminal/style.ts";
import { printLines, toJson } from "../terminal/Terminal.ts";
import { activityLine } from "./activityLine.ts";

/** Formats of the log. */
export const logFormats = ["text", "json"] as const;
/** Levels of the log, from the most to the least. */
export const logLevels = ["debug", "info", "warn", "error"] as const;

export type LogFormat = (typeof logFormats)[number];
export type LogLevel = (typeof logLevels)[number];

type LogOptions = {
  readonly format: LogFormat;
  readonly isVerbose: boolean;
  readonly level: LogLevel;
  readonly style: Style;
};

/** Log of a running emulator. */
export type Log = {
  /** Prints a line on stdout for each activity of the level. */
  activity(activity: Activity): void;
  /** Prints a line on stderr for each error, on stdout for other entries. */
  entry(entry: LogEntry): void;
  /** Prints what waited: nothing is printed before the emulator is announced, except errors. */
  start(): void;
};

/** Opens the log. */
export function openLog({ format, isVerbose, level, style }: LogOptions): Log {
  let waiting: string[] | undefined = [];
  const isShown = (each: LogLevel) => logLevels.indexOf(each) >= logLevels.indexOf(level);
  const print = (line: string) => {
    if (waiting === undefined) process.stdout.write(`${printLines(line)}\n`);
    else waiting.push(line);
  };
  return {
    activity: (activity) => {
      if (!isShown(activity.level)) return;
      print(format === "json" ? toJson(activity) : activityLine(activity, style));
    },
    entry: (entry) => {
      if (!isShown(entry.level)) return;
      const line = entryLine(entry, { format, isVerbose });
      if (entry.level === "error") process.stderr.write(`${printLines(line)}\n`);
      else print(line);
    },
    start: () => {
      const lines = waiting ?? [];
      waiting = undefined;
      for (const line of lines) print(line);
    },
  };
}

function entryLine(
  { cause, level, message, requestId }: LogEntry,
  { format, isVerbose }: Pick<LogOptions, "format" | "isVerbose">,
): string {
  const reason = cause instanceof Error ? (cause.message.split("\n", 1)[0] ?? "") : "";
  const stack = isVerbose && cause instanceof Error ? cause.stack : undefined;
  if (format === "json") return toJson({ kind: "log", level, message, reason, requestId, stack });
  const facts = printable([message, requestId ?? "", reason].filter((fact) => fact !== "").join(": "));
  return [`${level}: ${facts}`, ...(stack === undefined ? [] : [stack])].join("\n");
}
