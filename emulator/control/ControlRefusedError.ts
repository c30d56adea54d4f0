import { BaseError } from "../../src/errors/BaseError.ts";

/** Something that the control cannot do, or not any more; it says what can be done instead. */
export class ControlRefusedError extends BaseError {
  override readonly name = "ControlRefusedError";

  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause, code: "CONTROL_REFUSED" });
  }
}
