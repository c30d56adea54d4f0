import type { Transaction } from "kysely";
import type { Address, Hex } from "viem";
import type { FailReason } from "../../../src/schema/request/failReason.ts";
import type { Context } from "../../context/Context.ts";
import { applyTrigger, type Change } from "../../requests/applyTrigger.ts";
import { parseIntent } from "../../requests/Intent.ts";
import { addRequestHash } from "../../requests/insertRequest.ts";
import type { DepositRow, Tables } from "../../store/tables.ts";
import { openChildRequest, type Parent } from "../deposits/openChildRequest.ts";
import { endAdvance } from "../obligations/payBackAdvance.ts";

type Parted = { readonly part: DepositRow; readonly failReason: FailReason };

/**
 * Releases an advance whose fill failed, in the caller's transaction. The deposits that were paid toward it are refunded: the
 * largest one that may end the request by the request itself, the others by requests of their own. Without such a deposit
 * the request waits for one again.
 */
export async function releaseAdvance(
  transaction: Transaction<Tables>,
  advance: { readonly id: string; readonly request_id: string },
  change: Omit<Change, "trigger">,
  context: Context,
): Promise<void> {
  const { id, request_id } = advance;
  const at = context.now();
  await endAdvance(transaction, advance);
  const request = await transaction
    .selectFrom("requests")
    .select(["id", "user", "refund_to", "referrer", "api_key_id", "origin_chain_id", "intent"])
    .where("id", "=", request_id)
    .executeTakeFirstOrThrow();
  const parts = await transaction
    .selectFrom("deposits")
    .selectAll()
    .where("covers", "=", id)
    .where("outcome", "=", "netted")
    .execute();
  const { minimumAmount } = parseIntent(request.intent).deposit;
  const relayed = await hashOfRelayed(transaction, request_id);
  const isWhole = ({ amount }: DepositRow) => BigInt(amount) >= minimumAmount;
  const refunds = parts
    .toSorted((a, b) => (BigInt(a.amount) < BigInt(b.amount) ? 1 : -1))
    .map(
      (part): Parted => ({
        failReason: isWhole(part)
          ? (change.failReason ?? "TRANSACTION_REVERTED")
          : "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL",
        part,
      }),
    );
  // As for any deposit: a stranger's payment that is too small must not end the request.
  const decisive = refunds.find(
    ({ part }) => isWhole(part) || part.tx_from === request.user || part.tx_hash === relayed,
  );
  for (const each of refunds) if (each !== decisive) await refundByChild(transaction, each, request, context);
  if (decisive === undefined) {
    const { details, txHash } = change;
    return applyTrigger(transaction, request_id, { details, trigger: "fast-fill-released", txHash }, at);
  }
  const { failReason, part } = decisive;
  await refuse(transaction, decisive, request_id);
  const { block_number: originBlock } = part;
  await applyTrigger(
    transaction,
    request_id,
    { ...change, failReason, originBlock, trigger: "fill-failed" },
    at,
  );
}

async function refundByChild(
  transaction: Transaction<Tables>,
  parted: Parted,
  parent: Parent,
  context: Context,
): Promise<void> {
  const { failReason, part } = parted;
  const { amount, block_number: originBlock, chain_id, currency, depositor, tag, tx_hash: txHash } = part;
  const refunded = {
    amount: BigInt(amount),
    chainId: chain_id,
    currency: currency as Address,
    tag: tag as Hex,
  };
  const child = await openChildRequest(transaction, refunded, depositor as Address, parent, context);
  await refuse(transaction, parted, child);
  await addRequestHash(transaction, { hash: txHash, kind: "deposit", request_id: child });
  const change = { failReason, originBlock, trigger: "deposit-refused", txHash } as const;
  await applyTrigger(transaction, child, change, context.now());
}

async function refuse(
  transaction: Transaction<Tables>,
  { failReason, part }: Parted,
  requestId: string,
): Promise<void> {
  await transaction
    .updateTable("deposits")
    .set({ outcome: "refused", reason: failReason, request_id: requestId, todo: "refund" })
    .where("id", "=", part.id)
    .execute();
}

/** The hash of the deposit that the service sent for the user. */
async function hashOfRelayed(
  transaction: Transaction<Tables>,
  requestId: string,
): Promise<string | undefined> {
  const row = await transaction
    .selectFrom("relayed_deposits")
    .select("hash")
    .where("request_id", "=", requestId)
    .executeTakeFirst();
  return row?.hash ?? undefined;
}
