import { CommanderError } from "@commander-js/extra-typings";
import { BaseError } from "../../src/errors/BaseError.ts";
import { HttpError } from "../../src/errors/HttpError.ts";
import { printable } from "../../src/errors/printable.ts";
import { CommandError, type ExitCode, exitCodes } from "./CommandError.ts";

/** A failure as a command reports it. */
export type Failure = {
  /** Stable code, such as `NETWORK_ERROR`. */
  readonly code: string;
  readonly exitCode: ExitCode;
  /** One line. */
  readonly message: string;
};

const unreachable: readonly string[] = [
  "CHAIN_READ_FAILED",
  "CHAIN_UNREACHABLE",
  "FORK_UPSTREAM_FAILED",
  "NETWORK_ERROR",
  "TIMEOUT",
];
/** Maximum length of a foreign text, in characters. */
const longest = 300;

/** What to do about errors whose own text names no remedy. */
function remedyOf(error: BaseError): string {
  if (error.code === "QUOTE_DEADLINE")
    return "`waybill doctor` compares the clocks of this machine and the service.";
  if (!(error instanceof HttpError) || error.status !== 401) return "";
  const [name, variable] = error.url.includes("/admin/")
    ? ["admin key", "WAYBILL_ADMIN_KEY"]
    : ["API key", "WAYBILL_API_KEY"];
  return `The ${name} comes from --emulator <file of --out>, ${variable} or the configuration.`;
}

/** Describes any thrown value in one line, with the exit code that `docs/reference/command.md` documents. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CommanderError) {
    const message = error.message.replace(/^error: /, "").replace(/\n\((.*)\)$/s, " ($1)");
    return { code: "USAGE", exitCode: exitCodes.usage, message: firstLine(message) };
  }
  if (!(error instanceof BaseError)) {
    const message = `internal error: ${firstLine(error instanceof Error ? error.message : String(error))}`;
    return {
      code: "INTERNAL",
      exitCode: exitCodes.internal,
      message: `${message} (--verbose prints the stack)`,
    };
  }
  return {
    code: error.code,
    exitCode: exitCodeOf(error),
    message: withRemedy(messageOf(error), remedyOf(error)),
  };
}

function withRemedy(sentence: string, remedy: string): string {
  return remedy === "" ? sentence : `${sentence.replace(/\.$/, "")}. ${remedy}`;
}

function exitCodeOf(error: BaseError): ExitCode {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof HttpError) {
    if (error.status === 401 || error.status === 403) return exitCodes.key;
    return error.status === 429 || error.status >= 500 ? exitCodes.unreachable : exitCodes.refused;
  }
  if (error.code === "INVALID_PARAMETER") return exitCodes.usage;
  return unreachable.includes(error.code) ? exitCodes.unreachable : exitCodes.refused;
}

/** The sentence, and the reason if it adds something. */
function messageOf(error: BaseError): string {
  const sentence = error.shortMessage;
  const details = printable(error.details ?? "", longest);
  // The platform's text for every connection that could not be made.
  if (details === "fetch failed") return `${sentence} Is the service running there?`;
  if (details === "" || sentence.includes(details) || error instanceof CommandError) return sentence;
  return `${sentence} ${details}`;
}

function firstLine(text: string): string {
  return printable((text.split("\n").find((line) => line.trim() !== "") ?? "").trim());
}
