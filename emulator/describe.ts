import type { Address, Hex } from "viem";
import type { LocalCurrency, ServiceContracts } from "./chains/Chain.ts";
import type { Context } from "./context/Context.ts";
import { consolePath } from "./http/pages/consolePage.ts";
import type { ApiKey } from "./keys/ApiKey.ts";
import { statusSocketPath } from "./websocket/statusSocketServer.ts";

/** Where everything is: what `--out` writes. */
export type EmulatorInfo = {
  readonly apiUrl: string;
  /** Whole address of the websocket stream: clients add nothing to it. */
  readonly wsUrl: string;
  /** A page for people. */
  readonly consoleUrl: string;
  readonly solver: Address;
  /** Secret, and as old as the database: the header `x-admin-key` carries it to what is below `/admin`. */
  readonly adminKey: string;
  /** Secret, and as old as the database: the header `x-api-key` carries one of them. */
  readonly apiKeys: readonly Pick<ApiKey, "id" | "key" | "name">[];
  readonly chains: readonly {
    readonly id: number;
    readonly name: string;
    readonly vmType: "evm";
    readonly rpcUrl: string;
    readonly wsRpcUrl: string;
    readonly contracts: ServiceContracts;
    readonly currencies: readonly Pick<LocalCurrency, "address" | "symbol" | "decimals">[];
    readonly wrappedNative: Address;
    /** Funded accounts of the public test mnemonic. */
    readonly accounts: readonly { readonly address: Address; readonly privateKey: Hex }[];
  }[];
};

/** Puts together what a user needs to find their way. */
export function describeEmulator(
  apiUrl: string,
  { accounts, adminKey, apiKeys, chains }: Context,
): EmulatorInfo {
  return {
    adminKey,
    apiKeys: apiKeys.list().map(({ id, key, name }) => ({ id, key, name })),
    apiUrl,
    chains: [...chains.values()].map(({ contracts, currencies, definition, rpcUrl, swap, wsRpcUrl }) => ({
      accounts: accounts.users.map(({ account, privateKey }) => ({ address: account.address, privateKey })),
      contracts,
      currencies: currencies.map(({ address, decimals, symbol }) => ({ address, decimals, symbol })),
      id: definition.id,
      name: definition.name,
      rpcUrl,
      vmType: "evm" as const,
      wrappedNative: swap.wrappedNative,
      wsRpcUrl,
    })),
    consoleUrl: `${apiUrl}${consolePath}`,
    solver: accounts.solver.account.address,
    wsUrl: `${apiUrl.replace(/^http/, "ws")}${statusSocketPath}`,
  };
}
