import { BaseError } from "./BaseError.ts";

/**
 * A quote contains a step that this version cannot execute. Thrown before any step is sent; for appended steps, before
 * any of those.
 */
export class UnsupportedStepError extends BaseError {
  override readonly name = "UnsupportedStepError";
  /** The step's kind, or the unsupported part of the item (`signatureKind eip1271`). */
  declare readonly kind: string;
  declare readonly stepId: string;
  declare readonly stepIndex: number;

  constructor({ kind, stepId, stepIndex }: { kind: string; stepId: string; stepIndex: number }) {
    super(`Step ${stepIndex} (${stepId}) is of a kind that is not supported: ${kind}.`, {
      code: "UNSUPPORTED_STEP",
    });
    Object.assign(this, { kind, stepId, stepIndex });
  }
}
