import type { Hex } from "viem";
import { BaseError } from "./BaseError.ts";

/**
 * An item was submitted, and neither the chain nor the service has confirmed it yet. If a proof, a check or the
 * wallet refuses afterwards, the `cause` is that refusal. The item may still take effect, so it must not be signed again: execute the same quote with
 * the saved state. That run follows what was submitted, and sends the same signed bytes again.
 */
export class PaymentUnsettledError extends BaseError {
  override readonly name = "PaymentUnsettledError";
  declare readonly stepId: string;
  /** Hash of the transaction, if known. */
  declare readonly txHash: Hex | undefined;

  constructor({ cause, stepId, txHash }: { cause: unknown; stepId: string; txHash?: Hex | undefined }) {
    super(`Step ${stepId} was submitted, and its outcome is not known.`, {
      cause,
      code: "PAYMENT_UNSETTLED",
      metaMessages: [
        ...(txHash === undefined ? [] : [`Transaction: ${txHash}`]),
        "Execute the same quote with the saved state: it follows the payment.",
      ],
    });
    Object.assign(this, { stepId, txHash });
  }
}
