import type { Hex } from "viem";
import { decodeSvmAddress } from "../../../src/svm/address.ts";
import { svmNativeToken } from "../../../src/svm/constants.ts";
import { decodeSvmTransaction } from "../../chains/svm/decodeSvmTransaction.ts";
import type { SvmChain } from "../../chains/svm/SvmChain.ts";
import { svmTokens } from "../../chains/svm/svmCurrencies.ts";
import { type SvmEntry, svmTransactionsAfter } from "../../chains/svm/svmHistory.ts";
import { svmParts } from "../../chains/svm/svmParts.ts";
import { memoProgram } from "../../chains/svm/svmPayment.ts";
import type { Store } from "../../store/openStore.ts";
import type { FoundDeposit } from "../deposits/findDeposits.ts";

/** Most transactions of one search. */
const transactionsAtOnce = 100;
const idPattern = /^0x[0-9a-f]{64}$/i;

/** The deposits after a slot, and the last slot that was searched. */
export type SvmSearch = { readonly found: readonly FoundDeposit[]; readonly slot: number };

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
  const transactions = await svmTransactionsAfter(store, { addresses, limit, slot: after });
  const { slot: newest } = await svmParts(chain).ledger.head();
  return {
    found: transactions.flatMap((transaction) => paymentsIn(transaction, { solver, tokenAccounts }, chain)),
    slot: transactions.length < limit ? newest : (transactions.at(-1)?.slot ?? newest),
  };
}

type SolverAccounts = { readonly solver: string; readonly tokenAccounts: readonly string[] };

function paymentsIn(transaction: SvmEntry, own: SolverAccounts, chain: SvmChain): readonly FoundDeposit[] {
  const { at, blockhash, outcome, signature, slot, wire } = transaction;
  if (outcome.error !== null) return [];
  const decoded = decodeSvmTransaction(wire, svmParts(chain).packages);
  const memos = decoded.instructions.filter(({ program }) => program === memoProgram);
  const ids = memos.map(({ data }) => new TextDecoder().decode(data)).filter((memo) => idPattern.test(memo));
  const [tag] = ids;
  const [payer] = decoded.accounts;
  // Two ids say nothing about which of them is paid.
  if (tag === undefined || payer === undefined || ids.length > 1) return [];
  return gainsOf(transaction, own, decoded.accounts.slice(0, decoded.signers)).map(
    ({ amount, currency, losers }) => ({
      amount,
      block: { hash: blockhash as Hex, number: BigInt(slot), timestamp: BigInt(Math.floor(at / 1_000)) },
      chainId: chain.definition.id,
      currency: decodeSvmAddress({ address: currency }),
      depositors: [...losers, payer].map((address) => decodeSvmAddress({ address })),
      fee: outcome.fee,
      id: `${chain.definition.id}:${signature}:${currency}`,
      paid: undefined,
      paidTo: "depository",
      tag: tag.toLowerCase() as Hex,
      transaction: {
        from: decodeSvmAddress({ address: payer }),
        input: `0x${Buffer.from(wire).toString("hex")}`,
        to: decodeSvmAddress({ address: own.solver }),
        value: 0n,
      },
      txHash: signature as Hex,
    }),
  );
}

type Gain = {
  /** Mint, or the native currency's address. */
  readonly currency: string;
  readonly amount: bigint;
  /** Accounts that lost this currency, the greatest loss first. */
  readonly losers: readonly string[];
};

/** What the solver gained in a transaction, by currency. */
function gainsOf(
  { outcome }: SvmEntry,
  { solver, tokenAccounts }: SolverAccounts,
  signers: readonly string[],
): readonly Gain[] {
  const lamports = outcome.accounts.map(({ address, post, pre }) => ({
    ...{ currency: svmNativeToken, post, pre },
    owner: address,
  }));
  const tokens = outcome.tokens
    .filter(({ mint }) => svmTokens.some(({ address }) => address === mint))
    .filter(({ account, owner }) => owner !== solver || tokenAccounts.includes(account))
    .map(({ mint, owner, post, pre }) => ({ currency: mint, owner, post, pre }));
  const byCurrency = Map.groupBy([...lamports, ...tokens], ({ currency }) => currency);
  return [...byCurrency].flatMap(([currency, moves]) => {
    const change = (owner: string) =>
      moves.reduce((sum, move) => (move.owner === owner ? sum + move.post - move.pre : sum), 0n);
    const amount = change(solver);
    if (amount <= 0n) return [];
    const owners = [...new Set(moves.map(({ owner }) => owner))];
    // Lamports may leave an account that no key opens, such as a closed token account: its signers count alone.
    const isPayer = (owner: string) => currency !== svmNativeToken || signers.includes(owner);
    const losers = owners.filter((owner) => change(owner) < 0n && isPayer(owner));
    return [{ amount, currency, losers: losers.toSorted((a, b) => (change(a) < change(b) ? -1 : 1)) }];
  });
}
