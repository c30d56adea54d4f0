import type { Context } from "../../context/Context.ts";
import { type Places, placesOf } from "../../context/places.ts";
import { type PriceHistory, readPriceHistory } from "../../money/priceHistory.ts";
import { sponsorPayments } from "../../money/sponsorLedger.ts";
import { isVanished, payingKinds } from "../../store/tables/paymentTables.ts";
import type {
  AppFeeRow,
  DepositRow,
  RequestRow,
  SameChainTransactionRow,
  TransactionRow,
} from "../../store/tables.ts";
import { addressPayments, type ShownPayment, successors } from "../depositAddresses.ts";
import { parseStoredQuote, type StoredQuote } from "../StoredQuote.ts";

/** The data of a request that its records show. */
export type RequestParts = {
  readonly chains: Places;
  /** Prices since the oldest of the requests was created. */
  readonly prices: PriceHistory;
  /** Address of the solver, in lower case. */
  readonly solver: string;
  readonly request: RequestRow;
  readonly quote: Partial<StoredQuote>;
  /** Oldest first. */
  readonly deposits: readonly DepositRow[];
  /** Mined and reverted transactions of the solver, oldest first. */
  readonly transactions: readonly TransactionRow[];
  /** Transactions of the user that are deposit and fill in one, oldest first. */
  readonly own: readonly SameChainTransactionRow[];
  readonly features: readonly string[];
  /** The payment to its deposit address; `undefined` before one is found. */
  readonly addressPayment: ShownPayment | undefined;
  /** App fees credited to integrators, in the order of the quote. */
  readonly earned: readonly AppFeeRow[];
  /** The last deposit that a reorg removed; see `metadata.reorg` of records of version 2. */
  readonly reorg: DepositRow | undefined;
  /** The request that took over its deposit address. */
  readonly successor?: string | undefined;
  /** The sponsor's payment in millionths of a dollar; `undefined` before the fill, and once it is returned. */
  readonly sponsorPaid?: bigint | undefined;
};

/** Loads the parts of requests, in the order of the ids. Unknown ids are omitted. */
export async function loadRequestParts(
  context: Pick<Context, "accounts" | "chains" | "exchange" | "store">,
  ids: readonly string[],
): Promise<readonly RequestParts[]> {
  const { accounts, store } = context;
  const chains = placesOf(context);
  if (ids.length === 0) return [];
  const [requests, deposits, transactions, features, earned, own] = await Promise.all([
    store.selectFrom("requests").selectAll().where("id", "in", ids).execute(),
    store
      .selectFrom("deposits")
      .selectAll()
      .where("request_id", "in", ids)
      .where("source", "=", "payment")
      .orderBy("at")
      .orderBy("id")
      .execute(),
    store
      .selectFrom("transactions")
      .selectAll()
      .where("request_id", "in", ids)
      .where("state", "in", ["mined", "reverted"])
      .where("kind", "in", payingKinds)
      .orderBy("id")
      .execute(),
    store
      .selectFrom("request_features")
      .selectAll()
      .where("request_id", "in", ids)
      .orderBy("feature")
      .execute(),
    store.selectFrom("app_fees").selectAll().where("request_id", "in", ids).orderBy("place").execute(),
    store
      .selectFrom("same_chain_transactions")
      .selectAll()
      .where("request_id", "in", ids)
      .orderBy("at")
      .orderBy("hash")
      .execute(),
  ]);
  const sponsorPaid = await sponsorPayments(store, requests);
  const successorOf = await successors(store, requests);
  const addressPaymentOf = await addressPayments(store, requests);
  const prices = await readPriceHistory(store, Math.min(...requests.map(({ created_at }) => created_at)));
  const solver = accounts.solver.account.address.toLowerCase();
  const byId = new Map(requests.map((request) => [request.id, request]));
  const depositsOf = Map.groupBy(deposits, (deposit) => deposit.request_id);
  const transactionsOf = Map.groupBy(transactions, (transaction) => transaction.request_id);
  const featuresOf = Map.groupBy(features, (feature) => feature.request_id);
  const earnedOf = Map.groupBy(earned, (fee) => fee.request_id);
  const ownOf = Map.groupBy(own, (transaction) => transaction.request_id);
  return ids.flatMap((id) => {
    const request = byId.get(id);
    if (request === undefined) return [];
    const paid = depositsOf.get(id) ?? [];
    return [
      {
        addressPayment: addressPaymentOf.get(id),
        chains,
        deposits: paid,
        earned: earnedOf.get(id) ?? [],
        features: (featuresOf.get(id) ?? []).map(({ feature }) => feature),
        quote: parseStoredQuote(request.quote),
        own: ownOf.get(id) ?? [],
        prices,
        reorg: paid.findLast(isVanished),
        request,
        solver,
        sponsorPaid: sponsorPaid.get(id),
        successor: successorOf.get(id),
        transactions: transactionsOf.get(id) ?? [],
      },
    ];
  });
}

/** The reader of records, and the requested data. */
export type Viewer = {
  /** Id of the API key that was presented. */
  readonly apiKeyId: string | undefined;
  readonly includeAuthenticatedData: boolean;
  readonly includeOrderData: boolean;
};

/** Whether a request was made with the reader's API key. */
export function isOwn(request: Pick<RequestRow, "api_key_id">, { apiKeyId }: Viewer): boolean {
  return apiKeyId !== undefined && request.api_key_id === apiKeyId;
}

/** Whether the reader sees fields that are reserved for the API key that made the request. */
export function seesAuthenticatedData(request: Pick<RequestRow, "api_key_id">, viewer: Viewer): boolean {
  return viewer.includeAuthenticatedData && isOwn(request, viewer);
}
