import type { Address } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { type ReceiverCurrency, ReceiverCurrencyError } from "../errors/ReceiverCurrencyError.ts";
import { readAddress } from "../internal/readAddress.ts";
import type { Chain } from "../schema/chain/chain.ts";

/** Parameters of {@link checkReceiverCurrency}. */
export type CheckReceiverCurrencyParameters = {
  /** The origin chain, an item of `getChains`. */
  chain: Pick<Chain, "id" | "solverCurrencies">;
  /** Currency of the deposit; the zero address for the native currency. */
  currency: Address;
};

/** Return value of {@link checkReceiverCurrency}. */
export type CheckReceiverCurrencyReturnType = readonly ReceiverCurrency[];

/** Errors of {@link checkReceiverCurrency}. */
export type CheckReceiverCurrencyErrorType = InvalidParameterError | ReceiverCurrencyError;

/**
 * Checks before a quote that a receiver can be paid in a currency. A receiver pays the solver or the depository itself, and
 * so takes only the chain's `solverCurrencies`. A deposit in another one is refunded, and the quoted request may wait until
 * it expires.
 *
 * @param parameters The origin chain and the currency.
 * @returns The currencies that a receiver on this chain takes.
 * @throws {ReceiverCurrencyError} For a currency that needs a swap. Names those that do not, and the way for it.
 * @throws {InvalidParameterError} For a chain without `solverCurrencies`, or another value than an address.
 *
 * @example
 * import { checkReceiverCurrency, createClient, getChains, production } from "waybill/client";
 *
 * const { chains } = await getChains(createClient(production));
 * const chain = chains.find(({ id }) => id === 8453);
 * const currency = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
 * if (chain !== undefined) checkReceiverCurrency({ chain, currency });
 */
export function checkReceiverCurrency(
  parameters: CheckReceiverCurrencyParameters,
): CheckReceiverCurrencyReturnType {
  const { id, solverCurrencies } = parameters.chain;
  const currency = readAddress(parameters.currency, "currency");
  if (solverCurrencies === undefined) {
    throw new InvalidParameterError({
      parameter: "chain.solverCurrencies",
      reason: "missing; pass the chain as `getChains` returned it",
    });
  }
  const accepted = solverCurrencies.map(({ address, symbol }) => ({ address, symbol }));
  if (accepted.some(({ address }) => address.toLowerCase() === currency.toLowerCase())) return accepted;
  throw new ReceiverCurrencyError({ accepted, chainId: id, currency });
}
