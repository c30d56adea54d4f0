import { zeroAddress } from "viem";
import type { Chain, LocalCurrency } from "../../chains/Chain.ts";

/** Symbol of the token that the solver holds on every chain, besides native currency. */
const inventoryToken = "USDC";

/** Currencies that the solver takes and pays without a swap, native currency first. */
export function solverCurrencies({ currencies }: Pick<Chain, "currencies">): readonly LocalCurrency[] {
  return currencies.filter(({ address, symbol }) => address === zeroAddress || symbol === inventoryToken);
}

/** Whether the solver takes and pays a currency without a swap. */
export function isSolverCurrency(chain: Pick<Chain, "currencies">, currency: LocalCurrency): boolean {
  return solverCurrencies(chain).includes(currency);
}
