import { sql } from "kysely";
import type { Address } from "viem";
import type { LocalAccounts } from "../chains/accounts.ts";
import { isPostgres } from "../store/dialect/columnTypes.ts";
import type { Store, StoreTransaction } from "../store/tables.ts";
import { exchangeAssets } from "./exchangeCurrencies.ts";

/** Whole tokens of each currency at the start. */
const funds = { solver: 1_000_000_000n, user: 1_000_000n };

/** Balance of an account in smallest units. */
export async function balanceIn(store: Store, currency: string, account: string): Promise<bigint> {
  const row = await store
    .selectFrom("exchange_balances")
    .select("amount")
    .where("account", "=", account.toLowerCase())
    .where("currency", "=", currency.toLowerCase())
    .executeTakeFirst();
  return BigInt(row?.amount ?? 0);
}

/** Sets a balance in the caller's transaction, which holds the ledger's lock. */
export async function setBalanceIn(
  transaction: StoreTransaction,
  currency: string,
  account: string,
  amount: bigint,
): Promise<void> {
  const row = {
    account: account.toLowerCase(),
    amount: amount.toString(),
    currency: currency.toLowerCase(),
  };
  await transaction
    .insertInto("exchange_balances")
    .values(row)
    .onConflict((conflict) => conflict.columns(["account", "currency"]).doUpdateSet({ amount: row.amount }))
    .execute();
}

/** Locks the ledger until the transaction ends: one action at a time, in the order of their heights. */
export async function lockLedger(transaction: StoreTransaction): Promise<void> {
  // SQLite has one writer.
  if (!isPostgres(transaction)) return;
  await sql`lock table exchange_actions in share row exclusive mode`.execute(transaction);
}

/** Funds the well-known accounts that have no balances yet. */
export async function fundAccounts(store: Store, { solver, users }: LocalAccounts): Promise<void> {
  const holdings: readonly (readonly [Address, bigint])[] = [
    [solver.account.address, funds.solver],
    ...users.map(({ account }) => [account.address, funds.user] as const),
  ];
  const rows = holdings.flatMap(([account, tokens]) =>
    exchangeAssets.map(({ address, decimals }) => ({
      account: account.toLowerCase(),
      amount: (tokens * 10n ** BigInt(decimals)).toString(),
      currency: address,
    })),
  );
  await store
    .insertInto("exchange_balances")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
