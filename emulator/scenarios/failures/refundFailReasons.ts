import type { RefundFailReason } from "../../../src/schema/request/failReason.ts";
import type { RequestScene } from "../Scenario.ts";
import { idsOf, pay, payment, quoteOf } from "../steps/payments.ts";

/** Every documented reason but that of requests without a failed refund. */
type Reason = Exclude<RefundFailReason, "N/A">;

/** A refund that a fault rejects, of a deposit that is one unit short. */
function forced(refundFailReason: Reason, sentence: string): RequestScene {
  return {
    cause: "injected",
    play: async (scenario) => {
      const { control } = scenario;
      const quote = await quoteOf(scenario);
      const { requestId } = idsOf(quote);
      const fault = { details: sentence, kind: "refund-rejected", refundFailReason, requestId } as const;
      const { id } = await control.faults.add(fault);
      scenario.onEnd(() => control.faults.remove(id));
      return pay(scenario, quote, { value: payment - 1n });
    },
    sentence,
    status: "failure",
  };
}

/** One scene for each reason of a failed refund. A new reason without one does not compile. */
export const refundFailReasonScenes: Readonly<Record<Reason, RequestScene>> = {
  AMOUNT_TOO_LOW_TO_REFUND: {
    cause: "real",
    play: async (scenario) => pay(scenario, await quoteOf(scenario), { value: 1n }),
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
