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
  /** Accounts that lost this currency, the greatest loss first; then those that paid the pools which gave it. */
  readonly losers: readonly string[];
};

/**
 * Measures what a wallet gained in a transaction, by currency, so that payments by any program count. A fee is no loss. A pool
 * that trades is no payer: those who paid it are, in the currency that it took.
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
  const isPool = (owner: string) => pools.some(({ address }) => address === owner);
  const changeOf = (owner: string, currency: string) =>
    (byCurrency.get(currency) ?? []).reduce(
      (sum, move) => (move.owner === owner ? sum + move.post - move.pre : sum),
      0n,
    );
  const payersOf = (currency: string, passed: readonly string[]): readonly string[] => {
    const owners = [...new Set((byCurrency.get(currency) ?? []).map(({ owner }) => owner))];
    const losers = owners
      .filter((owner) => changeOf(owner, currency) < 0n)
      .toSorted((a, b) => (changeOf(a, currency) < changeOf(b, currency) ? -1 : 1));
    // Lamports may leave an account that no key opens, such as a closed token account: its signers count alone.
    if (currency === svmNativeToken) return losers.filter((owner) => signing.includes(owner));
    const taken = [...byCurrency.keys()].filter(
      (each) => !passed.includes(each) && losers.some((owner) => isPool(owner) && changeOf(owner, each) > 0n),
    );
    const through = taken.flatMap((each) => payersOf(each, [...passed, each]));
    return [...new Set([...losers.filter((owner) => !isPool(owner)), ...through])];
  };
  return [...byCurrency.keys()].flatMap((currency) => {
    const amount = changeOf(holder, currency);
    return amount > 0n ? [{ amount, currency, losers: payersOf(currency, [currency]) }] : [];
  });
}
