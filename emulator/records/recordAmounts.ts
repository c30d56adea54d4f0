import { unitsToDecimal } from "../../src/internal/amounts.ts";
import type { Amount } from "../../src/schema/amount.ts";
import type { Currency } from "../../src/schema/currency.ts";
import type { RecordAmount } from "../../src/schema/recordAmount.ts";
import { amountObject } from "../quote/amountObject.ts";
import type { DepositRow } from "../store/tables.ts";
import type { RequestParts } from "./RequestParts.ts";
import { sentTransaction } from "./sentTransaction.ts";

const microsPerUsd = 1_000_000n;

/** Dollars with six places as whole micro-dollars. */
export function parseUsd(usd: string | null | undefined): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,6}))?\d*$/.exec(usd ?? "");
  if (match === null) return 0n;
  const [, sign, whole = "0", fraction = ""] = match;
  const micros = BigInt(whole) * microsPerUsd + BigInt(fraction.padEnd(6, "0"));
  return sign === "-" ? -micros : micros;
}

/** Micro-dollars as the wire carries dollars. */
export function formatMicros(micros: bigint): string {
  const size = micros < 0n ? -micros : micros;
  return `${micros < 0n ? "-" : ""}${size / microsPerUsd}.${(size % microsPerUsd).toString().padStart(6, "0")}`;
}

/** Another amount of the same currency at the same price. */
export function scaled(whole: Amount, amount: bigint): RecordAmount {
  const quoted = BigInt(whole.amount);
  const usd = quoted === 0n ? 0n : (parseUsd(whole.amountUsd) * amount) / quoted;
  return {
    amount: amount.toString(),
    amountFormatted: unitsToDecimal(amount, whole.currency.decimals),
    amountUsd: formatMicros(usd),
    currency: whole.currency,
    minimumAmount: amount.toString(),
  };
}

/** How much of the currency of an amount is worth some micro-dollars, at the amount's own price. */
export function unitsWorth(
  micros: bigint,
  { amount, amountUsd }: Pick<Amount, "amount" | "amountUsd">,
): bigint {
  const whole = parseUsd(amountUsd);
  return whole === 0n ? 0n : (micros * BigInt(amount)) / whole;
}

/** What was deposited, when it was; `undefined` too where it is what the user's transaction swapped the input into. */
export function deposited(parts: RequestParts): RecordAmount | undefined {
  const { deposits, quote } = parts;
  const deposit = deposits.find(({ outcome }) => outcome === "accepted") ?? deposits[0];
  const whole = quote.details?.currencyIn;
  if (deposit === undefined || whole === undefined) return undefined;
  const isExpected = isOf(deposit, quote.fees?.relayer?.currency ?? whole.currency);
  if (isExpected && !isOf(deposit, whole.currency)) return undefined;
  return amountOf(parts, deposit, BigInt(deposit.amount));
}

/** What the recipient got, when that was mined. */
export function delivered({ quote, request }: RequestParts): RecordAmount | undefined {
  const whole = quote.details?.currencyOut;
  if (request.status !== "success" || whole === undefined) return undefined;
  return scaled(whole, BigInt(request.delivered ?? whole.amount));
}

/** What was given back, when it was. */
export function refunded(parts: RequestParts): RecordAmount | undefined {
  const { quote, request, transactions } = parts;
  const refund = transactions.find(({ kind, state }) => kind === "refund" && state === "mined");
  if (refund === undefined) return undefined;
  const transfer = sentTransaction(refund)?.transfer;
  if (transfer !== undefined) {
    return amountOf(parts, { chain_id: refund.chain_id, currency: transfer.currency }, transfer.amount);
  }
  // It went back the way it had come, into what the user had paid.
  const { currencyIn } = quote.details ?? {};
  if (request.delivered === null || currencyIn === undefined) return undefined;
  return scaled(currencyIn, BigInt(request.delivered));
}

/** A currency by where it is. */
type Place = Pick<DepositRow, "chain_id" | "currency">;

function isOf({ chain_id, currency }: Place, { address, chainId }: Pick<Currency, "address" | "chainId">) {
  return address === currency && chainId === chain_id;
}

/** An amount of any currency: at the price of the quote where the quote has it, at the present one where it is another. */
function amountOf({ chains, quote }: RequestParts, place: Place, amount: bigint): RecordAmount {
  const { currencyIn, currencyOut, route } = quote.details ?? {};
  const quoted = [currencyIn, route?.origin?.outputCurrency, currencyOut].find(
    (each) => each !== undefined && isOf(place, each.currency),
  );
  if (quoted !== undefined) return scaled(quoted, amount);
  const chain = chains.get(place.chain_id);
  const currency = chain?.currencies.find(({ address }) => address.toLowerCase() === place.currency);
  if (chain !== undefined && currency !== undefined) return amountObject(chain, currency, amount);
  return {
    amount: amount.toString(),
    currency: { address: place.currency, chainId: place.chain_id },
    minimumAmount: amount.toString(),
  };
}
