import { printable } from "../../src/internal/printable.ts";
import { type Style, styleFor } from "./style.ts";

/** Flags of every command. */
export type CommonOptions = {
  readonly color: boolean;
  readonly config?: string;
  readonly json?: boolean;
  readonly verbose?: boolean;
};

/** Input and output of a command. Results go to stdout, everything else to stderr. */
export type Terminal = {
  readonly isJson: boolean;
  /** Fires at Ctrl-C, SIGTERM and a closed pipe; the reason is a {@link Stop}. */
  readonly signal: AbortSignal;
  readonly style: Style;
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
    line: (value, text) => print(isJson ? toJson(value) : printable(text)),
    note: (text) => {
      if (!isJson) process.stderr.write(`${printable(text)}\n`);
    },
    result: (value, text) => print(isJson ? toJson(value, 2) : printable(text)),
    signal,
    style: styleFor(process.stdout, !options.color),
  };
}

/** JSON with amounts as decimal strings. Escapes what JSON leaves of the characters that change a terminal. */
function toJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(
    value,
    (_, each) => (typeof each === "bigint" ? each.toString() : each),
    indent,
  );
  return text.replace(
    /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
