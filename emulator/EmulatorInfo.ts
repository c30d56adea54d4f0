import type { Address, Hex } from "viem";
import type { LocalCurrency, ServiceContracts } from "./chains/Chain.ts";
import type { ApiKey } from "./keys/ApiKey.ts";

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
