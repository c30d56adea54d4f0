import { BaseError } from "./BaseError.ts";

/** A caller gave a public function something it cannot work with. */
export class InvalidParameterError extends BaseError {
  override readonly name = "InvalidParameterError";
  /** Name of the argument, dotted for nested ones (`record.originUser`). */
  readonly parameter: string;

  constructor({ parameter, reason, cause }: { parameter: string; reason: string; cause?: unknown }) {
    super(`Parameter \`${parameter}\` is invalid: ${reason}.`, { cause, code: "INVALID_PARAMETER" });
    this.parameter = parameter;
  }
}
