import { unitsToDecimal } from "../../../src/internal/amounts.ts";
import type { TradeType } from "../../../src/schema/quote/tradeType.ts";
import type { ControlHooks } from "../../context/ControlHooks.ts";
import { QuoteError } from "../../errors/QuoteError.ts";
import { usdOf } from "../../money/prices.ts";
import type { ReadIntent } from "../request/readIntent.ts";

/**
 * Refuses a request over a disabled chain, or above the limit of a partially disabled one.
 *
 * @throws QuoteError `CHAIN_DISABLED`
 */
export function assertChainsEnabled(
  { amount, currencyIn, currencyOut, destination, origin }: ReadIntent,
  tradeType: TradeType,
  health: ControlHooks["health"],
): void {
  for (const { currencies, definition } of [origin, destination]) {
    const { id } = definition;
    const { disabled, partialDisableLimit } = health.of(id);
    if (disabled) throw new QuoteError("CHAIN_DISABLED", `Chain ${id} is disabled`);
    const [native] = currencies;
    if (partialDisableLimit === 0 || native === undefined) continue;
    const limit = BigInt(partialDisableLimit);
    const worth = usdOf(amount, tradeType === "EXACT_INPUT" ? currencyIn : currencyOut);
    if (worth > usdOf(limit, native)) {
      const most = `${unitsToDecimal(limit, native.decimals)} ${native.symbol}`;
      throw new QuoteError(
        "CHAIN_DISABLED",
        `Chain ${id} takes no requests that are worth more than ${most} at present`,
      );
    }
  }
}
