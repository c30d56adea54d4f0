import type { Kysely } from "kysely";
import type { RequestStatus } from "../../src/schema/request/requestStatus.ts";
import { isPostgres } from "../store/dialect/columnTypes.ts";
import type { RequestRow, StoreTransaction, Tables } from "../store/tables.ts";

type Sponsored = Pick<RequestRow, "api_key_id" | "sponsored_usd">;

/**
 * Statuses in which a sponsor has paid: from the signed fill on, because the fill can no longer be revoked. A request that
 * leaves them, as for a refund, returns the payment.
 */
const paidStatuses: ReadonlySet<RequestStatus> = new Set(["submitted", "success"]);

/** Whether an API key has a sponsor's balance, of any size. */
export async function isSponsor(store: Kysely<Tables>, apiKeyId: string): Promise<boolean> {
  return (await balanceOfSponsor(store, apiKeyId)) !== undefined;
}

/** Balance of a sponsor in millionths of a dollar; `undefined` if none was ever set. */
export async function balanceOfSponsor(store: Kysely<Tables>, apiKeyId: string): Promise<bigint | undefined> {
  const row = await store
    .selectFrom("sponsors")
    .select("balance")
    .where("api_key_id", "=", apiKeyId)
    .executeTakeFirst();
  return row && BigInt(row.balance);
}

/** Sets a sponsor's balance in millionths of a dollar. The ledger records the difference. */
export async function setSponsorBalance(
  store: Kysely<Tables>,
  apiKeyId: string,
  balance: bigint,
  at: number,
): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    await transaction
      .insertInto("sponsors")
      .values({ api_key_id: apiKeyId, balance: "0" })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const before = await lockedBalance(transaction, apiKeyId);
    await append(transaction, apiKeyId, before, {
      amount: balance - before,
      at,
      request_id: null,
      turn: null,
    });
  });
}

/** App balance of the first key of a database, in millionths of a dollar. Others have none until the control sets one. */
const firstBalance = 50_000_000_000n;

/** Gives the first key of a database its app balance, unless it has one. */
export async function fundFirstKey(store: Kysely<Tables>, at: number): Promise<void> {
  const first = await store
    .selectFrom("api_keys")
    .select("id")
    .orderBy("created_at")
    .orderBy("id")
    .executeTakeFirst();
  if (first === undefined || (await isSponsor(store, first.id))) return;
  await setSponsorBalance(store, first.id, firstBalance, at);
}

/** A change of a sponsor's balance. */
export type SponsorEntry = {
  /** Millionths of a dollar; negative for a charge. */
  readonly amount: bigint;
  /** Unix milliseconds. */
  readonly at: number;
  /** `null` for a balance that was set. */
  readonly requestId: string | null;
};

/** Lists the changes of a sponsor's balance, oldest first. */
export async function listSponsorEntries(
  store: Kysely<Tables>,
  apiKeyId: string,
): Promise<readonly SponsorEntry[]> {
  const rows = await store
    .selectFrom("sponsor_entries")
    .select(["amount", "at", "request_id"])
    .where("api_key_id", "=", apiKeyId)
    .orderBy("seq")
    .execute();
  return rows.map(({ amount, at, request_id }) => ({ amount: BigInt(amount), at, requestId: request_id }));
}

/** Payments of sponsors in force, in millionths of a dollar, by request. */
export async function sponsorPayments(
  store: Kysely<Tables>,
  requests: readonly Pick<RequestRow, "id" | "sponsored_usd">[],
): Promise<ReadonlyMap<string, bigint>> {
  const ids = requests.flatMap(({ id, sponsored_usd }) => (sponsored_usd === null ? [] : [id]));
  const payments = new Map<string, bigint>();
  if (ids.length === 0) return payments;
  const rows = await store
    .selectFrom("sponsor_entries")
    .select(["amount", "request_id"])
    .where("request_id", "in", ids)
    .execute();
  for (const { amount, request_id } of rows) {
    if (request_id === null) continue;
    payments.set(request_id, (payments.get(request_id) ?? 0n) - BigInt(amount));
  }
  return new Map([...payments].filter(([, paid]) => paid > 0n));
}

