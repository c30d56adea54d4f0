import type { Address, Hex } from "viem";
import type { Context } from "./Context.ts";
import type { LocalCurrency, ServiceContracts } from "./chains/Chain.ts";

/** Where everything is: what `--out` writes. */
export type EmulatorInfo = {
  readonly apiUrl: string;
  readonly solver: Address;
  readonly chains: readonly {
    readonly id: number;
    readonly name: string;
    readonly vmType: "evm";
    readonly rpcUrl: string;
    readonly wsRpcUrl: string;
    readonly contracts: ServiceContracts;
    readonly currencies: readonly Pick<LocalCurrency, "address" | "symbol" | "decimals">[];
    /** Funded accounts of the public test mnemonic. */
    readonly accounts: readonly { readonly address: Address; readonly privateKey: Hex }[];
  }[];
};

/** Puts together what a user needs to find their way. */
export function describeEmulator(apiUrl: string, { accounts, chains }: Context): EmulatorInfo {
  return {
    apiUrl,
    chains: [...chains.values()].map(({ contracts, currencies, definition, rpcUrl, wsRpcUrl }) => ({
      accounts: accounts.users.map(({ account, privateKey }) => ({ address: account.address, privateKey })),
      contracts,
      currencies: currencies.map(({ address, decimals, symbol }) => ({ address, decimals, symbol })),
      id: definition.id,
      name: definition.name,
      rpcUrl,
      vmType: "evm" as const,
      wsRpcUrl,
    })),
    solver: accounts.solver.account.address,
  };
}
