import { sql } from "kysely";
import type { Address } from "viem";
import type { ExchangeResponse } from "../../src/schema/quote/exchangeAction.ts";
import type { LocalAccounts } from "../chains/accounts.ts";
import type { ShownChain } from "../chains/Chain.ts";
import type { Store } from "../store/tables.ts";
import { balanceIn, fundAccounts, lockLedger, setBalanceIn } from "./balances.ts";
import { exchangeAssets, exchangeDefinition } from "./exchangeCurrencies.ts";
import { executeAction } from "./executeAction.ts";

/** Path of the exchange's API, in place of its host. */
export const exchangePath = "/perps";

/** The perps exchange: a ledger in the store. */
export type Exchange = ShownChain & {
  /** It has no pools. */
  readonly swap?: undefined;
  /** Seconds between two entries, at least one; see `RunningChain`. */
  blockSeconds(): number;
  /** Executes a posted action, and answers like the exchange. */
  execute(body: unknown): Promise<ExchangeResponse>;
  /** A nonce for a withdrawal: the present time in milliseconds, or the next free one. Unique among all processes. */
  nextNonce(): Promise<number>;
  /** Balance in smallest units. */
  balanceOf(currency: Address, account: Address): Promise<bigint>;
  setBalance(currency: Address, account: Address, amount: bigint): Promise<void>;
  /** Funds the well-known accounts of an empty ledger, and sets the position of the search. Idempotent. */
  open(): Promise<void>;
  /** Subscribes to executed actions. Returns the function that unsubscribes. */
  onAction(listener: () => void): () => void;
};

type ExchangeParameters = {
  readonly accounts: LocalAccounts;
  readonly now: () => number;
  readonly store: Store;
};

/** Opens the exchange of a database, and funds the well-known accounts on the first start. */
export async function openExchange({ accounts, now, store }: ExchangeParameters): Promise<Exchange> {
  const listeners = new Set<() => void>();
  const open = async () => {
    await fundAccounts(store, accounts);
    // The row is locked to draw nonces and to record deposits.
    await store
      .insertInto("cursors")
      .values({ chain_id: exchangeDefinition.id, next_block: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  };
  await open();
  return {
    blockSeconds: () => 1,
    balanceOf: (currency, account) => balanceIn(store, currency, account),
    currencies: exchangeAssets,
    definition: exchangeDefinition,
    execute: async (body) => {
      const answer = await executeAction(store, body, now);
      // A refused action changed nothing.
      if (answer.status === "ok") for (const listener of listeners) listener();
      return answer;
    },
    open,
    nextNonce: () => drawNonce(store, now()),
    onAction: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setBalance: (currency, account, amount) =>
      store.transaction().execute(async (transaction) => {
        await lockLedger(transaction);
        await setBalanceIn(transaction, currency, account, amount);
      }),
  };
}

/** Key of the last drawn nonce. */
const key = "exchange-nonce";
/** A last nonce that is further ahead comes from a clock that a reset or a restore has set back, in milliseconds. */
const mostAhead = 60_000;

/**
 * Draws a nonce for a withdrawal: the present time, or the successor of the last nonce if that is not earlier. One
 * statement of the database, so that several processes draw different ones.
 */
export async function drawNonce(store: Store, now: number): Promise<number> {
  const last = sql<number>`cast(settings.value as bigint)`;
  const next = sql<string>`case when ${last} >= ${sql.lit(now)} and ${last} < ${sql.lit(now + mostAhead)}
    then cast(${last} + 1 as text) else ${sql.lit(String(now))} end`;
  const { value } = await store
    .insertInto("settings")
    .values({ key, value: String(now) })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: next }))
    .returning("value")
    .executeTakeFirstOrThrow();
  return Number(value);
}
