import type { Address } from "@solana/kit";
import { amountWorth, oneUsd } from "../../../money/prices.ts";
import type { SvmPackages } from "../loadSvm.ts";
import { type SvmCurrency, svmTokens } from "../svmCurrencies.ts";
import { swapProgramAddress } from "./swapProgram.ts";

/** A pool of two tokens. Addresses are base58. */
export type SvmPool = {
  /** The program's account, which owns the vaults. */
  readonly address: string;
  readonly bump: number;
  readonly tokens: readonly [SvmCurrency, SvmCurrency];
  /** The pool's token accounts, in the order of its tokens. */
  readonly vaults: readonly [string, string];
};

/**
 * Pairs with the dollars on each side. The route of most worth from JTO to USDC has seven hops for a large amount, and the
 * transaction of a deposit has no room for them; four hops and two fit, at worse prices.
 */
const pairs = [
  ["USDT", "USDC", 10_000_000n],
  ["JUP", "USDT", 10_000_000n],
  ["JUP", "USDC", 100_000n],
  ["RENDER", "USDC", 10_000_000n],
  ["PYTH", "JUP", 10_000_000n],
  ["DRIFT", "PYTH", 10_000_000n],
  ["WIF", "DRIFT", 10_000_000n],
  ["WIF", "RENDER", 1_000_000n],
  ["RAY", "WIF", 10_000_000n],
  ["RAY", "USDC", 250_000n],
  ["JTO", "RAY", 10_000_000n],
] as const;

let derived: Promise<readonly SvmPool[]> | undefined;

/** The pools of the chain, the same on every start. */
export function deriveSvmPools(packages: SvmPackages): Promise<readonly SvmPool[]> {
  derived ??= Promise.all(
    pairs.map(([first, second]) => derivePool([tokenOf(first), tokenOf(second)], packages)),
  );
  return derived;
}

/** What a pool holds, in smallest units. */
type PoolBalance = { readonly owner: string; readonly currency: string; readonly amount: bigint };

/** What the pools hold at the start. */
export function poolBalances(pools: readonly SvmPool[]): readonly PoolBalance[] {
  return pools.flatMap(({ address, tokens }, index) =>
    tokens.map((token) => ({
      amount: amountWorth((pairs[index]?.[2] ?? 0n) * oneUsd, token, "down"),
      currency: token.address,
      owner: address,
    })),
  );
}

/** The pool's account as the program reads it: both mints, both vaults, and the bump of its address. */
export function poolData({ bump, tokens, vaults }: SvmPool, { kit }: Pick<SvmPackages, "kit">): Uint8Array {
  const keys = [...tokens.map(({ address }) => address), ...vaults];
  const bytes = keys.map((key) => Uint8Array.from(kit.getAddressEncoder().encode(key as Address)));
  return Uint8Array.from(Buffer.concat([...bytes, Buffer.of(bump)]));
}

async function derivePool(
  tokens: readonly [SvmCurrency, SvmCurrency],
  { kit, token }: SvmPackages,
): Promise<SvmPool> {
  const seeds = tokens.map(({ address }) => kit.getAddressEncoder().encode(address as Address));
  const [address, bump] = await kit.getProgramDerivedAddress({
    programAddress: swapProgramAddress as Address,
    seeds,
  });
  const vaultOf = async (mint: string) =>
    (
      await token.findAssociatedTokenPda({
        mint: mint as Address,
        owner: address,
        tokenProgram: token.TOKEN_PROGRAM_ADDRESS,
      })
    )[0];
  const vaults = [await vaultOf(tokens[0].address), await vaultOf(tokens[1].address)] as const;
  return { address, bump, tokens, vaults };
}

function tokenOf(symbol: string): SvmCurrency {
  const found = svmTokens.find((token) => token.symbol === symbol);
  if (found === undefined) throw new Error(`the SVM chain has no ${symbol}`);
  return found;
}
