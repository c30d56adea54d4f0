import { BaseError } from "./BaseError.ts";

/** What a {@link WalletFailedError} is made of. */
export type WalletFailedErrorOptions = {
  cause: unknown;
  /** The caller may only repeat what was certainly not done. */
  outcome: "notDone" | "unknown";
  stepId: string;
  userRejected: boolean;
};

/**
 * A wallet did not sign or send an item of a step.
 *
 * `outcome` tells whether that is certain: when the connection broke while sending, the transaction may be on
 * its way. Look at the account before sending anything again.
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
  /** Whether a person said no. */
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
