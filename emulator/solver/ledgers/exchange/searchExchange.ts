import { type Address, type Hex, zeroHash } from "viem";
import type { Context } from "../../../context/Context.ts";
import { faultSubjectColumns } from "../../../context/FaultHooks.ts";
import type { Exchange } from "../../../perps/openExchange.ts";
import { isPostgres } from "../../../store/dialect/columnTypes.ts";
import type { Store, StoreTransaction } from "../../../store/tables.ts";
import type { FoundDeposit } from "../../deposits/FoundDeposit.ts";
import { recordDeposits } from "../../deposits/recordDeposit.ts";

/** Milliseconds that a transfer waits for the statement of its order. Then it is refunded. */
const mappingWaitMs = 60_000;
/** Most transfers recorded at once. */
const batchSize = 64;

/**
 * Records transfers to the solver as deposits, with the new position, in one transaction: those whose nonce is mapped to
 * an order, and those that have waited too long for that. The others wait before the position.
 */
export async function searchExchange(exchange: Exchange, context: Context): Promise<void> {
  const { id: chainId } = exchange.definition;
  const { store } = context;
  if ((await dueTransfers(store, chainId, context)).length === 0) return;
  await store.transaction().execute(async (transaction) => {
    await lockPosition(transaction, chainId);
    // Another process may have recorded them first.
    for (const transfer of await dueTransfers(transaction, chainId, context)) {
      if (await isHidden(transaction, transfer, context)) continue;
      await recordDeposits(transaction, [foundDeposit(transfer, chainId)], context);
    }
    await movePosition(transaction, chainId, context);
  });
}

type DueTransfer = Awaited<ReturnType<typeof dueTransfers>>[number];

/** Unrecorded transfers to the solver that can be recorded now, oldest first, with the order that they pay for. */
async function dueTransfers(store: Store, chainId: number, { accounts, now }: Context) {
  return unrecorded(store, chainId, accounts)
    .leftJoin("nonce_mappings as mapping", (join) =>
      join.onRef("mapping.wallet", "=", "action.account").onRef("mapping.nonce", "=", "action.nonce"),
    )
    .selectAll("action")
    .select("mapping.order_id")
    .where((where) =>
      where.or([where("mapping.order_id", "is not", null), where("action.at", "<=", now() - mappingWaitMs)]),
    )
    .orderBy("action.id")
    .limit(batchSize)
    .execute();
}

/** Transfers to the solver from the position on that are not recorded as deposits. */
function unrecorded(store: Store, chainId: number, { solver }: Context["accounts"]) {
  return store
    .selectFrom("exchange_actions as action")
    .where("action.destination", "=", solver.account.address.toLowerCase())
    .where("action.account", "!=", solver.account.address.toLowerCase())
    .where("action.error", "is", null)
    .where("action.id", ">=", (query) =>
      query.selectFrom("cursors").select("next_block").where("chain_id", "=", chainId),
    )
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("deposits")
            .select("deposits.id")
            .where("deposits.chain_id", "=", chainId)
            .whereRef("deposits.tx_hash", "=", "action.hash")
            .whereRef("deposits.block_number", "=", "action.id"),
        ),
      ),
    );
}

/** One process at a time records deposits and moves the position. */
async function lockPosition(transaction: StoreTransaction, chainId: number): Promise<void> {
  if (!isPostgres(transaction)) return;
  const row = transaction.selectFrom("cursors").select("chain_id").where("chain_id", "=", chainId);
  await row.forUpdate().execute();
}

/** Moves the position to the oldest transfer that still waits, or past all transfers. */
async function movePosition(
  transaction: StoreTransaction,
  chainId: number,
  { accounts }: Context,
): Promise<void> {
  const { waiting } = await unrecorded(transaction, chainId, accounts)
    .select((row) => row.fn.min("action.id").as("waiting"))
    .executeTakeFirstOrThrow();
  const { last } = await transaction
    .selectFrom("exchange_actions")
    .select((row) => row.fn.max("id").as("last"))
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable("cursors")
    .set({ next_block: Number(waiting ?? Number(last ?? 0) + 1) })
    .where("chain_id", "=", chainId)
    .execute();
}

async function isHidden(
  transaction: StoreTransaction,
  { order_id }: DueTransfer,
  { control }: Pick<Context, "control">,
): Promise<boolean> {
  if (order_id === null || control.faults.isQuiet()) return false;
  const request = await transaction
    .selectFrom("requests")
    .select(faultSubjectColumns)
    .where("order_id", "=", order_id)
    .executeTakeFirst();
  return request !== undefined && (await control.faults.forDeposit(request, transaction)) !== undefined;
}

/** A transfer as a deposit. It is a block of its own; an unmapped one names no order. */
function foundDeposit(transfer: DueTransfer, chainId: number): FoundDeposit {
  const { account, amount, at, currency, destination, hash, id, order_id, request } = transfer;
  return {
    amount: BigInt(amount),
    block: { hash: hash as Hex, number: BigInt(id), timestamp: BigInt(Math.floor(Number(at) / 1_000)) },
    chainId,
    currency: currency as Address,
    depositors: [account as Address],
    fee: 0n,
    id: `${chainId}:${hash}:0`,
    paid: undefined,
    paidTo: "depository",
    tag: (order_id ?? zeroHash) as Hex,
    transaction: { from: account as Address, input: request, to: destination as Address, value: 0n },
    txHash: hash as Hex,
  };
}
