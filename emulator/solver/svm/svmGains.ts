import { svmNativeToken } from "../../../src/svm/constants.ts";
import type { DecodedTransaction } from "../../chains/svm/decodeSvmTransaction.ts";
import { svmTokens } from "../../chains/svm/svmCurrencies.ts";
import type { SvmEntry } from "../../chains/svm/svmHistory.ts";
import type { SvmPool } from "../../chains/svm/swap/svmPools.ts";

/** A wallet and its associated token accounts, in base58. It cannot be paid in other token accounts that it owns. */
export type SvmHolder = { readonly owner: string; readonly tokenAccounts: readonly string[] };

/** What a wallet gained in a transaction in one currency. */
export type SvmGain = {
  /** Mint, or the native currency's address. */
  readonly currency: string;
  readonly amount: bigint;
  /** Accounts that lost this currency, the greatest loss first. */
  readonly losers: readonly string[];
};

/**
 * Measures what a wallet gained in a transaction, by currency, so that payments by any program count. A fee is no loss, and a
 * pool that trades is no payer.
 */
export function svmGains(
  { outcome }: Pick<SvmEntry, "outcome">,
  { owner: holder, tokenAccounts }: SvmHolder,
  { accounts, signers }: Pick<DecodedTransaction, "accounts" | "signers">,
  pools: readonly SvmPool[],
): readonly SvmGain[] {
  const lamports = outcome.accounts.map(({ address, post, pre }) => ({
    ...{ currency: svmNativeToken, pre },
    owner: address,
    // The first account pays the fee.
    post: address === accounts[0] ? post + outcome.fee : post,
  }));
  const tokens = outcome.tokens
    .filter(({ mint }) => svmTokens.some(({ address }) => address === mint))
    .filter(({ account, owner }) => owner !== holder || tokenAccounts.includes(account))
    .map(({ mint, owner, post, pre }) => ({ currency: mint, owner, post, pre }));
  const byCurrency = Map.groupBy([...lamports, ...tokens], ({ currency }) => currency);
  const signing: readonly string[] = accounts.slice(0, signers);
  return [...byCurrency].flatMap(([currency, moves]) => {
    const change = (owner: string) =>
      moves.reduce((sum, move) => (move.owner === owner ? sum + move.post - move.pre : sum), 0n);
    const amount = change(holder);
    if (amount <= 0n) return [];
    const owners = [...new Set(moves.map(({ owner }) => owner))];
    // Lamports may leave an account that no key opens, such as a closed token account: its signers count alone.
    const isPayer = (owner: string) =>
      currency === svmNativeToken ? signing.includes(owner) : !pools.some(({ address }) => address === owner);
    const losers = owners.filter((owner) => change(owner) < 0n && isPayer(owner));
    return [{ amount, currency, losers: losers.toSorted((a, b) => (change(a) < change(b) ? -1 : 1)) }];
  });
}
