import type { Address } from "viem";
import { type ReceiverCurrency, ReceiverCurrencyError } from "../errors/ReceiverCurrencyError.ts";
import { readAddress } from "../internal/readAddress.ts";
import { assertValid, readObject } from "../internal/readParts.ts";
import type { Chain } from "../schema/chain/chain.ts";

export type CheckReceiverCurrencyParameters = {
  /** The origin chain, an item of `getChains`. */
  chain: Pick<Chain, "id" | "solverCurrencies">;
  /** Currency of the deposit; the zero address for the native currency. */
  currency: Address;
};

export type CheckReceiverCurrencyReturnType = readonly ReceiverCurrency[];

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
 * const currency = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
 * if (chain !== undefined) checkReceiverCurrency({ chain, currency });
 */
export function checkReceiverCurrency(
  parameters: CheckReceiverCurrencyParameters,
): CheckReceiverCurrencyReturnType {
  readObject(parameters.chain, "chain");
  const { id, solverCurrencies } = parameters.chain;
  const currency = readAddress(parameters.currency, "currency");
  const missing = "missing; pass the chain as `getChains` returned it";
  assertValid(Array.isArray(solverCurrencies), "chain.solverCurrencies", missing);
  const accepted = solverCurrencies.map((each: unknown, index) => {
    const { address, symbol } = readObject(each, `chain.solverCurrencies.${index}`);
    return {
      address: readAddress(address, `chain.solverCurrencies.${index}.address`),
      symbol: String(symbol),
    };
  });
  if (accepted.some(({ address }) => address.toLowerCase() === currency.toLowerCase())) return accepted;
  throw new ReceiverCurrencyError({ accepted, chainId: id, currency });
}
