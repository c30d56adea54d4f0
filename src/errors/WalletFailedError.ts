import { BaseError } from "./BaseError.ts";

/**
 * A wallet did not sign or send an item of a step. Nothing was sent, so the item may be executed again. Where that is not
 * certain, `execute` throws PaymentUnsettledError.
 */
export class WalletFailedError extends BaseError {
  override readonly name = "WalletFailedError";
  declare readonly outcome: "notDone";
  declare readonly stepId: string;
  /** Whether the user rejected it. */
  declare readonly userRejected: boolean;

  constructor({ cause, stepId, userRejected }: { cause: unknown; stepId: string; userRejected: boolean }) {
    super(userRejected ? `The wallet refused step ${stepId}.` : `The wallet failed on step ${stepId}.`, {
      cause,
      code: "WALLET_FAILED",
      metaMessages: ["Nothing was sent."],
    });
    Object.assign(this, { outcome: "notDone", stepId, userRejected });
  }
}
