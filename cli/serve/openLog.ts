import type {
  Activity,
  ActivityAmount,
  LogEntry,
  RequestActivity,
  WebhookActivity,
} from "../../emulator/index.ts";
import { printable } from "../../src/errors/printable.ts";
import { printLines, shortId, toJson } from "../terminal/Terminal.ts";

/** Formats of the log. */
export const logFormats = ["text", "json"] as const;
/** Levels of the log, from the most to the least. */
export const logLevels = ["debug", "info", "warn", "error"] as const;

export type LogFormat = (typeof logFormats)[number];
type LogLevel = (typeof logLevels)[number];

type LogOptions = {
  readonly format: LogFormat;
  readonly isVerbose: boolean;
  readonly level: LogLevel;
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
export function openLog({ format, isVerbose, level }: LogOptions): Log {
  let waiting: string[] | undefined = [];
  const isShown = (each: LogLevel) => logLevels.indexOf(each) >= logLevels.indexOf(level);
  const print = (line: string) => {
    if (waiting === undefined) process.stdout.write(`${printLines(line)}\n`);
    else waiting.push(line);
  };
  return {
    activity: (activity) => {
      if (!isShown(activity.level)) return;
      print(format === "json" ? toJson(activity) : activityLine(activity));
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

/** Longest text of a foreign error or reason. */
const longestText = 120;

/** An activity in one line: time, kind, short id, and what happened. */
function activityLine(activity: Activity): string {
  const { at, kind, requestId } = activity;
  const id = requestId === undefined ? "" : shortId(requestId);
  const time = new Date(at).toISOString().slice(11, 23);
  return `${time} ${kind.padEnd(7)} ${id.padEnd(11)} ${factsOf(activity)}`.trimEnd();
}

function factsOf(activity: Activity): string {
  if ("action" in activity) return printable(activity.action);
  return "trigger" in activity ? requestFacts(activity) : webhookFacts(activity);
}

function requestFacts({
  kind,
  paid,
  reason,
  received,
  sinceQuoteMs,
  trigger,
  txHash,
}: RequestActivity): string {
  const amounts: Readonly<Record<RequestActivity["kind"], string>> = {
    deposit: amountText(paid),
    failure: "",
    fill: amountText(received),
    quote: `${amountText(paid)} → ${amountText(received)}`,
    refund: amountText(paid),
    reorg: "",
  };
  const facts = [
    amounts[kind],
    isUsual(kind, trigger) ? "" : trigger,
    reason ?? "",
    txHash === undefined ? "" : `tx ${shortId(txHash)}`,
    kind === "quote" ? "" : `+${sinceQuoteMs} ms`,
  ];
  return printable(facts.filter((fact) => fact !== "").join("  "));
}

/** Whether the kind says all about the trigger. */
function isUsual(kind: RequestActivity["kind"], trigger: string): boolean {
  return (
    ["quoted", "deposit-accepted", "fill-succeeded", "refund-succeeded"].includes(trigger) &&
    kind !== "failure"
  );
}

function webhookFacts({ attempt, durationMs, error, status, statusCode }: WebhookActivity): string {
  const answer = statusCode === null ? printable(error ?? "no answer", longestText) : String(statusCode);
  return `${status} → ${answer}  in ${Math.round(durationMs)} ms${attempt > 1 ? `  attempt ${attempt}` : ""}`;
}

function amountText({ amount, chain, symbol }: ActivityAmount): string {
  return `${amount} ${symbol} on ${chain}`;
}
