import type { Address } from "viem";
import { formatExchangeAmount, parseExchangeAmount } from "../../../../src/perps/amounts.ts";
import { checkExchangeNonce } from "../../../../src/perps/nonce.ts";
import type { Context } from "../../../context/Context.ts";
import { lockLedger } from "../../../perps/balances.ts";
import { assetByCurrency, type ExchangeAsset } from "../../../perps/exchangeCurrencies.ts";
import type { Exchange } from "../../../perps/openExchange.ts";
import { readSigned, receivedAsset, signTransfer } from "../../../perps/signAction.ts";
import type { Intent } from "../../../requests/Intent.ts";
import type { Delivery, Shortfall } from "../../../router/planDelivery.ts";
import { refuseShortfall } from "../../../router/prepareFill.ts";
import { isPostgres } from "../../../store/dialect/columnTypes.ts";
import type { ExchangeActionRow, Store, StoreTransaction, TransactionRow } from "../../../store/tables.ts";
import type {
  Payment,
  PaymentSigner,
  Refund,
  Settled,
  SolverLedger,
  Unprepared,
} from "../../SolverLedger.ts";
import { searchExchange } from "./searchExchange.ts";

/** A payment on the exchange: a transfer of the solver. */
type ExchangePayment = Payment & { readonly asset: ExchangeAsset; readonly destination: Address };

/**
 * The perps exchange as a ledger of the solver. Its history never changes, a transfer costs nothing, and a nonce is used
 * once: sending the same bytes again moves nothing.
 */
export function exchangeLedger(exchange: Exchange, context: Context): SolverLedger<ExchangePayment> {
  const { accounts, log, now, store } = context;
  const solver = accounts.solver.account.address.toLowerCase();
  const actionWith = (nonce: number, database: Store = store) =>
    database
      .selectFrom("exchange_actions")
      .selectAll()
      .where("account", "=", solver)
      .where("nonce", "=", nonce)
      .executeTakeFirst();
  return {
    definition: exchange.definition,
    isStanding: async () => true,
    onChange: exchange.onAction,
    openSigner: (payments) => openSigner(exchange, payments, context),
    prepareFill: (intent, delivery) => prepareFill(exchange, intent, delivery, context),
    prepareRefund: async (refund) => prepareRefund(refund),
    readOutcome: async (row) => {
      const action = await actionWith(row.nonce);
      if (action !== undefined || !isExpired(row, now())) return settledOf(row, action, now());
      // Another process may be executing the payment: it expires only under the lock that its execution needs.
      return store.transaction().execute(async (transaction) => {
        await lockLedger(transaction);
        return settledOf(row, await actionWith(row.nonce, transaction), now());
      });
    },
    search: () => searchExchange(exchange, context),
    send: async (row) => {
      const { response, status } = await exchange.execute(JSON.parse(row.raw));
      if (status === "ok" || (await actionWith(row.nonce)) !== undefined) return true;
      const message = `the exchange rejected a ${row.kind}: ${String(response)}`;
      log({ level: "error", message, requestId: row.request_id });
      return false;
    },
    tip: () => "",
  };
}

async function prepareFill(
  exchange: Exchange,
  intent: Intent,
  delivery: Delivery | Shortfall,
  { accounts }: Pick<Context, "accounts">,
): Promise<ExchangePayment | Unprepared> {
  if (!("inventory" in delivery)) return refuseShortfall(delivery);
  const { currency } = intent.fill;
  const asset = assetByCurrency(currency);
  const held = await exchange.balanceOf(currency, accounts.solver.account.address);
  if (asset === undefined || held < delivery.inventory) {
    return { details: "The solver does not hold the output", failReason: "SOLVER_BALANCE_TOO_LOW" };
  }
  return { asset, destination: intent.recipient, spends: { amount: delivery.inventory, currency } };
}

