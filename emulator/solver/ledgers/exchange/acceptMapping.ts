import type { Address, Hex } from "viem";
import { exchangeChainId } from "../../../../src/perps/constants.ts";
import { checkExchangeNonce } from "../../../../src/perps/nonce.ts";
import type { Context } from "../../../context/Context.ts";
import { findRequestByOrder } from "../../../requests/applyTrigger.ts";
import type { NonceMappingRow, StoreTransaction } from "../../../store/tables.ts";

type SignedMapping = {
  readonly orderId: Hex;
  readonly wallet: Address;
  readonly depositor: Address;
  readonly nonce: bigint;
  readonly signatureChainId: number;
  readonly signature: Hex;
};

/**
 * Stores which nonce of a wallet pays for an order. Idempotent: the same statement is accepted again, another one for
 * the order or the nonce is not.
 */
export async function acceptMapping(mapping: SignedMapping, context: Context): Promise<string | undefined> {
  const { now, store } = context;
  const at = now();
  const row: NonceMappingRow = {
    at,
    depositor: mapping.depositor.toLowerCase(),
    nonce: Number(mapping.nonce),
    order_id: mapping.orderId.toLowerCase(),
    signature: mapping.signature,
    signature_chain_id: mapping.signatureChainId,
    wallet: mapping.wallet.toLowerCase(),
  };
  const request = await findRequestByOrder(store, row.order_id);
  if (request === undefined) return "There is no order with this id";
  if (request.origin_chain_id !== exchangeChainId) {
    return "The order is not a withdrawal from the perps exchange";
  }
  if (row.wallet !== request.user || row.depositor !== request.user) {
    return "The order belongs to another wallet";
  }
  return store.transaction().execute(async (transaction) => {
    const known = await mappingOf(transaction, row);
    if (known !== undefined) return conflictOf(known, row);
    if (request.status !== "waiting") return "The order is paid already";
    const { verdict } = checkExchangeNonce({ nonce: mapping.nonce, now: at });
    if (verdict !== "ok") return "The exchange does not accept the nonce at present";
    if (await isRefunded(transaction, row)) return "The transfer with this nonce is refunded already";
    await transaction
      .insertInto("nonce_mappings")
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // Another process may have stored a statement first.
    const stored = await mappingOf(transaction, row);
    return stored === undefined ? "The nonce belongs to another order" : conflictOf(stored, row);
  });
}

/** The stored statement of the order. */
function mappingOf(transaction: StoreTransaction, { order_id }: NonceMappingRow) {
  return transaction
    .selectFrom("nonce_mappings")
    .selectAll()
    .where("order_id", "=", order_id)
    .executeTakeFirst();
}

function conflictOf(known: NonceMappingRow, { nonce, wallet }: NonceMappingRow): string | undefined {
  if (known.wallet === wallet && Number(known.nonce) === nonce) return undefined;
  return "The order has another nonce already";
}

/** Whether the transfer with the nonce has waited too long for its statement, and is a deposit without an order. */
async function isRefunded(
  transaction: StoreTransaction,
  { nonce, wallet }: NonceMappingRow,
): Promise<boolean> {
  const deposit = await transaction
    .selectFrom("exchange_actions as action")
    .innerJoin("deposits", (join) =>
      join.onRef("deposits.tx_hash", "=", "action.hash").on("deposits.chain_id", "=", exchangeChainId),
    )
    .select("deposits.id")
    .where("action.account", "=", wallet)
    .where("action.nonce", "=", nonce)
    .executeTakeFirst();
  return deposit !== undefined;
}
