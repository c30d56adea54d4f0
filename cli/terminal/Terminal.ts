import { printable, unprintable } from "../../src/errors/printable.ts";

/** Shortens an id or hash: `0x9101…8e2a`. */
export function shortId(id: string): string {
  return id.length > 14 ? `${id.slice(0, 6)}…${id.slice(-4)}` : id;
}

/** Flags of every command. */
export type CommonOptions = {
  readonly config?: string;
  readonly json?: boolean;
  readonly verbose?: boolean;
};

/** Input and output of a command. Results go to stdout, everything else to stderr. */
export type Terminal = {
  readonly isJson: boolean;
  /** Fires at Ctrl-C, SIGTERM and a closed pipe; the reason is a {@link Stop}. */
  readonly signal: AbortSignal;
  /** Prints a result: with `--json` the value as one document, else the text. */
  result(value: unknown, text: string): void;
  /** Prints one of many results: with `--json` the value in one line, else the text. */
  line(value: unknown, text: string): void;
  /** Prints a remark on stderr; nothing with `--json`. */
  note(text: string): void;
};

/** Creates the input and output of a command. */
export function createTerminal(options: CommonOptions, signal: AbortSignal): Terminal {
  const isJson = options.json === true;
  const print = (text: string) => process.stdout.write(`${text}\n`);
  return {
    isJson,
    line: (value, text) => print(isJson ? toJson(value) : printLines(text)),
    note: (text) => {
      if (!isJson) process.stderr.write(`${printLines(text)}\n`);
    },
    result: (value, text) => print(isJson ? toJson(value, 2) : printLines(text)),
    signal,
  };
}

/** Replaces unprintable characters, except ends of lines. */
export function printLines(text: string): string {
  return text
    .split("\n")
    .map((line) => printable(line, Number.POSITIVE_INFINITY))
    .join("\n");
}

/** JSON with amounts as decimal strings. Escapes unprintable characters, so that the values stay exact. */
export function toJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(
    value,
    (_, each) => (typeof each === "bigint" ? each.toString() : each),
    indent,
  );
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(unprintable, (found) =>
    found === "\n" ? found : found.split("").map(escaped).join(""),
  );
}
