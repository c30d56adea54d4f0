import type { RefundFailReason } from "../../../src/schema/request/failReason.ts";
import type { RequestScene } from "../Scenario.ts";
import { idsOf, pay, payment, quoteOf } from "../stage/payments.ts";

/** Every documented reason but that of requests without a failed refund. */
type Reason = Exclude<RefundFailReason, "N/A">;

/** A refund that a fault rejects, of a deposit that is one unit short. */
function forced(refundFailReason: Reason, sentence: string): RequestScene {
  return {
    cause: "injected",
    play: async (stage) => {
      const { control } = stage;
      const quote = await quoteOf(stage);
      const { requestId } = idsOf(quote);
      const fault = { details: sentence, kind: "refund-rejected", refundFailReason, requestId } as const;
      const { id } = await control.faults.add(fault);
      stage.onEnd(() => control.faults.remove(id));
      return pay(stage, quote, { value: payment - 1n });
    },
    sentence,
    status: "failure",
  };
}

/** One scene for each reason of a failed refund. A new reason without one does not compile. */
export const refundFailReasonScenes: Readonly<Record<Reason, RequestScene>> = {
  AMOUNT_TOO_LOW_TO_REFUND: {
    cause: "real",
    play: async (stage) => pay(stage, await quoteOf(stage), { value: 1n }),
    sentence: "The deposit of one unit does not cover the gas of its refund.",
    status: "failure",
  },
  NEGATIVE_NEW_AMOUNT_AFTER_FEES: forced(
    "NEGATIVE_NEW_AMOUNT_AFTER_FEES",
    "The fees of the refund take all of the deposit.",
  ),
  REFUND_RECIPIENT_IS_VASP: forced(
    "REFUND_RECIPIENT_IS_VASP",
    "The refund address belongs to a provider of virtual assets.",
  ),
  SWAP_CURRENCY_NOT_ON_ORIGIN: forced(
    "SWAP_CURRENCY_NOT_ON_ORIGIN",
    "The refund cannot be swapped back to the currency that the user paid.",
  ),
};
