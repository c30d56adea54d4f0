import { readPriceHistory } from "../money/priceHistory.ts";
import { convertAmount } from "../money/prices.ts";
import type { Store, StoreTransaction } from "../store/tables.ts";
import { type Intent, parseIntent } from "./Intent.ts";
import { isAdvanceOwed } from "./isAdvanceOwed.ts";
import { parseStoredQuote } from "./StoredQuote.ts";

/**
 * Computes each share of a deposit, in its currency and the order of the intent. With a variable output the shares
 * scale with the deposit, rounded down; with a fixed output they stay as quoted.
 */
function sharesEarned(
  { appFees, deposit, tradeType }: Pick<Intent, "appFees" | "tradeType"> & { deposit: { amount: bigint } },
  deposited: bigint,
): readonly bigint[] {
  return appFees.map(({ amount }) =>
    tradeType === "EXACT_OUTPUT" ? amount : (amount * deposited) / deposit.amount,
  );
}

/**
 * Credits integrators with their shares of a successful request, in the caller's transaction: in the currency
 * in which app fees accrue, at present prices. A fast-filled request earns them once a deposit covers the advance.
 */
export async function accrueAppFees(
  transaction: StoreTransaction,
  requestId: string,
  at: number,
): Promise<void> {
  const { intent: stored, quote: quoted } = await transaction
    .selectFrom("requests")
    .select(["intent", "quote"])
    .where("id", "=", requestId)
    .executeTakeFirstOrThrow();
  const intent = parseIntent(stored);
  if (intent.appFees.length === 0) return;
  // The solver advanced the money: no fees are paid before a deposit covers it.
  if (await isAdvanceOwed(transaction, requestId)) return;
  const deposit = await transaction
    .selectFrom("deposits")
    .select("amount")
    .where("request_id", "=", requestId)
    .where("state", "in", ["fill-due", "fill-signed"])
    .executeTakeFirst();
  // Without a deposit the user's own transaction paid, as quoted.
  const earned = sharesEarned(intent, deposit === undefined ? intent.deposit.amount : BigInt(deposit.amount));
  const { appFeeCurrency, fees } = parseStoredQuote(quoted);
  if (appFeeCurrency === undefined) throw new Error(`no currency of app fees is stored for ${requestId}`);
  const history = await readPriceHistory(transaction, at);
  const from = history.priced(fees.app?.currency ?? appFeeCurrency, at);
  const to = history.priced(appFeeCurrency, at);
  const rows = intent.appFees.map(({ bps, recipient }, place) => ({
    amount: convertAmount(earned[place] ?? 0n, from, to).toString(),
    at,
    bps,
    chain_id: appFeeCurrency.chainId,
    currency: appFeeCurrency.address,
    place,
    recipient: recipient.toLowerCase(),
    request_id: requestId,
  }));
  await transaction.insertInto("app_fees").values(rows).execute();
}

/** Takes the credit of a request back, in the caller's transaction: its fill or a deposit of it is no longer on its chain. */
export async function revokeAppFees(transaction: StoreTransaction, requestId: string): Promise<void> {
  await transaction.deleteFrom("app_fees").where("request_id", "=", requestId).execute();
}

/** An integrator's balance in one currency, in smallest units. */
export type AppFeeBalance = {
  readonly chainId: number;
  readonly currency: string;
  /** Negative if a reorg took back fees that had been claimed. */
  readonly amount: bigint;
};

/** Statuses of a claim whose payout is due or made. */
const debited = ["pending", "submitted", "success"] as const;

/**
 * Computes the balances of a wallet, by chain and currency: the credited app fees less the claims that are due or paid. A
 * claim that fails counts no longer, so that it returns its amount at once.
 */
export async function readAppFeeBalances(store: Store, wallet: string): Promise<readonly AppFeeBalance[]> {
  const owner = wallet.toLowerCase();
  const [credits, debits] = await Promise.all([
    store
      .selectFrom("app_fees")
      .select(["chain_id", "currency", "amount"])
      .where("recipient", "=", owner)
      .execute(),
    store
      .selectFrom("app_fee_claims")
      .innerJoin("requests", "requests.id", "app_fee_claims.request_id")
      .select(["app_fee_claims.chain_id", "app_fee_claims.currency", "app_fee_claims.amount"])
      .where("app_fee_claims.wallet", "=", owner)
      .where("requests.status", "in", debited)
      .execute(),
  ]);
  const changes = [
    ...credits.map((row) => ({ ...row, amount: BigInt(row.amount) })),
    ...debits.map((row) => ({ ...row, amount: -BigInt(row.amount) })),
  ];
  const byPlace = Map.groupBy(changes, ({ chain_id, currency }) => `${chain_id} ${currency}`);
  return [...byPlace.values()]
    .flatMap((rows) => {
      const [first] = rows;
      const amount = rows.reduce((sum, each) => sum + each.amount, 0n);
      return first === undefined ? [] : [{ amount, chainId: first.chain_id, currency: first.currency }];
    })
    .sort((a, b) => a.chainId - b.chainId || (a.currency < b.currency ? -1 : 1));
}
