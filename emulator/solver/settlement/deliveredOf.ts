import type { Transaction } from "kysely";
import type { Address, TransactionReceipt } from "viem";
import type { Context } from "../../context/Context.ts";
import { parseIntent } from "../../requests/Intent.ts";
import { sentTransaction } from "../../requests/record/sentTransaction.ts";
import type { DepositRow, Tables, TransactionRow } from "../../store/tables.ts";
import { deliveredByFill, deliveredByRefund } from "../receipts/deliveredBy.ts";

/** What a fill or a refund brought, in smallest units; `undefined` where its transaction says so itself. */
export async function deliveredOf(
  transaction: Transaction<Tables>,
  { chain_id, kind, raw, request_id }: TransactionRow,
  deposit: Pick<DepositRow, "amount" | "currency">,
  { logs }: TransactionReceipt,
  chains: Context["chains"],
): Promise<bigint | undefined> {
  const { intent } = await transaction
    .selectFrom("requests")
    .select("intent")
    .where("id", "=", request_id)
    .executeTakeFirstOrThrow();
  const chain = chains.get(chain_id);
  if (chain === undefined) throw new Error(`chain ${chain_id} is not here`);
  const sent = sentTransaction({ raw });
  if (kind === "fill") {
    // What was signed counts: a reorganisation may have changed the deposit since.
    return (
      sent?.transfer?.amount ?? deliveredByFill(parseIntent(intent), BigInt(deposit.amount), chain, logs)
    );
  }
  const currency = deposit.currency as Address;
  const refund = { currency, isTransfer: sent?.transfer !== undefined, value: sent?.value ?? 0n };
  return deliveredByRefund(parseIntent(intent), refund, chain, logs);
}
