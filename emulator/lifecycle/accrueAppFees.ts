import type { Transaction } from "kysely";
import { type Intent, parseIntent } from "../store/Intent.ts";
import type { Tables } from "../store/tables.ts";

/**
 * What each share of a deposit is worth, in the order of the intent: with an output that varies the shares follow the deposit
 * as the output does, rounded down; with a fixed one they stay as quoted.
 *
 * @param deposited Smallest units.
 */
export function sharesEarned(
  { appFees, deposit, tradeType }: Pick<Intent, "appFees" | "tradeType"> & { deposit: { amount: bigint } },
  deposited: bigint,
): readonly bigint[] {
  return appFees.map(({ amount }) =>
    tradeType === "EXACT_OUTPUT" ? amount : (amount * deposited) / deposit.amount,
  );
}

/** Credits integrators with their shares of a request that ends in success, in the caller's transaction. */
export async function accrueAppFees(
  transaction: Transaction<Tables>,
  requestId: string,
  at: number,
): Promise<void> {
  const { intent: stored } = await transaction
    .selectFrom("requests")
    .select("intent")
    .where("id", "=", requestId)
    .executeTakeFirstOrThrow();
  const intent = parseIntent(stored);
  if (intent.appFees.length === 0) return;
  const deposit = await transaction
    .selectFrom("deposits")
    .select("amount")
    .where("request_id", "=", requestId)
    .where("outcome", "=", "accepted")
    .executeTakeFirst();
  // Without a deposit the user's own transaction paid, as quoted.
  const earned = sharesEarned(intent, deposit === undefined ? intent.deposit.amount : BigInt(deposit.amount));
  const rows = intent.appFees.map(({ bps, recipient }, place) => ({
    amount: (earned[place] ?? 0n).toString(),
    at,
    bps,
    chain_id: intent.origin.chainId,
    currency: intent.deposit.currency.toLowerCase(),
    place,
    recipient: recipient.toLowerCase(),
    request_id: requestId,
  }));
  await transaction.insertInto("app_fees").values(rows).execute();
}
