import type { Address } from "viem";
import { unitsToDecimal } from "../../../src/internal/amounts.ts";
import type { Currency } from "../../../src/schema/chain/currency.ts";
import type { Amount } from "../../../src/schema/quote/amount.ts";
import type { RecordAmount } from "../../../src/schema/record/recordAmount.ts";
import { accountText, storedAccount } from "../../chains/accountText.ts";
import { currencyObject } from "../../currencies/currencyId.ts";
import { exchangeRate, formatUsd, usdOf } from "../../money/prices.ts";
import type { DepositRow } from "../../store/tables.ts";
import type { RequestParts } from "./RequestParts.ts";
import { sentTransaction } from "./sentTransaction.ts";

const microsPerUsd = 1_000_000n;

/** Parses dollars with six decimals into whole micro-dollars. */
export function parseUsd(usd: string | null | undefined): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,6}))?\d*$/.exec(usd ?? "");
  if (match === null) return 0n;
  const [, sign, whole = "0", fraction = ""] = match;
  const micros = BigInt(whole) * microsPerUsd + BigInt(fraction.padEnd(6, "0"));
  return sign === "-" ? -micros : micros;
}

/** Formats micro-dollars as the wire carries dollars. */
export function formatMicros(micros: bigint): string {
  const size = micros < 0n ? -micros : micros;
  return `${micros < 0n ? "-" : ""}${size / microsPerUsd}.${(size % microsPerUsd).toString().padStart(6, "0")}`;
}

/** Converts micro-dollars to the currency of an amount, at the amount's own price. */
export function unitsWorth(
  micros: bigint,
  { amount, amountUsd }: Pick<Amount, "amount" | "amountUsd">,
): bigint {
  const whole = parseUsd(amountUsd);
  return whole === 0n ? 0n : (micros * BigInt(amount)) / whole;
}

const paying: ReadonlySet<DepositRow["state"]> = new Set(["fill-due", "fill-signed", "netted"]);

/** The deposit that pays for the request, or that covers its advance; without one, the first that arrived. */
export function payingDeposit({ deposits }: Pick<RequestParts, "deposits">): DepositRow | undefined {
  return deposits.find(({ state }) => paying.has(state)) ?? deposits[0];
}

/**
 * What was paid, at the prices of that moment. If the payer's transaction swapped first, the input of the swap;
 * if that is unknown, the quoted input in proportion to the deposit.
 */
export function paid(parts: RequestParts): RecordAmount | undefined {
  const { own, quote } = parts;
  const whole = quote.details?.currencyIn;
  if (whole === undefined) return undefined;
  const spent = own.find(({ status }) => status === "success");
  if (spent !== undefined) {
    return amountAt(parts, placeOf(whole), BigInt(spent.paid ?? whole.amount), spent.at);
  }
  const deposit = payingDeposit(parts);
  if (deposit === undefined) return undefined;
  const expected = depositedAmount(parts);
  const isSwapped =
    expected !== undefined && isOf(deposit, expected.currency) && !isOf(deposit, whole.currency);
  if (!isSwapped) return amountAt(parts, deposit, BigInt(deposit.amount), deposit.at);
  const share = (BigInt(whole.amount) * BigInt(deposit.amount)) / BigInt(expected.amount);
  return amountAt(parts, placeOf(whole), deposit.paid === null ? share : BigInt(deposit.paid), deposit.at);
}

/** The deposited amount, at the prices of that moment. */
export function deposited(parts: RequestParts): RecordAmount | undefined {
  const deposit = payingDeposit(parts);
  return deposit && amountAt(parts, deposit, BigInt(deposit.amount), deposit.at);
}

/** The expected deposit: the user's payment, or the output of the user's own swap. */
export function depositedAmount({ quote }: Pick<RequestParts, "quote">): Amount | undefined {
  const { currencyIn, route } = quote.details ?? {};
  const currency = quote.fees?.relayer?.currency.address ?? currencyIn?.currency.address;
  return [currencyIn, route?.origin?.outputCurrency].find((amount) => amount?.currency.address === currency);
}

/** What the recipient received, at the prices when it was mined. */
export function delivered(parts: RequestParts): RecordAmount | undefined {
  const { quote, request } = parts;
  const whole = quote.details?.currencyOut;
  if (request.status !== "success" || whole === undefined) return undefined;
  return amountAt(parts, placeOf(whole), BigInt(request.delivered ?? whole.amount), deliveredAt(parts));
}

