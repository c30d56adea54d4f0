import { sql } from "kysely";
import type { Context } from "../../context/Context.ts";
import { isPostgres } from "../../store/dialect/columnTypes.ts";
import type { DepositRow, RequestRow } from "../../store/tables.ts";

/** A deposit that has to be filled or given back, and the request that it belongs to. */
export type Work = { readonly deposit: DepositRow; readonly request: RequestRow };

/** Ids of the chains on which fills and refunds are asked for; a list may be empty. */
type WorkPlaces = { readonly fills: readonly number[]; readonly refunds: readonly number[] };

/** So many deposits are worked on at once. */
const batchSize = 64;
/** How long a deposit is left to the process that took it, in milliseconds: after that it counts as dead. */
const leaseMs = 15_000;
const databaseClock = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

/**
 * Takes the deposits that something has to be done about on some chains, the oldest first. Where several processes share a
 * database each deposit is taken by one of them; SQLite has one process only, which needs no permission.
 *
 * @param on A fill is made on the destination, a refund where its deposit is.
 * @param except Deposits that could not be dealt with in this round.
 */
export async function claimWork(
  { now, store }: Pick<Context, "now" | "store">,
  on: WorkPlaces,
  except: ReadonlySet<string>,
): Promise<readonly Work[]> {
  const isShared = isPostgres(store);
  let due = store
    .selectFrom("deposits")
    .select("id")
    .where("todo", "is not", null)
    .where((where) =>
      where.or([
        ...on.refunds.map((id) => where.and([where("todo", "=", "refund"), where("chain_id", "=", id)])),
        where.and([
          where("todo", "=", "fill"),
          // Correlated, so that it is looked up by id for the few deposits that are due.
          where.exists(
            where
              .selectFrom("requests")
              .select("requests.id")
              .whereRef("requests.id", "=", "deposits.request_id")
              .where("destination_chain_id", "in", on.fills),
          ),
        ]),
      ]),
    )
    .where((where) => where.or([where("not_before", "is", null), where("not_before", "<=", now())]))
    .orderBy("at")
    .orderBy("id")
    .limit(batchSize);
  if (except.size > 0) due = due.where("id", "not in", [...except]);
  const deposits = isShared
    ? await store
        .updateTable("deposits")
        .set({ claimed_until: sql`${databaseClock} + ${sql.lit(leaseMs)}` })
        .where("id", "in", (query) =>
          query
            .selectFrom(
              due
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
        .execute()
    : await store.selectFrom("deposits").selectAll().where("id", "in", due).execute();
  if (deposits.length === 0) return [];
  const requestIds = deposits.flatMap(({ request_id }) => (request_id === null ? [] : [request_id]));
  const requests = await store.selectFrom("requests").selectAll().where("id", "in", requestIds).execute();
  const byId = new Map(requests.map((request) => [request.id, request]));
  return deposits
    .flatMap((deposit) => {
      const request = deposit.request_id === null ? undefined : byId.get(deposit.request_id);
      return request === undefined ? [] : [{ deposit, request }];
    })
    .sort((a, b) => a.deposit.at - b.deposit.at || (a.deposit.id < b.deposit.id ? -1 : 1));
}
