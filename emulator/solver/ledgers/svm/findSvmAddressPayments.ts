import type { Hex } from "viem";
import { decodeSvmAddress } from "../../../../src/svm/address.ts";
import { accountText } from "../../../chains/accountText.ts";
import { decodeSvmTransaction } from "../../../chains/svm/decodeSvmTransaction.ts";
import type { SvmChain } from "../../../chains/svm/SvmChain.ts";
import { svmTokens } from "../../../chains/svm/svmCurrencies.ts";
import { type SvmEntry, svmTransactionsBetween } from "../../../chains/svm/svmHistory.ts";
import { svmParts } from "../../../chains/svm/svmParts.ts";
import type { Store } from "../../../store/tables.ts";
import { type FoundAddressPayment, hasAddresses, watchedAmong } from "../../addresses/watchedAddresses.ts";
import { svmGains } from "./findSvmDeposits.ts";

/** Most transactions that are held in memory at once. */
const transactionsAtOnce = 100;

/**
 * Finds the payments to deposit addresses of the SVM chain: what an address and its associated token accounts gained in
 * a transaction. Accounts are their 32 bytes in hexadecimal.
 */
export async function findSvmAddressPayments(
  chain: SvmChain,
  store: Store,
  [above, to]: readonly [number, number],
): Promise<readonly FoundAddressPayment[]> {
  if (!(await hasAddresses(chain, store))) return [];
  const found: FoundAddressPayment[] = [];
  for (let from = above; from < to; ) {
    const limit = transactionsAtOnce;
    const entries = await svmTransactionsBetween(store, { above: from, limit, to });
    const watched = await watchedAmong(chain, [...new Set(entries.flatMap(holdersIn))], store);
    if (watched.size > 0) {
      for (const entry of entries) found.push(...(await paymentsIn(entry, watched, chain)));
    }
    from = entries.length < limit ? to : (entries.at(-1)?.slot ?? to);
  }
  return found;
}

/** Wallets whose balances a transaction may have changed. */
function holdersIn({ outcome }: SvmEntry): readonly string[] {
  if (outcome.error !== null) return [];
  const owners = [
    ...outcome.accounts.map(({ address }) => address),
    ...outcome.tokens.map(({ owner }) => owner),
  ];
  return [...new Set(owners)].map((address) => decodeSvmAddress({ address }));
}

async function paymentsIn(
  entry: SvmEntry,
  watched: ReadonlySet<string>,
  chain: SvmChain,
): Promise<readonly FoundAddressPayment[]> {
  const paid = holdersIn(entry).filter((holder) => watched.has(holder));
  if (paid.length === 0) return [];
  const { ledger, packages, pools } = svmParts(chain);
  const decoded = decodeSvmTransaction(entry.wire, packages);
  const [payer] = decoded.accounts;
  const payments = paid.map(async (address) => {
    const owner = accountText(address);
    const tokenAccounts = await ledger.read((machine) =>
      Promise.all(svmTokens.map(({ address: mint }) => machine.tokenAddress({ mint, owner }))),
    );
    return svmGains(entry, { owner, tokenAccounts }, decoded, pools).map(({ amount, currency, losers }) => ({
      address,
      amount,
      blockNumber: entry.slot,
      currency: decodeSvmAddress({ address: currency }),
      id: `${chain.definition.id}:${entry.signature}:${owner}:${currency}`,
      sender: decodeSvmAddress({ address: losers[0] ?? payer ?? owner }),
      txHash: entry.signature as Hex,
    }));
  });
  return (await Promise.all(payments)).flat();
}
