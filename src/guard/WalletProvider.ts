import type { EIP1193Provider } from "viem";

/** A request of EIP-1193. */
export type ProviderRequest = { readonly method: string; readonly params?: unknown };

/** A provider of EIP-1193, such as a browser wallet's. */
export type WalletProvider = {
  request(request: ProviderRequest): Promise<unknown>;
  on?(event: string, listener: (...values: unknown[]) => void): unknown;
  removeListener?(event: string, listener: (...values: unknown[]) => void): unknown;
};

/** A provider before which a guard stands. viem, wagmi and ethers accept it. */
export type GuardedProvider = WalletProvider & EIP1193Provider;
