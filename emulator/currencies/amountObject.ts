import { zeroAddress, zeroHash } from "viem";
import { unitsToDecimal } from "../../src/internal/amounts.ts";
import type { Currency } from "../../src/schema/chain/currency.ts";
import type { Amount } from "../../src/schema/quote/amount.ts";
import { svmChainId } from "../../src/svm/constants.ts";
import { accountText } from "../chains/accountText.ts";
import type { LocalCurrency, ShownChain } from "../chains/Chain.ts";
import { formatUsd, usdOf } from "../money/prices.ts";
import { currencyImageUrl } from "./currencyId.ts";

/** Addresses of the native currencies of EVM chains and, in bytes, of the SVM chain. The exchange has none. */
const nativeAddresses: ReadonlySet<string> = new Set([zeroAddress, zeroHash]);

/** A currency in the form of quotes and records. */
export function currencyObject(chain: ShownChain, currency: LocalCurrency): Currency {
  return {
    address: currencyText(chain, currency),
    chainId: chain.definition.id,
    decimals: currency.decimals,
    metadata: {
      isNative: nativeAddresses.has(currency.address),
      logoURI: currencyImageUrl(chain, currency),
      verified: true,
    },
    name: currency.name,
    symbol: currency.symbol,
  };
}

export function currencyText(
  { definition }: ShownChain,
  { address }: Pick<LocalCurrency, "address">,
): string {
  const stored = address.toLowerCase();
  return definition.id === svmChainId ? accountText(stored) : stored;
}

/** An amount in the form of quotes and records. */
export function amountObject(
  chain: ShownChain,
  currency: LocalCurrency,
  amount: bigint,
  minimumAmount = amount,
): Amount {
  return {
    amount: amount.toString(),
    amountFormatted: unitsToDecimal(amount, currency.decimals),
    amountUsd: formatUsd(usdOf(amount, currency)),
    currency: currencyObject(chain, currency),
    minimumAmount: minimumAmount.toString(),
  };
}
