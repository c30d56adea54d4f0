import type { RecordAmount } from "../../src/schema/record/recordAmount.ts";

/** An amount of a record: `0.5 ETH on 31337`; empty without one. */
export function amountText(amount: RecordAmount | null | undefined): string {
  if (!amount?.amountFormatted) return "";
  return `${amount.amountFormatted} ${amount.currency?.symbol ?? "?"} on ${amount.currency?.chainId ?? "?"}`;
}
