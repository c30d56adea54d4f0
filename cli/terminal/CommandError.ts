import { BaseError } from "../../src/errors/BaseError.ts";
import { type ExitCode, exitCodes } from "./exitCodes.ts";

const docsPath = "docs/command.md#exit-codes";

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
