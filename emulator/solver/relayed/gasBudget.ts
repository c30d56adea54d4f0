import type { Transaction } from "kysely";
import type { Chain } from "../../chains/Chain.ts";
import { ExecuteRefusedError } from "../../errors/ExecuteRefusedError.ts";
import { microsOwed } from "../../money/prices.ts";
import { lockName } from "../../store/lockName.ts";
import type { Tables } from "../../store/tables.ts";

/** Largest gas of the calls of one request. */
const mostCallGas = 2_000_000n;

/** Worth of the gas that the service pays for one caller in {@link windowMs}, in millionths of a dollar. */
const budgetMicros = 5_000_000_000;
const windowMs = 3_600_000;

/** Describes gas above the limit of one request; `undefined` below it. */
export function callGasExcess(gas: bigint): string | undefined {
  if (gas <= mostCallGas) return undefined;
  return `The calls take ${gas} gas, and the service pays for at most ${mostCallGas}`;
}

/** Calls that the service is about to accept. */
type Paid = {
  /** API key of the caller. Callers without one share a budget. */
  readonly apiKeyId: string | undefined;
  /** Unix milliseconds. */
  readonly at: number;
  readonly chain: Pick<Chain, "currencies">;
  /** Wei. */
  readonly cost: bigint;
  readonly requestId: string;
};

/**
 * Takes the gas of a request from its caller's budget, in the caller's transaction. The calls need no quote, so that nothing
 * else limits what one caller costs the service.
 *
 * @throws ExecuteRefusedError when the last hour has used the budget up.
 */
export async function takeCallGas(
  transaction: Transaction<Tables>,
  { apiKeyId, at, chain, cost, requestId }: Paid,
): Promise<void> {
  const [native] = chain.currencies;
  if (native === undefined) throw new Error("a chain without a native currency");
  const micros = Number(microsOwed(cost, native));
  const caller = apiKeyId ?? "";
  // Other calls of the caller wait: the sum cannot change between this check and the row.
  await lockName(transaction, `call-gas ${caller}`);
  const { used } = await transaction
    .selectFrom("call_gas")
    .select((row) => row.fn.coalesce(row.fn.sum<number>("micros"), row.lit(0)).as("used"))
    .where("caller", "=", caller)
    .where("at", ">", at - windowMs)
    .executeTakeFirstOrThrow();
  if (Number(used) + micros > budgetMicros) {
    const whose = apiKeyId === undefined ? "callers without an API key" : "the API key";
    throw new ExecuteRefusedError(
      `The gas of ${whose} is worth over ${budgetMicros / 1e6} dollars within an hour: retry later`,
    );
  }
  // Rows before the window never count again.
  await transaction
    .deleteFrom("call_gas")
    .where("caller", "=", caller)
    .where("at", "<=", at - windowMs)
    .execute();
  await transaction.insertInto("call_gas").values({ at, caller, micros, request_id: requestId }).execute();
}