function prepareRefund({ deposit, payee }: Refund): ExchangePayment | Unprepared {
  const asset = assetByCurrency(deposit.currency);
  if (asset === undefined) return { details: "The deposit is in a currency that the solver does not hold" };
  const spends = { amount: BigInt(deposit.amount), currency: asset.address };
  return { asset, destination: payee, spends };
}

async function openSigner(
  exchange: Exchange,
  payments: readonly ExchangePayment[],
  { accounts, now }: Context,
): Promise<PaymentSigner<ExchangePayment>> {
  const { account } = accounts.solver;
  const holdings = new Map<string, bigint>();
  for (const { asset } of payments) {
    holdings.set(asset.address, await exchange.balanceOf(asset.address, account.address));
  }
  return {
    reserve: ({ asset, spends }) => {
      const held = holdings.get(asset.address) ?? 0n;
      if (held < spends.amount) return false;
      holdings.set(asset.address, held - spends.amount);
      return true;
    },
    sign: async (transaction, { asset, destination, spends }) => {
      const nonce = await takeNonce(transaction, exchange.definition.id, account.address, now());
      const amount = formatExchangeAmount({ amount: spends.amount, decimals: asset.decimals });
      const { hash, raw } = await signTransfer(account, { amount, asset, destination, nonce });
      return { hash, nonce, raw, tx_data: null };
    },
  };
}

/**
 * Draws a nonce: the present time, and later than any that the exchange or a stored payment has used. The exchange's row
 * is locked until the transaction ends, so that one process at a time draws its nonces.
 */
async function takeNonce(
  transaction: StoreTransaction,
  chainId: number,
  solver: Address,
  now: number,
): Promise<number> {
  if (isPostgres(transaction)) {
    const row = transaction.selectFrom("cursors").select("chain_id").where("chain_id", "=", chainId);
    await row.forUpdate().execute();
  }
  const { used } = await transaction
    .selectFrom("exchange_actions")
    .select((row) => row.fn.max("nonce").as("used"))
    .where("account", "=", solver.toLowerCase())
    .executeTakeFirstOrThrow();
  const { stored } = await transaction
    .selectFrom("transactions")
    .select((row) => row.fn.max("nonce").as("stored"))
    .where("chain_id", "=", chainId)
    .executeTakeFirstOrThrow();
  return Math.max(now, Number(used ?? 0) + 1, Number(stored ?? 0) + 1);
}

function isExpired({ nonce }: Pick<TransactionRow, "nonce">, now: number): boolean {
  return checkExchangeNonce({ nonce: BigInt(nonce), now }).verdict === "too-old";
}

/** The outcome of a payment; `undefined` while the exchange may still execute it. */
function settledOf(
  row: TransactionRow,
  action: ExchangeActionRow | undefined,
  now: number,
): Settled | undefined {
  const common = { isOutdated: async () => false, row };
  const nothing = { fee: "0", gas_used: 0, state: "reverted" } as const;
  const measureDelivered = async () => deliveredBy(row);
  if (action === undefined) {
    if (!isExpired(row, now)) return undefined;
    const columns = { ...nothing, block_at: now, block_hash: null, block_number: null };
    return { ...common, columns, failure: { details: "The payment's nonce has expired" }, measureDelivered };
  }
  const { at, error, hash, id } = action;
  const isOther = hash !== row.hash;
  const details = isOther ? "Another action has used the payment's nonce" : error;
  const columns = { ...nothing, block_at: Number(at), block_hash: hash, block_number: Number(id) };
  if (details !== null) return { ...common, columns, failure: { details }, measureDelivered };
  return { ...common, columns: { ...columns, state: "mined" }, failure: undefined, measureDelivered };
}

/** The amount of a signed fill, in smallest units; the signed bytes of a refund state it themselves. */
function deliveredBy({ kind, raw }: TransactionRow): bigint | undefined {
  const request = readSigned(raw);
  const asset = request && receivedAsset(request);
  if (kind !== "fill" || asset === undefined) return undefined;
  return parseExchangeAmount({ amount: request?.action.amount ?? "", decimals: asset.decimals });
}
