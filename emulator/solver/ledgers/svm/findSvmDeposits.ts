import type { Hex } from "viem";
import { decodeSvmAddress } from "../../../../src/svm/address.ts";
import { svmNativeToken } from "../../../../src/svm/constants.ts";
import { accountText } from "../../../chains/accountText.ts";
import { type DecodedTransaction, decodeSvmTransaction } from "../../../chains/svm/decodeSvmTransaction.ts";
import type { SvmChain } from "../../../chains/svm/SvmChain.ts";
import { svmTokens } from "../../../chains/svm/svmCurrencies.ts";
import {
  type SvmEntry,
  svmTransactionsBetween,
  svmTransactionsNaming,
} from "../../../chains/svm/svmHistory.ts";
import type { SvmHead } from "../../../chains/svm/svmLog.ts";
import { svmParts } from "../../../chains/svm/svmParts.ts";
import { memoProgram } from "../../../chains/svm/svmPayment.ts";
import type { SvmPool } from "../../../chains/svm/swap/svmPools.ts";
import { endsOfSwap } from "../../../chains/svm/swap/swapInstruction.ts";
import { swapProgramAddress } from "../../../chains/svm/swap/swapProgram.ts";
import type { Store } from "../../../store/tables.ts";
import { type FoundAddressPayment, hasAddresses, watchedAmong } from "../../addresses/watchedAddresses.ts";
import type { FoundDeposit } from "../../deposits/FoundDeposit.ts";

/** Most transactions of one search. */
const transactionsAtOnce = 100;
const idPattern = /^0x[0-9a-f]{64}$/i;

/** The deposits after a slot, the last slot that was searched, and the chain's newest slot at that time. */
type SvmSearch = {
  readonly found: readonly FoundDeposit[];
  readonly head: SvmHead;
  readonly slot: number;
};

/**
 * Finds payments to the solver on the SVM chain: what its wallet and its associated token accounts gained in a transaction
 * whose memo is an orderId. It could not spend from other token accounts that it owns. Amounts are measured, so that payments by other programs count too.
 */
export async function findSvmDeposits(chain: SvmChain, store: Store, after: number): Promise<SvmSearch> {
  const solver = svmParts(chain).accounts.solver.signer.address;
  const tokenAccounts = await svmParts(chain).ledger.read((machine) =>
    Promise.all(svmTokens.map(({ address }) => machine.tokenAddress({ mint: address, owner: solver }))),
  );
  const addresses = [solver, ...tokenAccounts];
  const limit = transactionsAtOnce;
  // Read before the transactions: a payment that arrives in between is above it, and the next search finds it.
  const head = await svmParts(chain).ledger.head();
  const transactions = await svmTransactionsNaming(store, { above: after, addresses, limit, to: head.slot });
  return {
    found: transactions.flatMap((transaction) =>
      paymentsIn(transaction, { owner: solver, tokenAccounts }, chain),
    ),
    head,
    slot: transactions.length < limit ? head.slot : (transactions.at(-1)?.slot ?? head.slot),
  };
}

function paymentsIn(transaction: SvmEntry, own: SvmHolder, chain: SvmChain): readonly FoundDeposit[] {
  const { at, blockhash, outcome, signature, slot, wire } = transaction;
  if (outcome.error !== null) return [];
  const decoded = decodeSvmTransaction(wire, svmParts(chain).packages);
  const memos = decoded.instructions
    .filter(({ program }) => program === memoProgram)
    .map(({ data }) => new TextDecoder().decode(data));
  const ids = memos.filter((memo) => idPattern.test(memo));
  const [tag] = ids;
  const [payer] = decoded.accounts;
  // Two ids say nothing about which of them is paid.
  if (tag === undefined || payer === undefined || ids.length > 1) return [];
  // The solver pays for sweeps of deposit addresses alone, and names the depositor in them.
  const named = payer === own.owner ? memos.map(sweptDepositor).filter((each) => each !== undefined) : [];
  return svmGains(transaction, own, decoded, svmParts(chain).pools).map(({ amount, currency, losers }) => ({
    amount,
    block: { hash: blockhash as Hex, number: BigInt(slot), timestamp: BigInt(Math.floor(at / 1_000)) },
    chainId: chain.definition.id,
    currency: decodeSvmAddress({ address: currency }),
    depositors: [...named, ...losers, payer].map((address) => decodeSvmAddress({ address })),
    fee: outcome.fee,
    id: `${chain.definition.id}:${signature}:${currency}`,
    paid: soldFor(transaction, own, decoded),
    paidTo: "depository",
    tag: tag.toLowerCase() as Hex,
    transaction: {
      from: decodeSvmAddress({ address: payer }),
      input: `0x${Buffer.from(wire).toString("hex")}`,
      to: decodeSvmAddress({ address: own.owner }),
      value: 0n,
    },
    txHash: signature as Hex,
  }));
}

/** What a swap into the solver's account took from the account that sold; `undefined` without such a swap. */
function soldFor(
  { outcome }: Pick<SvmEntry, "outcome">,
  { tokenAccounts }: SvmHolder,
  { instructions }: Pick<DecodedTransaction, "instructions">,
): bigint | undefined {
  const swap = instructions.find(({ program }) => program === swapProgramAddress);
  if (swap === undefined) return undefined;
  const { destination, source } = endsOfSwap(swap);
  if (destination === undefined || !tokenAccounts.includes(destination)) return undefined;
  const sold = outcome.tokens.find(({ account }) => account === source);
  return sold && sold.pre - sold.post;
}

const sweptPattern = /^from ([1-9A-HJ-NP-Za-km-z]{32,44})$/;

/** The memo by which a sweep of a deposit address names the depositor. */
export function sweepMemo(depositor: string): string {
  return `from ${depositor}`;
}

function sweptDepositor(memo: string): string | undefined {
  return sweptPattern.exec(memo)?.[1];
}

/** A wallet and its associated token accounts, in base58. It cannot be paid in other token accounts that it owns. */
type SvmHolder = { readonly owner: string; readonly tokenAccounts: readonly string[] };

/** What a wallet gained in a transaction in one currency. */
type SvmGain = {
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
function svmGains(
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
      for (const entry of entries) found.push(...(await addressPaymentsIn(entry, watched, chain)));
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

async function addressPaymentsIn(
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
