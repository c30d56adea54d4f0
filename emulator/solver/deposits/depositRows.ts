import { type Insertable, type SelectQueryBuilder, type SqlBool, sql, type Updateable } from "kysely";
import type { FailReason } from "../../../src/schema/request/failReason.ts";
import type { Intent } from "../../requests/Intent.ts";
import { isPostgres } from "../../store/dialect/columnTypes.ts";
import type { DepositRow, Store, StoreTransaction, Tables, TransactionRow } from "../../store/tables.ts";
import { type DepositTrigger, nextDepositState } from "./depositTransitions.ts";

/** All writes of the table `deposits`. Each state is checked against the table of transitions. */

/** Whether the solver has work for a deposit. The states are literals, so that the database uses the partial index. */
export const isDue = sql<SqlBool>`state in ('fill-due', 'refund-due')`;

/** Columns of work that is done, or that is retried at once. */
const unclaimed = { claimed_until: null, not_before: null } as const;

/** A deposit as it was read: a write that finds another state fails. */
type Known = Pick<DepositRow, "id" | "state">;

/**
 * Stores a deposit, in the caller's transaction.
 *
 * @param known Its row, if it covered an advance before a reorg removed it: the deposit is judged anew.
 */
export async function storeDeposit(
  transaction: StoreTransaction,
  known: Known | undefined,
  trigger: DepositTrigger,
  values: Omit<Insertable<Tables["deposits"]>, "state">,
): Promise<void> {
  if (known !== undefined) return advance(transaction, known, trigger, values);
  const row = { ...unclaimed, ...values, state: nextDepositState("new", trigger) };
  await transaction.insertInto("deposits").values(row).execute();
}

async function advance(
  transaction: StoreTransaction,
  { id, state }: Known,
  trigger: DepositTrigger,
  values: Updateable<Tables["deposits"]>,
): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable("deposits")
    .set({ ...unclaimed, ...values, state: nextDepositState(state, trigger) })
    .where("id", "=", id)
    .where("state", "=", state)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new Error(`${trigger} cannot happen to ${id}: it is no longer ${state}`);
}

/** What an obligation stands for: an amount that counts as deposited. */
type Counted = {
  readonly source: Exclude<DepositRow["source"], "payment">;
  readonly chainId: number;
  readonly currency: string;
  readonly amount: bigint;
};

/**
 * Makes a payment due that no deposit pays for, in the caller's transaction. From here on the solver fills it as a deposit:
 * the request's only obligation, by a unique index.
 */
export async function storeObligation(
  transaction: StoreTransaction,
  { requestId, user }: Pick<Intent, "requestId" | "user">,
  { amount, chainId, currency, source }: Counted,
  at: number,
): Promise<void> {
  await storeDeposit(transaction, undefined, "accepted", {
    amount: amount.toString(),
    at,
    // No block: a search of the chain, or a reorg, never finds the row.
    block_number: -1,
    chain_id: chainId,
    currency: currency.toLowerCase(),
    depositor: user.toLowerCase(),
    id: `${source}:${requestId}`,
    request_id: requestId,
    source,
    tag: requestId,
    tx_hash: "",
  });
}

/** Whether a row is an obligation without a deposit: nothing can be refunded for it. */
export function isObligation({ source }: Pick<DepositRow, "source">): boolean {
  return source !== "payment";
}

/** Reads a deposit, and locks it until the transaction ends: it changes in no other one. */
export async function lockDeposit(
  transaction: StoreTransaction,
  id: string,
): Promise<DepositRow | undefined> {
  return transaction
    .selectFrom("deposits")
    .selectAll()
    .where("id", "=", id)
    .$if(isPostgres(transaction), (query) => query.forUpdate())
    .executeTakeFirst();
}

/** Reads and locks the deposit of a payment; see {@link lockDeposit}. */
export async function lockPaid(
  transaction: StoreTransaction,
  { deposit_id }: Pick<TransactionRow, "deposit_id">,
): Promise<DepositRow> {
  const deposit = await lockDeposit(transaction, deposit_id);
  if (deposit === undefined) throw new Error(`there is no deposit ${deposit_id}`);
  return deposit;
}

/** The facts of a deposit that its chain holds: a reorg may change them. */
type Facts = Omit<Insertable<Tables["deposits"]>, "reason" | "request_id" | "state">;

/** Records where a deposit is now, and what it brings there, in the caller's transaction. */
export async function relocateDeposit(transaction: StoreTransaction, facts: Facts): Promise<void> {
  await transaction.updateTable("deposits").set(facts).where("id", "=", facts.id).execute();
}

/**
 * Moves a deposit to its next state, in the caller's transaction, and ends the claim of its work.
 *
 * @param reason Why it is refunded or was removed; `null` clears an earlier reason, and `undefined` keeps it.
 */
export function moveDeposit(
  transaction: StoreTransaction,
  known: Known,
  trigger: DepositTrigger,
  reason?: FailReason | null,
): Promise<void> {
  return advance(transaction, known, trigger, reason === undefined ? {} : { reason });
}

/** Lets the work of a deposit be claimed again, from a time on. */
export async function postponeDeposit(
  transaction: StoreTransaction,
  { id, not_before }: Pick<DepositRow, "id" | "not_before">,
): Promise<void> {
  await transaction
    .updateTable("deposits")
    .set({ claimed_until: null, not_before })
    .where("id", "=", id)
    .execute();
}

/** Milliseconds of a claim. After that its process counts as dead. */
const leaseMs = 15_000;
const databaseClock = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

/** Claims deposits for this process among those that share a database: each claims different ones. */
export async function claimDeposits(
  store: Store,
  due: SelectQueryBuilder<Tables, "deposits", unknown>,
): Promise<readonly DepositRow[]> {
  return store
    .updateTable("deposits")
    .set({ claimed_until: sql`${databaseClock} + ${sql.lit(leaseMs)}` })
    .where("id", "in", (query) =>
      query
        .selectFrom(
          due
            .select("id")
            .where((where) =>
              where.or([where("claimed_until", "is", null), where("claimed_until", "<", databaseClock)]),
            )
            .forUpdate()
            .skipLocked()
            .as("due"),
        )
        .select("due.id"),
    )
    .returningAll()
    .execute();
}
