import { zeroAddress } from "viem";
import type { QuoteRequest } from "../../../src/schema/quote/quoteRequest.ts";
import type { LocalCurrency } from "../../chains/Chain.ts";
import { QuoteError } from "../../errors/QuoteError.ts";
import { oneUsd, type Usd, usdOfMicros } from "../../money/prices.ts";

/** Two dollars, as the official client's types document. In millionths of a dollar. */
const defaultTopup = "2000000";
/** Largest worth of a top-up. */
const mostTopup: Usd = 20n * oneUsd;

/** Reads the gas top-up of a quote request; zero for none. */
export function topupOf(
  { topupGas, topupGasAmount }: Pick<QuoteRequest, "topupGas" | "topupGasAmount">,
  { currencyOut, isSameChain }: { readonly currencyOut: LocalCurrency; readonly isSameChain: boolean },
): Usd {
  if (topupGas !== true) {
    if (BigInt(topupGasAmount ?? 0) > 0n) throw refused("`topupGasAmount` needs `topupGas`");
    return 0n;
  }
  if (isSameChain) throw refused("`topupGas` needs another destination chain");
  if (currencyOut.address === zeroAddress)
    throw refused("`topupGas` needs an output other than native currency");
  const topup = usdOfMicros(BigInt(topupGasAmount ?? defaultTopup));
  if (topup > mostTopup) throw refused("`topupGasAmount` is more than 20 dollars");
  return topup;
}

function refused(message: string): QuoteError {
  return new QuoteError("UNSUPPORTED_EXECUTION_TYPE", message);
}
