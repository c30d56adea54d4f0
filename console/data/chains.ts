import { signal } from "@preact/signals";
import { call } from "./api.ts";
import type { ChainView } from "./types.ts";

export type ChainName = {
  readonly id: number;
  readonly displayName: string;
  readonly vmType: string;
  readonly currency: { readonly symbol: string; readonly decimals: number };
  readonly solverAddresses?: readonly string[] | null;
};

/** The chains of the emulator, which never change while it runs. */
export const chains = signal<readonly ChainName[]>([]);

/** Names of known accounts, by chain and address: the solver, contracts, tokens. */
const names = signal<ReadonlyMap<string, string>>(new Map());

const keyOf = (chainId: number, address: string) => `${chainId} ${address.toLowerCase()}`;

export async function loadChains(): Promise<void> {
  const answer = await call<{ chains: readonly ChainName[] }>("/chains");
  chains.value = answer.chains;
  const views = await Promise.all(answer.chains.map(({ id }) => call<ChainView>(`/explorer/${id}?limit=1`)));
  names.value = new Map([
    ...views.flatMap(({ contracts, currencies, id, pools }) => {
      const symbolOf = (address: string) =>
        currencies.find(({ currency }) => currency.toLowerCase() === address.toLowerCase())?.symbol ?? "?";
      return [
        ...pools.map(({ address, tokens }) => [address, `pool ${tokens.map(symbolOf).join("/")}`] as const),
        ...currencies.map(({ currency, symbol }) => {
          const isZero = /^0x0{40}$/.test(currency);
          return [currency, isZero ? `${symbol} (zero address)` : symbol] as const;
        }),
        ...Object.entries(contracts).map(([name, address]) => [address, name] as const),
      ].map(([address, name]) => [keyOf(id, address), name] as const);
    }),
    ...answer.chains.flatMap(({ id, solverAddresses }) =>
      (solverAddresses ?? []).map((address) => [keyOf(id, address), "solver"] as const),
    ),
  ]);
}

export function chainName(id: number): string {
  return chains.value.find((chain) => chain.id === id)?.displayName ?? `chain ${id}`;
}

/** The name of a known account. */
export function accountName(chainId: number, address: string): string | undefined {
  return names.value.get(keyOf(chainId, address));
}

/** The native currency of a chain. */
export function nativeOf(chainId: number): ChainName["currency"] {
  return chains.value.find(({ id }) => id === chainId)?.currency ?? { decimals: 18, symbol: "ETH" };
}

/** The solver's address on a chain, as the service publishes it. */
export function solverOf(chainId: number): string | undefined {
  return chains.value.find(({ id }) => id === chainId)?.solverAddresses?.[0];
}
