import type { FastFillRequest } from "../../src/schema/quote/fastFill.ts";
import type { LocalCurrency } from "../chains/Chain.ts";
import type { Context } from "../context/Context.ts";
import { advancePerKeyOf, advancePerRequestOf } from "../context/EmulatorConfig.ts";
import { placesOf } from "../context/places.ts";
import { FastFillRefusedError } from "../errors/refusals.ts";
import { divide, type Usd, usdOf } from "../money/prices.ts";
import { balanceOfSponsor } from "../money/sponsorLedger.ts";
import { applyTrigger, findRequest, lockStatus } from "../requests/applyTrigger.ts";
import { type Intent, parseIntent } from "../requests/Intent.ts";
import { outstandingAdvances } from "../requests/isAdvanceOwed.ts";
import { planDelivery, spentBy } from "../router/planDelivery.ts";
import { lockName } from "../store/locks.ts";
import type { StoreTransaction } from "../store/tables.ts";
import { storeObligation } from "./deposits/depositRows.ts";
import { markFastFilled } from "./deposits/payBackAdvance.ts";

/** Dollars are in units of 1e-18. */
const perMicro = 10n ** 12n;
const microsPerUsd = 1e6;
/** More micro-dollars than any fill is worth; larger limits are this one. */
const mostMicros = 1e15;

type Advance = {
  readonly intent: Intent;
  /** The deposit that is filled in advance, in smallest units of its currency. */
  readonly amount: bigint;
  /** Worth of all that leaves the solver, in micro-dollars, rounded up; see `computeOutlay`. */
  readonly micros: bigint;
};

/**
 * Accepts a fast fill: the solver fills the request before it has found the deposit, which then pays the advance back.
 * The status and the limits are checked in the transaction that makes the fill due.
 */
export async function acceptFastFill(
  body: FastFillRequest,
  apiKeyId: string,
  context: Context,
): Promise<void> {
  const request = await findRequest(context.store, body.requestId);
  if (request === undefined) throw new FastFillRefusedError(404, "Request not found");
  if (request.api_key_id !== null && request.api_key_id !== apiKeyId) {
    throw new FastFillRefusedError(403, "Forbidden: the request belongs to another API key");
  }
  assertOpen(request.status);
  const advance = readAdvance(parseIntent(request.intent), body, context);
  await context.store.transaction().execute((transaction) => record(transaction, advance, apiKeyId, context));
}

function assertOpen(status: string): void {
  if (status === "waiting" || status === "depositing") return;
  throw new FastFillRefusedError(
    409,
    `Conflict: this request is already being processed, its status is ${status}`,
  );
}

/** Computes the advance, and checks it against everything that does not change while it is stored. */
function readAdvance(
  intent: Intent,
  { maxFillAmountUsd, solverInputCurrencyAmount }: FastFillRequest,
  context: Context,
): Advance {
  const { control, now, quoting } = context;
  const { deposit, destination, expiresAt, fill, origin } = intent;
  if (deposit.via === "self" || origin.chainId === destination.chainId) {
    throw refused("A request on one chain has no fill to advance");
  }
  if (intent.depositAddress !== undefined) {
    throw refused("A deposit address takes any payment: its request cannot be filled before one");
  }
  if (now() > expiresAt) throw refused("The quote has expired");
  const amount = solverInputCurrencyAmount === undefined ? deposit.amount : BigInt(solverInputCurrencyAmount);
  if (amount < deposit.minimumAmount) {
    throw refused(`The solver fills a deposit of at least ${deposit.minimumAmount}, not ${amount}`);
  }
  const currency = placesOf(context)
    .get(destination.chainId)
    ?.currencies.find(({ address }) => address.toLowerCase() === fill.currency.toLowerCase());
  if (currency === undefined) throw refused("Currency is required and could not be determined");
  const worth = computeOutlay(intent, amount, currency, context);
  const filled = divide(worth, perMicro, "up");
  if (maxFillAmountUsd !== undefined && filled > toMicros(maxFillAmountUsd)) {
    throw refused(
      `The fill is worth ${formatMicros(filled)} dollars, and maxFillAmountUsd is ${maxFillAmountUsd}`,
    );
  }
  const limit = advancePerRequestOf(control.config.get());
  if (worth > limit || worth > quoting.capacityPerRequest) {
    throw refused(`The solver advances at most ${formatMicros(limit / perMicro)} dollars for one request`);
  }
  return { amount, intent, micros: filled };
}

