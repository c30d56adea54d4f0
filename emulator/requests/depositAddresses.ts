import type { DepositAddress } from "../../src/schema/request/polledStatus.ts";
import { accountText, storedAccount, textOrNull } from "../chains/accountText.ts";
import type {
  AddressPaymentRow,
  DepositAddressRow,
  NewRequest,
  RequestRow,
  Store,
  StoreTransaction,
} from "../store/tables.ts";
import { parseIntent, parseShownTerms } from "./Intent.ts";

/**
 * Stores the address of a request in the caller's transaction.
 *
 * @param quoteRequest The quote's body in JSON. Later payments are quoted by it.
 */
export async function insertDepositAddress(
  transaction: StoreTransaction,
  row: NewRequest,
  quoteRequest: string,
): Promise<void> {
  const { depositAddress } = parseIntent(row.intent);
  if (depositAddress === undefined) return;
  const { address, refundsSender, type } = depositAddress;
  await transaction
    .insertInto("deposit_addresses")
    .values({
      address,
      chain_id: row.origin_chain_id,
      created_at: row.created_at,
      quote_request: quoteRequest,
      refund_to: refundsSender ? null : (row.refund_to ?? null),
      request_id: row.id,
      type,
    })
    .execute();
}

/** Finds a deposit address: of an EVM chain in any letter case, of the SVM chain as its case is. */
export async function findDepositAddress(
  store: Store,
  address: string,
): Promise<DepositAddressRow | undefined> {
  return store
    .selectFrom("deposit_addresses")
    .selectAll()
    .where("address", "=", storedAccount(address))
    .executeTakeFirst();
}

/** A payment to a deposit address, as records show it. */
export type ShownPayment = Pick<AddressPaymentRow, "sender" | "tx_hash">;

/** Loads the payments to deposit addresses for some requests, by request. */
export async function addressPayments(
  store: Store,
  requests: readonly Pick<RequestRow, "deposit_address" | "id">[],
): Promise<ReadonlyMap<string, ShownPayment>> {
  const ids = requests.filter(({ deposit_address }) => deposit_address !== null).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await store
    .selectFrom("address_payments")
    .select(["request_id", "sender", "tx_hash"])
    .where("request_id", "in", ids)
    .execute();
  return new Map(rows.map(({ request_id, ...row }) => [request_id ?? "", row]));
}

/**
 * Finds the requests that took over deposit addresses from requests that expired unpaid: the first payment after the end was
 * quoted again, and the new request owns sweep and fill. By the expired request.
 */
export async function successors(
  store: Store,
  requests: readonly Pick<RequestRow, "deposit_address" | "expires_at" | "id" | "status">[],
): Promise<ReadonlyMap<string, string>> {
  const endOf = new Map(
    requests
      .filter(({ deposit_address, status }) => deposit_address !== null && status === "waiting")
      .map(({ expires_at, id }) => [id, expires_at ?? Number.POSITIVE_INFINITY]),
  );
  if (endOf.size === 0) return new Map();
  const children = await store
    .selectFrom("requests")
    .select(["created_at", "id", "parent_id"])
    .where("parent_id", "in", [...endOf.keys()])
    .where("status", "!=", "failure")
    // A request that only refunds a payment has no end.
    .where("expires_at", "is not", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  const late = children.filter(
    ({ created_at, parent_id }) => created_at > (endOf.get(parent_id ?? "") ?? Number.POSITIVE_INFINITY),
  );
  return new Map(late.map(({ id, parent_id }) => [parent_id ?? "", id]));
}

/** The deposit address of a request, as statuses, webhooks and records of version 2 show it; null without one. */
export function shownDepositAddress(
  { deposit_address, intent }: Pick<RequestRow, "deposit_address" | "intent">,
  payment: ShownPayment | undefined,
): (DepositAddress & { readonly depositor: string | null; readonly depositTxHash: string | null }) | null {
  if (deposit_address === null) return null;
  return {
    address: accountText(deposit_address),
    depositAddressType: parseShownTerms(intent).depositAddress?.type,
    depositor: textOrNull(payment?.sender),
    depositTxHash: payment?.tx_hash ?? null,
  };
}
