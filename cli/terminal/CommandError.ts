import { BaseError } from "../../src/errors/BaseError.ts";

/** Exit codes of all commands; `docs/reference/command.md` documents them. */
export const exitCodes = {
  ok: 0,
  /** The service refused, a check failed, or a watched request ended without success. */
  refused: 1,
  /** Wrong flags, arguments or configuration. */
  usage: 2,
  /** No usable answer: unreachable, timed out, 429 or 5xx. The same call may succeed later. */
  unreachable: 3,
  /** A key is missing or was refused. */
  key: 4,
  /** A bug of the command. */
  internal: 70,
  /** Ctrl-C: 128 and the number of SIGINT. */
  interrupted: 130,
  /** The reader of the output went away: 128 and the number of SIGPIPE. */
  closedPipe: 141,
  /** 128 and the number of SIGTERM. */
  terminated: 143,
} as const;

/** One of {@link exitCodes}. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const docsPath = "reference/command.md#exit-codes";

/** A failure with an exit code of its own. */
export class CommandError extends BaseError {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode;

  constructor(
    sentence: string,
    { cause, code, exitCode }: { cause?: unknown; code: string; exitCode: ExitCode },
  ) {
    super(sentence, { cause, code, docsPath });
    this.exitCode = exitCode;
  }
}

/** Wrong flags, arguments or configuration. */
export function usageError(sentence: string, cause?: unknown): CommandError {
  return new CommandError(sentence, { cause, code: "USAGE", exitCode: exitCodes.usage });
}

/** A missing key. */
export function keyError(sentence: string): CommandError {
  return new CommandError(sentence, { code: "KEY_MISSING", exitCode: exitCodes.key });
}

/** A check with a negative result. */
export function checkFailed(sentence: string, code = "CHECK_FAILED"): CommandError {
  return new CommandError(sentence, { code, exitCode: exitCodes.refused });
}
