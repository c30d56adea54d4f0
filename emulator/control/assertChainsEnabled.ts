import type { TradeType } from "../../src/schema/tradeType.ts";
import { oneUsd, usdOf } from "../quote/prices.ts";
import { QuoteError } from "../quote/QuoteError.ts";
import type { ReadIntent } from "../quote/readIntent.ts";
import type { Health } from "./openHealth.ts";

/**
 * Refuses a request over a chain that is out of order, or takes no large ones at present.
 *
 * @throws QuoteError `CHAIN_DISABLED`
 */
export function assertChainsEnabled(
  { amount, currencyIn, currencyOut, destination, origin }: ReadIntent,
  tradeType: TradeType,
  health: Pick<Health, "of">,
): void {
  for (const { id } of [origin.definition, destination.definition]) {
    const { disabled, partialDisableLimit } = health.of(id);
    if (disabled) throw new QuoteError("CHAIN_DISABLED", `Chain ${id} is disabled`);
    if (partialDisableLimit === 0) continue;
    const worth = usdOf(amount, tradeType === "EXACT_INPUT" ? currencyIn : currencyOut);
    if (worth > BigInt(partialDisableLimit) * oneUsd) {
      throw new QuoteError(
        "CHAIN_DISABLED",
        `Chain ${id} takes no requests above ${partialDisableLimit} dollars at present`,
      );
    }
  }
}
