import { type Address, erc20Abi, zeroAddress } from "viem";
import { readContract } from "viem/actions";
import type { ChainClient } from "../callChain.ts";
import { normalizeForComparison } from "./normalizeForComparison.ts";
import { expectEqual, isOneChain, type QuoteCheck } from "./QuoteCheck.ts";

/**
 * Compares the quote's symbols and decimals with the tokens, on chains with a reader. Skips the symbol of a token that
 * has no text `symbol`.
 */
export async function checkCurrencies(check: QuoteCheck): Promise<void> {
  const { destinationReader, reader } = check.policy;
  const { currencyIn, currencyOut } = check.quote.details;
  const destination = isOneChain(check) ? reader : destinationReader;
  await Promise.all([
    checkCurrency(check, "details.currencyIn.currency", currencyIn.currency, reader),
    checkCurrency(check, "details.currencyOut.currency", currencyOut.currency, destination),
  ]);
}

async function checkCurrency(
  check: QuoteCheck,
  path: string,
  {
    address,
    decimals,
    symbol,
  }: { readonly address: string; readonly decimals: number; readonly symbol: string },
  reader: ChainClient | undefined,
): Promise<void> {
  if (reader === undefined || normalizeForComparison(address) === zeroAddress) return;
  const token = { abi: erc20Abi, address: address as Address } as const;
  const [places, name] = await Promise.all([
    readContract(reader, { ...token, functionName: "decimals" }).catch(() => "unreadable"),
    readContract(reader, { ...token, functionName: "symbol" }).catch(() => undefined),
  ]);
  expectEqual(check, "QUOTE_DISPLAY", `${path}.decimals`, places, decimals);
  if (name !== undefined) expectEqual(check, "QUOTE_DISPLAY", `${path}.symbol`, name, symbol);
}
