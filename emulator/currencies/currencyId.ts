import { zeroAddress, zeroHash } from "viem";
import { unitsToDecimal } from "../../src/internal/amounts.ts";
import type { Currency } from "../../src/schema/chain/currency.ts";
import type { Amount } from "../../src/schema/quote/amount.ts";
import { svmChainId } from "../../src/svm/constants.ts";
import { accountText, storedAccount } from "../chains/accountText.ts";
import type { Chain, LocalCurrency, ShownChain } from "../chains/Chain.ts";
import { svmRpcPath } from "../chains/svm/SvmChain.ts";
import { isEvmChain, isSvmChain, type Place } from "../context/places.ts";
import { formatUsd, usdOf } from "../money/prices.ts";
import { exchangePath } from "../perps/openExchange.ts";

/** The service's id of a currency, equal on all chains. */
export function currencyIdOf({ symbol }: Pick<LocalCurrency, "symbol">): string {
  return symbol.toLowerCase();
}

export function isWrappedNative(
  { swap }: { readonly swap?: Chain["swap"] | undefined },
  { address }: Pick<LocalCurrency, "address">,
): boolean {
  return address === swap?.wrappedNative;
}

/** Finds a currency of a chain by id or address, in any letter case; addresses of SVM chains in their own. */
export function findCurrency(
  { currencies }: Pick<Chain, "currencies">,
  idOrAddress: string,
): LocalCurrency | undefined {
  const wanted = storedAccount(idOrAddress);
  return currencies.find(
    (currency) => currencyIdOf(currency) === wanted || currency.address.toLowerCase() === wanted,
  );
}

export const imagePath = "/images";
export const explorerPath = "/explorer";

type Linked = Pick<Chain, "definition" | "siteUrl">;

export function chainImageUrl({ definition, siteUrl }: Linked): string {
  return `${siteUrl?.() ?? ""}${imagePath}/chains/${definition.id}`;
}

export function currencyImageUrl({ siteUrl }: Linked, { symbol }: Pick<LocalCurrency, "symbol">): string {
  return `${siteUrl?.() ?? ""}${imagePath}/currencies/${symbol.toLowerCase()}`;
}

/** URL of a chain's explorer; clients append `/tx/…`, `/address/…` or `/token/…`. */
export function explorerUrl({ definition, siteUrl }: Linked): string {
  return `${siteUrl?.() ?? ""}${explorerPath}/${definition.id}`;
}

/** URL of a chain's JSON-RPC, or of the exchange's API. */
export function rpcUrlOf(place: Place): string {
  if (isEvmChain(place)) return place.rpcUrl;
  return `${place.siteUrl?.() ?? ""}${isSvmChain(place) ? svmRpcPath : exchangePath}`;
}

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