/** Computes what leaves the solver with a fill, without gas: the inventory and the top-up. */
function computeOutlay(intent: Intent, amount: bigint, currency: LocalCurrency, { chains }: Context): Usd {
  const inventory = usdOf(spentBy(planDelivery(intent, amount)), currency);
  const native = chains.get(intent.destination.chainId)?.currencies[0];
  return native === undefined ? inventory : inventory + usdOf(intent.topup?.amount ?? 0n, native);
}

/** Stores the advance and makes its fill due, or neither. */
async function record(
  transaction: StoreTransaction,
  { amount, intent, micros }: Advance,
  apiKeyId: string,
  { control, now }: Pick<Context, "control" | "now">,
): Promise<void> {
  const { appFees, deposit, origin, requestId } = intent;
  assertOpen(await lockStatus(transaction, requestId));
  // A released fast fill stays stored: its fill may have been mined and reverted.
  const earlier = await transaction
    .selectFrom("fast_fills")
    .select("request_id")
    .where("request_id", "=", requestId)
    .executeTakeFirst();
  if (earlier !== undefined)
    throw new FastFillRefusedError(409, "Conflict: this request was fast-filled before");
  // The payer can void a signed deposit until it is mined, and would then keep both the money and the fill.
  const unmined = await transaction
    .selectFrom("relayed_deposits")
    .select("request_id")
    .where("request_id", "=", requestId)
    .where("state", "in", ["due", "signed"])
    .executeTakeFirst();
  if (unmined !== undefined)
    throw new FastFillRefusedError(409, "Conflict: the signed deposit is not mined yet");
  // Other fast fills of the key wait: what it owes cannot change between this check and the advance.
  await lockName(transaction, `fast-fill ${apiKeyId}`);
  const config = control.config.get();
  const limit = advancePerKeyOf(config);
  const outstanding = BigInt(await outstandingAdvances(transaction, { api_key_id: apiKeyId }));
  if (!config.lenient) await assertBalance(transaction, apiKeyId, { held: outstanding, needed: micros });
  if ((outstanding + micros) * perMicro > limit) {
    throw refused(
      `The key owes ${formatMicros(outstanding)} dollars of advances, and ${formatMicros(limit / perMicro)} is the most`,
    );
  }
  const at = now();
  await transaction
    .insertInto("fast_fills")
    .values({
      amount_usd: Number(micros),
      api_key_id: apiKeyId,
      at,
      request_id: requestId,
      wallet: appFees[0]?.recipient.toLowerCase() ?? null,
    })
    .execute();
  const counted = { amount, chainId: origin.chainId, currency: deposit.currency, source: "advance" } as const;
  await storeObligation(transaction, intent, counted, at);
  await markFastFilled(transaction, requestId);
  await applyTrigger(transaction, requestId, { trigger: "fast-fill-begun" }, at);
}

/**
 * A fast fill is held against the key's app balance until the deposit lands (page "Fast Fill"). A hold is no debit, and does not
 * block sponsorship.
 */
async function assertBalance(
  transaction: StoreTransaction,
  apiKeyId: string,
  { held, needed }: { readonly held: bigint; readonly needed: bigint },
): Promise<void> {
  const balance = await balanceOfSponsor(transaction, apiKeyId);
  if (balance === undefined) {
    throw new FastFillRefusedError(403, "Forbidden: the API key has no app balance to advance a fill from");
  }
  if (held + needed <= balance) return;
  throw refused(
    `The app balance is ${formatMicros(balance)} dollars, of which ${formatMicros(held)} are held, and the fill is worth ${formatMicros(needed)}`,
  );
}

function refused(message: string): FastFillRefusedError {
  return new FastFillRefusedError(400, message);
}

function toMicros(usd: number): bigint {
  return BigInt(Math.round(Math.min(usd * microsPerUsd, mostMicros)));
}

function formatMicros(micros: bigint): string {
  return (Number(micros) / microsPerUsd).toString();
}
