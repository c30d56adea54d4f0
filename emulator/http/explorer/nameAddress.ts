import { type Address, isAddressEqual } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { contractAddresses } from "../pages/contractAddresses.ts";

/** What an address is called where it is the service's: a contract, a token, a pool, or the solver. */
export function nameAddress(
  { contracts, currencies, swap }: Chain,
  { solver }: Context["accounts"],
): (address: Address) => string | undefined {
  const pairs = swap.pairs.map(({ address }) => ["pool", address] as const);
  const names = [
    ...contractAddresses(contracts),
    ...currencies.map(({ address, symbol }) => [symbol, address] as const),
    ...pairs,
    ["solver", solver.account.address] as const,
  ];
  return (address) => names.find(([, known]) => isAddressEqual(known as Address, address))?.[0];
}