/** The delivered gas top-up, at the prices when it was mined; `undefined` without one. */
export function toppedUp(parts: RequestParts): RecordAmount | undefined {
  const quoted = parts.quote.details?.currencyGasTopup;
  if (parts.request.status !== "success" || quoted === undefined) return undefined;
  return amountAt(parts, placeOf(quoted), BigInt(quoted.amount), deliveredAt(parts));
}

/** Whole output tokens for one whole input token: as paid and delivered, and as quoted until then. */
export function rateOf(parts: RequestParts): string | undefined {
  const spent = paid(parts);
  const received = delivered(parts);
  return hasUnits(spent) && hasUnits(received) ? exchangeRate(received, spent) : parts.quote.details?.rate;
}

function hasUnits(amount: RecordAmount | undefined): amount is Amount {
  return amount?.currency?.decimals !== undefined && BigInt(amount.amount ?? 0) > 0n;
}

/** When the request succeeded, in unix milliseconds. */
function deliveredAt({ deposits, own, request }: RequestParts): number {
  const deposit = payingDeposit({ deposits });
  if (deposit !== undefined) return deposit.at + (request.fill_time_ms ?? 0);
  return own[0]?.at ?? request.updated_at;
}

/** What was refunded, at the prices of that moment. */
export function refunded(parts: RequestParts): RecordAmount | undefined {
  const { quote, request, transactions } = parts;
  const refund = transactions.find(({ kind, state }) => kind === "refund" && state === "mined");
  if (refund === undefined) return undefined;
  const transfer = sentTransaction(refund, parts)?.transfer;
  if (transfer !== undefined) {
    const place = { chain_id: refund.chain_id, currency: transfer.currency };
    return amountAt(parts, place, transfer.amount, refund.at);
  }
  // The refund was swapped back into the paid currency.
  const { currencyIn } = quote.details ?? {};
  if (request.delivered === null || currencyIn === undefined) return undefined;
  return amountAt(parts, placeOf(currencyIn), BigInt(request.delivered), refund.at);
}

/** Adds the worth at the present price, where a price is known. */
export function withCurrentUsd({ chains }: Pick<RequestParts, "chains">, amount: RecordAmount): RecordAmount {
  const { address, chainId } = amount.currency ?? {};
  if (address === undefined || chainId === undefined) return amount;
  const currency = currencyAt({ chains }, placeOf({ currency: { address, chainId } }));
  if (currency === undefined) return amount;
  return { ...amount, amountUsdCurrent: formatUsd(usdOf(BigInt(amount.amount ?? 0), currency)) };
}

type Place = Pick<DepositRow, "chain_id" | "currency">;

/** The place of a quoted amount, as deposits are stored: an SVM chain's mint is its 32 bytes there. */
function placeOf({
  currency: { address, chainId },
}: {
  currency: Pick<Currency, "address" | "chainId">;
}): Place {
  return { chain_id: chainId, currency: storedAccount(address) };
}

function isOf({ chain_id, currency }: Place, quoted: Pick<Currency, "address" | "chainId">) {
  const place = placeOf({ currency: quoted });
  return place.currency === currency && place.chain_id === chain_id;
}

function currencyAt({ chains }: Pick<RequestParts, "chains">, { chain_id, currency }: Place) {
  return chains.get(chain_id)?.currencies.find(({ address }) => address.toLowerCase() === currency);
}

/** An amount of any currency, with its worth at a moment for which a price is known. */
function amountAt(parts: RequestParts, place: Place, amount: bigint, at: number): RecordAmount {
  const chain = parts.chains.get(place.chain_id);
  const currency = currencyAt(parts, place);
  if (chain === undefined || currency === undefined) return foreignAmount(parts, place, amount);
  return {
    amount: amount.toString(),
    amountFormatted: unitsToDecimal(amount, currency.decimals),
    amountUsd: formatUsd(usdOf(amount, parts.prices.priced(currency, at))),
    currency: currencyObject(chain, currency),
    minimumAmount: amount.toString(),
  };
}

/** An amount of a currency that no chain lists: its decimals come from the quote, if it has them. */
function foreignAmount({ quote }: RequestParts, place: Place, amount: bigint): RecordAmount {
  const { currencyIn, currencyOut, route } = quote.details ?? {};
  const quoted = [currencyIn, route?.origin?.outputCurrency, currencyOut].find(
    (each) => each !== undefined && isOf(place, each.currency),
  );
  const common = { amount: amount.toString(), minimumAmount: amount.toString() };
  if (quoted === undefined) {
    return {
      ...common,
      currency: { address: accountText(place.currency as Address), chainId: place.chain_id },
    };
  }
  const { currency } = quoted;
  return { ...common, amountFormatted: unitsToDecimal(amount, currency.decimals), currency };
}
