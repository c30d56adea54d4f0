import { printable } from "../../src/errors/printable.ts";
import type { RecordAmount } from "../../src/schema/record/recordAmount.ts";

/** An amount of a record: `0.5 ETH on 31337`; empty without one. */
export function amountText(amount: RecordAmount | null | undefined): string {
  if (!amount?.amountFormatted) return "";
  const { amountFormatted, currency } = amount;
  return printable(`${amountFormatted} ${currency?.symbol ?? "?"} on ${currency?.chainId ?? "?"}`);
}
