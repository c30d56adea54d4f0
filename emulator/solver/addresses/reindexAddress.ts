import { type Address, erc20Abi, zeroAddress } from "viem";
import type { ReindexResponse } from "../../../src/schema/request/depositAddresses.ts";
import { accountText } from "../../chains/accountText.ts";
import type { Chain, LocalCurrency } from "../../chains/Chain.ts";
import type { SvmChain } from "../../chains/svm/SvmChain.ts";
import { leastSwept } from "../../chains/svm/svmParts.ts";
import type { Context } from "../../context/Context.ts";
import { usdOf } from "../../money/prices.ts";
import { sweepCost } from "../../quote/price/paymentCost.ts";
import { lockName } from "../../store/locks.ts";
import type { AddressPaymentRow, Store } from "../../store/tables.ts";
import { insertPayments, movePayments, retryPayments } from "../paymentRows.ts";
import { lastSearched } from "../receipts/searchedBlocks.ts";
import { settleRelayed } from "../relayed/settleRelayed.ts";
import { retryRelayed } from "../relayedRows.ts";

/** Least time between two searches of an address, in milliseconds. */
const reindexIntervalMs = 10_000;

/** Claims a search of an address; false if the last one is too recent. One of several processes succeeds. */
export async function claimReindex(address: string, { now, store }: Context): Promise<boolean> {
  const at = now();
  const { numUpdatedRows } = await store
    .updateTable("deposit_addresses")
    .set({ reindexed_at: at })
    .where("address", "=", address)
    .where((where) =>
      where.or([where("reindexed_at", "is", null), where("reindexed_at", "<=", at - reindexIntervalMs)]),
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Lets the payments to an address on a chain, and their sweeps, be retried at once: a reindex does not wait for their delays. */
export async function retryAtOnce(
  address: string,
  { definition }: Chain | SvmChain,
  { store }: Pick<Context, "store">,
): Promise<void> {
  await retryPayments(store, { address, chain_id: definition.id });
  const swept = store
    .selectFrom("address_payments")
    .select("request_id")
    .$narrowType<{ request_id: string }>()
    .where("address", "=", address)
    .where("state", "=", "assigned")
    .where("request_id", "is not", null);
  await retryRelayed(store, (where) =>
    where.and([where("chain_id", "=", definition.id), where("request_id", "in", swept)]),
  );
}

/**
 * Looks for money at a deposit address on a chain, and records what no payment accounts for as a payment of its own:
 * held payments, money without a call, money on another chain.
 */
export async function reindexAddress(
  address: string,
  chain: Chain | SvmChain,
  currencies: readonly LocalCurrency[],
  balances: SearchedBalances,
  context: Context,
): Promise<Omit<ReindexResponse, "message">> {
  const results = await Promise.all(
    currencies.map((currency) =>
      reindexCurrency(address, chain, currency, balances, context).catch((cause: unknown) => {
        const message = `reindexing ${currency.symbol} of ${address} failed`;
        context.log({ cause, level: "error", message });
        return "failed" as const;
      }),
    ),
  );
  return {
    checkedCurrencies: currencies.length,
    failedCurrencies: results.filter((result) => result === "failed").length,
    triggeredCurrencies: results.flatMap((result) =>
      result === "failed" || result === undefined ? [] : [result],
    ),
  };
}

type Triggered = ReindexResponse["triggeredCurrencies"][number];

async function reindexCurrency(
  address: string,
  chain: Chain | SvmChain,
  currency: LocalCurrency,
  { balanceOf, blockNumber }: SearchedBalances,
  { now, random32, store }: Context,
): Promise<Triggered | undefined> {
  const balance = await balanceOf(currency);
  const place = {
    address,
    chain_id: chain.definition.id,
    currency: currency.address.toLowerCase(),
  };
  return store.transaction().execute(async (transaction) => {
    // Another search of the address waits: it reserves what this one records.
    await lockName(transaction, `reindex ${address}`);
    const free = balance - (await sumReserved(place, blockNumber, transaction));
    if (free <= 0n || free < leastSwept(currency) || usdOf(free, currency) <= sweepCost(chain))
      return undefined;
    const held = await transaction
      .selectFrom("address_payments")
      .select(["amount", "sender"])
      .where((where) => where.and({ ...place, state: "held" as const }))
      .execute();
    const [sender = null, ...others] = [...new Set(held.map((payment) => payment.sender))];
    const isAllHeld = held.reduce((sum, { amount }) => sum + BigInt(amount), 0n) === free;
    // The new payment takes their place.
    await movePayments(transaction, (where) => where.and(place), "merged");
    await insertPayments(transaction, [
      {
        ...place,
        amount: free.toString(),
        at: now(),
        id: `${place.chain_id}:reindex:${random32()}`,
        sender: isAllHeld && others.length === 0 ? sender : null,
      },
    ]);
    return { balance: free.toString(), currency: accountText(place.currency), symbol: currency.symbol };
  });
}

type Place = Pick<AddressPaymentRow, "address" | "chain_id" | "currency">;

/** Sum of the payments that were at the address at a block, and are swept after it. */
async function sumReserved(place: Place, blockNumber: bigint, store: Store): Promise<bigint> {
  const rows = await store
    .selectFrom("address_payments as payments")
    .leftJoin("relayed_deposits as sweeps", "sweeps.request_id", "payments.request_id")
    .select("payments.amount")
    .where("payments.address", "=", place.address)
    .where("payments.chain_id", "=", place.chain_id)
    .where("payments.currency", "=", place.currency)
    .where((where) =>
      where.or([
        where("payments.state", "=", "found"),
        where.and([where("payments.state", "=", "assigned"), where("sweeps.state", "in", ["due", "signed"])]),
        // Settled in a block that the balance does not include.
        where.and([
          where("payments.state", "=", "assigned"),
          where("sweeps.block_number", ">", Number(blockNumber)),
        ]),
      ]),
    )
    .execute();
  return rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

/** Balances of an account at a block up to which every payment is recorded, so that none counts twice. */
export type SearchedBalances = {
  readonly blockNumber: bigint;
  /** Balance in smallest units. */
  balanceOf(currency: LocalCurrency): Promise<bigint>;
};

/** Balances at the last searched block. Sweeps up to it are settled before their money counts as missing. */
export async function searchedBalances(
  address: string,
  chain: Chain,
  context: Context,
): Promise<SearchedBalances> {
  const { number: blockNumber } = await lastSearched(chain, context.store);
  await settleRelayed(chain, context);
  const account = address as Address;
  return {
    balanceOf: ({ address: currency }) => {
      if (currency === zeroAddress) return chain.client.getBalance({ address: account, blockNumber });
      const read = { abi: erc20Abi, address: currency, blockNumber } as const;
      return chain.client.readContract({ ...read, args: [account], functionName: "balanceOf" });
    },
    blockNumber,
  };
}
