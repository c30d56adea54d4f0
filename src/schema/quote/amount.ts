import * as z from "zod/mini";
import { parseSignedAmount } from "../../internal/amounts.ts";
import { readObject } from "../../internal/readParts.ts";
import { currencySchema } from "../chain/currency.ts";
import { intStringSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";

/**
 * An amount of a currency. Only `amount` and `minimumAmount` (smallest units) are exact. Formatted and dollar values
 * are for display only.
 *
 * Fees may be negative: the service pays for transfers that help its liquidity.
 */
export type Amount = z.output<typeof amountSchema>;
export const amountSchema = wireObject({
  currency: currencySchema,
  amount: intStringSchema,
  amountFormatted: z.string(),
  /** Absent when the service has no price. */
  amountUsd: z.nullish(z.string()),
  /** Guaranteed amount after slippage. */
  minimumAmount: z.optional(intStringSchema),
  /** The dollar value at today's price; only in request records. */
  amountUsdCurrent: z.nullish(z.string()),
});

/**
 * Returns the exact amount in smallest units.
 *
 * @throws InvalidParameterError for another format than a decimal string. Never for a validated response.
 *
 * @example
 * import { amountOf, createClient, getQuote, production } from "waybill/client";
 *
 * const user = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
 * const native = "0x0000000000000000000000000000000000000000";
 * const quote = await getQuote(createClient(production), {
 *   amount: 10n ** 16n,
 *   destinationChainId: 10,
 *   destinationCurrency: native,
 *   originChainId: 8453,
 *   originCurrency: native,
 *   tradeType: "EXACT_INPUT",
 *   user,
 * });
 * console.log(amountOf(quote.details.currencyOut)); // for example 9979000000000000n
 */
export function amountOf(value: Pick<Amount, "amount">): bigint {
  const { amount } = readObject(value, "value") as typeof value;
  return parseSignedAmount(amount);
}

/**
 * Returns the guaranteed amount in smallest units. Default: the amount itself.
 *
 * @example
 * import { minimumAmountOf } from "waybill/client";
 *
 * minimumAmountOf({ amount: "100", minimumAmount: "99" }); // 99n
 */
export function minimumAmountOf(value: Pick<Amount, "amount" | "minimumAmount">): bigint {
  const { amount, minimumAmount } = readObject(value, "value") as typeof value;
  return parseSignedAmount(minimumAmount ?? amount, "minimumAmount");
}
