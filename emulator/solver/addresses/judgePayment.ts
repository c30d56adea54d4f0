import type { FailReason } from "../../../src/schema/request/failReason.ts";
import type { Intent } from "../../requests/Intent.ts";
import type { AddressPaymentRow, DepositAddressRow, RequestRow } from "../../store/tables.ts";
import { isExcess } from "./recordAddressPayments.ts";

export type PaymentVerdict =
  /** It pays for the request that the address was made for; an excess is judged as a payment of its own. */
  | { readonly next: "original"; readonly excess: bigint }
  /** It is quoted at the current price, as a request of its own. */
  | { readonly next: "requote" }
  /** It is refunded, as a request of its own. */
  | { readonly next: "refund"; readonly reason: FailReason }
  /** It stays at the address until a reindex. */
  | { readonly next: "hold" };

type Facts = {
  readonly address: Pick<DepositAddressRow, "chain_id" | "type">;
  /** The request that the address was made for. */
  readonly original: {
    readonly intent: Pick<Intent, "expiresAt" | "origin">;
    readonly status: RequestRow["status"];
  };
  /** Unix milliseconds. */
  readonly now: number;
  /** Whether the sweep costs more than the payment is worth. */
  readonly isDust: boolean;
};

/** Judges a payment to a deposit address. Pure: what else is known is passed in. */
export function judgePayment(
  payment: Pick<AddressPaymentRow, "amount" | "chain_id" | "currency" | "id" | "tx_hash">,
  { address, isDust, now, original }: Facts,
): PaymentVerdict {
  const { amount: quoted, currency } = original.intent.origin;
  const amount = BigInt(payment.amount);
  const isChain = payment.chain_id === address.chain_id;
  const isCurrency = isChain && payment.currency.toLowerCase() === currency.toLowerCase();
  const isUnpaid = isCurrency && original.status === "waiting" && !isExcess(payment);
  const isInTime = now <= original.intent.expiresAt;
  if (isUnpaid && isInTime && amount === quoted) return { excess: 0n, next: "original" };
  if (isDust) return { next: "hold" };
  if (address.type === "open") return { next: "requote" };
  // A late or too small payment is refunded by the request's own terms.
  if (isUnpaid) return { excess: isInTime && amount > quoted ? amount - quoted : 0n, next: "original" };
  if (isExcess(payment)) return { next: "refund", reason: "INCORRECT_PAYMENT" };
  if (isCurrency) return { next: "refund", reason: "DOUBLE_SPEND" };
  // Only a reindex looks for them; a found payment waits for one.
  if (payment.tx_hash !== null) return { next: "hold" };
  return { next: "refund", reason: isChain ? "INCORRECT_DEPOSIT_CURRENCY" : "DEPOSIT_CHAIN_MISMATCH" };
}
