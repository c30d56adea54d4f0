import { zeroAddress } from "viem";
import type { Chain, LocalCurrency } from "../../chains/Chain.ts";
import { isWrappedNative } from "../../currencies/currencyId.ts";
import type { RequestType } from "../../store/tables/requestTables.ts";

/** Request type of an intent (specification, "Request record, version 3"). */
export function requestTypeOf(read: {
  readonly origin: Pick<Chain, "definition"> & { readonly swap?: Chain["swap"] | undefined };
  readonly destination: Pick<Chain, "definition">;
  readonly currencyIn: LocalCurrency;
  readonly currencyOut: LocalCurrency;
  readonly txs: readonly unknown[];
}): RequestType {
  const { currencyIn, currencyOut, destination, origin, txs } = read;
  if (txs.length > 0) return "Call";
  if (origin.definition.id !== destination.definition.id) {
    return currencyIn.symbol === currencyOut.symbol ? "Bridge" : "Crosschain Swap";
  }
  if (currencyIn.address === currencyOut.address) return "Send";
  if (isNative(currencyIn) && isWrappedNative(origin, currencyOut)) return "Wrap";
  return isWrappedNative(origin, currencyIn) && isNative(currencyOut) ? "Unwrap" : "Same-chain Swap";
}

function isNative({ address }: LocalCurrency): boolean {
  return address === zeroAddress;
}
