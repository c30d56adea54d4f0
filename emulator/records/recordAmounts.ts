import { unitsToDecimal } from "../../src/internal/amounts.ts";
import type { Amount } from "../../src/schema/amount.ts";
import type { RecordAmount } from "../../src/schema/recordAmount.ts";
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

/** What was deposited, when it was. */
export function deposited({ deposits, quote }: RequestParts): RecordAmount | undefined {
  const deposit = deposits.find(({ outcome }) => outcome === "accepted") ?? deposits[0];
  const whole = quote.details?.currencyIn;
  if (deposit === undefined || whole === undefined) return undefined;
  return deposit.currency === whole.currency.address ? scaled(whole, BigInt(deposit.amount)) : undefined;
}

/** What the recipient got, when that was mined. */
export function delivered({ quote, request }: RequestParts): RecordAmount | undefined {
  const whole = quote.details?.currencyOut;
  if (request.status !== "success" || whole === undefined) return undefined;
  return scaled(whole, BigInt(request.delivered ?? whole.amount));
}

/** What was given back, when it was. */
export function refunded({ quote, transactions }: RequestParts): RecordAmount | undefined {
  const refund = transactions.find(({ kind, state }) => kind === "refund" && state === "mined");
  const transfer = refund === undefined ? undefined : sentTransaction(refund)?.transfer;
  if (transfer === undefined) return undefined;
  const { currencyIn, refundCurrency } = quote.details ?? {};
  const whole = [refundCurrency, currencyIn].find((amount) => amount?.currency.address === transfer.currency);
  if (whole !== undefined) return scaled(whole, transfer.amount);
  return {
    amount: transfer.amount.toString(),
    currency: { address: transfer.currency, ...(refund !== undefined && { chainId: refund.chain_id }) },
    minimumAmount: transfer.amount.toString(),
  };
}
