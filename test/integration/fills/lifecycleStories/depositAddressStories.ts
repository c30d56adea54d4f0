import { fiftyDollars } from "../../../helpers/quotes/intents.ts";
import { addressOf, depositAddressStage } from "../../../helpers/requests/depositAddressStage.ts";
import { fresh, idOf } from "../../../helpers/requests/failureStage.ts";
import { reorgStage } from "../../../helpers/requests/reorgStage.ts";
import { reached } from "../../../helpers/requests/requestHistory.ts";
import type { Story } from "./Story.ts";

/** Stories of requests that are paid at a deposit address. */
export const depositAddressStories: readonly Story[] = [
  {
    reaches: ["depositing payment-reorged"],
    run: async (fixture) => {
      const { pay, quoteAt } = depositAddressStage(fixture);
      const { faults } = fixture.emulator.control;
      const quote = await quoteAt({ from: "ETH", refundTo: fresh(), strict: true, to: "ETH" });
      await faults.add({ delayMs: 3_600_000, kind: "signed-deposit-slow", requestId: idOf(quote) });
      await pay(addressOf(quote), "ETH", fiftyDollars("ETH"));
      await reached(fixture.emulator, idOf(quote), "depositing");
      await reorgStage(fixture).lose(fixture.alpha);
      await reorgStage(fixture).followed(quote, "payment-reorged", "waiting");
      await faults.clear();
      await pay(addressOf(quote), "ETH", fiftyDollars("ETH"));
      await reached(fixture.emulator, idOf(quote), "success");
      return quote;
    },
    tells: "whose payment to its deposit address vanishes before the sweep: waits, and takes another payment",
  },
];
