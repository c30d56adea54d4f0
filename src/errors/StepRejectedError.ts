import { BaseError } from "./BaseError.ts";

export type StepRejectedErrorOptions = {
  cause?: unknown;
  itemIndex: number;
  /** The reason, as the end of a sentence. */
  reason: string;
  stepId: string;
  stepIndex: number;
};

/**
 * Waybill refused to sign or send an item of a step: it differs from the quote's purpose, or may have been sent before.
 * This run neither signed nor sent the item.
 */
export class StepRejectedError extends BaseError {
  override readonly name = "StepRejectedError";
  declare readonly itemIndex: number;
  declare readonly reason: string;
  declare readonly stepId: string;
  declare readonly stepIndex: number;

  constructor({ cause, itemIndex, reason, stepId, stepIndex }: StepRejectedErrorOptions) {
    super(`Step ${stepIndex} (${stepId}), item ${itemIndex} was refused: ${reason}.`, {
      cause,
      code: "STEP_REJECTED",
    });
    Object.assign(this, { itemIndex, reason, stepId, stepIndex });
  }
}
