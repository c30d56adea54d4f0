import type { Address, Hex } from "viem";
import { accountText } from "./chains/accountText.ts";
import type { LocalCurrency, ServiceContracts } from "./chains/Chain.ts";
import { svmRpcPath } from "./chains/svm/SvmChain.ts";
import type { Context } from "./context/Context.ts";
import type { ApiKey } from "./keys/openApiKeys.ts";
import { exchangePath } from "./perps/openExchange.ts";
import { statusSocketPath } from "./websocket/statusSocketServer.ts";

/** Creates the start-up document of a running emulator. */
export function describeEmulator(
  apiUrl: string,
  { accounts, adminKey, apiKeys, chains, exchange, svm }: Context,
): EmulatorInfo {
  return {
    adminKey,
    apiKeys: apiKeys.list().map(({ id, key, name }) => ({ id, key, name })),
    apiUrl,
    chains: [...chains.values()].map(({ contracts, currencies, definition, rpcUrl, swap, wsRpcUrl }) => ({
      accounts: accounts.users.map(({ account, privateKey }) => ({ address: account.address, privateKey })),
      contracts,
      currencies: currencies.map(shownCurrency),
      id: definition.id,
      name: definition.name,
      rpcUrl,
      vmType: "evm" as const,
      wrappedNative: swap.wrappedNative,
      wsRpcUrl,
    })),
    consoleUrl: `${apiUrl}/console`,
    ...(exchange !== undefined && {
      perps: {
        apiUrl: `${apiUrl}${exchangePath}`,
        chainId: exchange.definition.id,
        currencies: exchange.currencies.map(shownCurrency),
      },
    }),
    ...(svm !== undefined && {
      svm: {
        chainId: svm.definition.id,
        currencies: svm.currencies.map(({ address, ...rest }) => ({
          ...shownCurrency({ address, ...rest }),
          address: accountText(address),
        })),
        name: svm.definition.name,
        rpcUrl: `${apiUrl}${svmRpcPath}`,
        solver: accountText(svm.solver),
        vmType: "svm" as const,
      },
    }),
    solver: accounts.solver.account.address,
    wsUrl: `${apiUrl.replace(/^http/, "ws")}${statusSocketPath}`,
  };
}

function shownCurrency({ address, decimals, symbol }: LocalCurrency) {
  return { address, decimals, symbol };
}

/** The start-up document, which `--out` writes: URLs, keys, contracts and accounts. */
export type EmulatorInfo = {
  readonly apiUrl: string;
  /** Complete URL of the websocket stream. */
  readonly wsUrl: string;
  /** URL of the console. */
  readonly consoleUrl: string;
  readonly solver: Address;
  /** Secret for the header `x-admin-key` of `/admin`; constant for a database. */
  readonly adminKey: string;
  /** Secrets for the header `x-api-key`; kept in the database. */
  readonly apiKeys: readonly Pick<ApiKey, "id" | "key" | "name">[];
  /** The perps exchange, if it is on. Its API has the paths `/exchange` and `/info` below `apiUrl`. */
  readonly perps?: {
    readonly chainId: number;
    readonly apiUrl: string;
    readonly currencies: readonly Pick<LocalCurrency, "address" | "symbol" | "decimals">[];
  };
  /** The SVM chain, if it is on. Addresses are base58. */
  readonly svm?: {
    readonly chainId: number;
    readonly name: string;
    readonly vmType: "svm";
    readonly rpcUrl: string;
    readonly solver: string;
    readonly currencies: readonly {
      readonly address: string;
      readonly symbol: string;
      readonly decimals: number;
    }[];
  };
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
