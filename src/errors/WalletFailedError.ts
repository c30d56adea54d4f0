import { BaseError } from "./BaseError.ts";

/** Options of {@link WalletFailedError}. */
export type WalletFailedErrorOptions = {
  cause: unknown;
  /** Retryable only if the action certainly did not happen. */
  outcome: "notDone" | "unknown";
  stepId: string;
  userRejected: boolean;
};

/**
 * A wallet did not sign or send an item of a step.
 *
 * `outcome` is uncertain when the connection broke while sending: the transaction may be in flight. Check the account
 * before sending again.
 *
 * @example
 * import { WalletFailedError } from "waybill/execute";
 *
 * const cause = new Error("User rejected the request.");
 * const error = new WalletFailedError({ cause, outcome: "notDone", stepId: "deposit", userRejected: true });
 * console.log(error.shortMessage); // The wallet refused step deposit.
 */
export class WalletFailedError extends BaseError {
  override readonly name = "WalletFailedError";
  declare readonly outcome: "notDone" | "unknown";
  declare readonly stepId: string;
  /** Whether the user rejected it. */
  declare readonly userRejected: boolean;

  constructor({ cause, outcome, stepId, userRejected }: WalletFailedErrorOptions) {
    super(userRejected ? `The wallet refused step ${stepId}.` : `The wallet failed on step ${stepId}.`, {
      cause,
      code: "WALLET_FAILED",
      metaMessages: [outcome === "notDone" ? "Nothing was sent." : "Whether anything was sent is not known."],
    });
    Object.assign(this, { outcome, stepId, userRejected });
  }
}