/**
 * Locks the sponsors of some requests until the transaction ends, in one order for all processes, and returns their balances.
 */
export async function lockSponsors(
  transaction: StoreTransaction,
  requests: readonly Sponsored[],
): Promise<Map<string, bigint>> {
  const ids = requests.flatMap(({ api_key_id, sponsored_usd }) =>
    api_key_id === null || sponsored_usd === null ? [] : [api_key_id],
  );
  const balances = new Map<string, bigint>();
  for (const id of [...new Set(ids)].sort()) balances.set(id, await lockedBalance(transaction, id));
  return balances;
}

/** Whether the given balances hold a sponsor's part; true without a sponsor. */
export function holdsFor(balances: ReadonlyMap<string, bigint>, request: Sponsored): boolean {
  const { api_key_id, sponsored_usd } = request;
  if (api_key_id === null || sponsored_usd === null) return true;
  return (balances.get(api_key_id) ?? 0n) >= BigInt(sponsored_usd);
}

/** Takes a sponsor's part from the given balances. */
export function takeFrom(balances: Map<string, bigint>, { api_key_id, sponsored_usd }: Sponsored): void {
  if (api_key_id === null || sponsored_usd === null) return;
  balances.set(api_key_id, (balances.get(api_key_id) ?? 0n) - BigInt(sponsored_usd));
}

/**
 * Charges or repays the sponsor of a request that changes its status, in the caller's transaction, which holds the request's
 * lock. Charges alternate with repayments: a second charge of one fill is impossible. After a reorg a chain, not the
 * balance, decides that a fill pays: then the balance may fall below zero.
 */
export async function settleSponsor(
  transaction: StoreTransaction,
  requestId: string,
  { from, to }: { readonly from: RequestStatus; readonly to: RequestStatus },
  at: number,
): Promise<void> {
  const isPaid = paidStatuses.has(to);
  if (isPaid === paidStatuses.has(from)) return;
  const { api_key_id, sponsored_usd } = await transaction
    .selectFrom("requests")
    .select(["api_key_id", "sponsored_usd"])
    .where("id", "=", requestId)
    .executeTakeFirstOrThrow();
  if (api_key_id === null || sponsored_usd === null) return;
  const { turn } = await transaction
    .selectFrom("sponsor_entries")
    .select((row) => row.fn.countAll<number>().as("turn"))
    .where("request_id", "=", requestId)
    .executeTakeFirstOrThrow();
  const amount = BigInt(sponsored_usd);
  await append(transaction, api_key_id, await lockedBalance(transaction, api_key_id), {
    amount: isPaid ? -amount : amount,
    at,
    request_id: requestId,
    turn: Number(turn),
  });
}

type Entry = {
  /** Change of the balance, in millionths of a dollar. */
  readonly amount: bigint;
  readonly at: number;
  readonly request_id: string | null;
  readonly turn: number | null;
};

async function append(
  transaction: StoreTransaction,
  apiKeyId: string,
  before: bigint,
  { amount, ...entry }: Entry,
): Promise<void> {
  await transaction
    .updateTable("sponsors")
    .set({ balance: (before + amount).toString() })
    .where("api_key_id", "=", apiKeyId)
    .execute();
  await transaction
    .insertInto("sponsor_entries")
    .values({ ...entry, amount: amount.toString(), api_key_id: apiKeyId })
    .execute();
}

async function lockedBalance(transaction: StoreTransaction, apiKeyId: string): Promise<bigint> {
  const { balance } = await transaction
    .selectFrom("sponsors")
    .select("balance")
    .where("api_key_id", "=", apiKeyId)
    // SQLite has one writer at a time.
    .$if(isPostgres(transaction), (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  return BigInt(balance);
}
