import { zeroAddress } from "viem";
import type { Chain, LocalCurrency } from "../../chains/Chain.ts";

/** What the solver keeps on every chain beside the native currency. */
const inventoryToken = "USDC";

/** What the solver takes and gives without a swap: the native currency first. */
export function solverCurrencies({ currencies }: Pick<Chain, "currencies">): readonly LocalCurrency[] {
  return currencies.filter(({ address, symbol }) => address === zeroAddress || symbol === inventoryToken);
}

/** Whether the solver takes and gives a currency as it is. */
export function isSolverCurrency(chain: Pick<Chain, "currencies">, currency: LocalCurrency): boolean {
  return solverCurrencies(chain).includes(currency);
}
