import type { Address, Hex } from "viem";
import { amountOf, type Client, getQuote, trackDepositAddress } from "waybill/client";

export type CheckoutParameters = {
  /** What the till receives, to the unit. */
  price: { amount: bigint; chainId: number; currency: Address };
  /** What the customer pays with. */
  pay: { chainId: number; currency: Address };
  till: Address;
  /** Receives refunds. An exchange's hot wallet may be the payer, so ask the customer. */
  refundTo: Address;
};

export type Checkout = {
  /** Show it with `amount`: the customer sends exactly that, from any wallet or exchange. */
  address: Address;
  amount: bigint;
  requestId: string;
};

/** One payment to the address, and what became of it. */
export type PaymentEvent =
  | { kind: "processing"; requestId: string }
  /** The till has received the price. */
  | { kind: "paid"; requestId: string }
  /** The service sent money back: all of it, or what was above the amount. */
  | { kind: "refunded"; reason: "underpaid" | "overpaid" | "paid twice" | (string & {}); requestId: string }
  /** Provisional: a refund may follow. */
  | { kind: "failed"; reason: string; requestId: string };

/** What the service reports as `failReason`, in the words of the checkout. */
const reasons: Readonly<Record<string, string>> = {
  DEPOSITED_AMOUNT_TOO_LOW_TO_FILL: "underpaid",
  DOUBLE_SPEND: "paid twice",
  INCORRECT_PAYMENT: "overpaid",
};

/** Asks for an address that takes one payment. It is strict: it never converts another amount at another price. */
export async function openCheckout(
  client: Client,
  { pay, price, refundTo, till }: CheckoutParameters,
): Promise<Checkout> {
  const quote = await getQuote(client, {
    amount: price.amount,
    destinationChainId: price.chainId,
    destinationCurrency: price.currency,
    originChainId: pay.chainId,
    originCurrency: pay.currency,
    recipient: till,
    refundTo,
    strict: true,
    tradeType: "EXACT_OUTPUT",
    useDepositAddress: true,
    user: refundTo,
  });
  const { depositAddress, requestId } = quote.steps[0] ?? {};
  if (!depositAddress || !requestId) throw new Error("The quote has no deposit address.");
  if (amountOf(quote.details.currencyOut) !== price.amount) throw new Error("The quote pays another price.");
  return { address: depositAddress as Hex, amount: amountOf(quote.details.currencyIn), requestId };
}

/** Reports each payment to the address, without end: leave the loop, or abort `signal`, when the checkout closes. */
export async function* followPayments(
  client: Client,
  { address, signal }: { address: Address; signal?: AbortSignal },
): AsyncGenerator<PaymentEvent, void, undefined> {
  for await (const { progress, requestId } of trackDepositAddress(client, {
    address,
    pollingInterval: 1_000,
    signal,
  })) {
    const { failReason, status } = progress;
    const reason = reasons[failReason ?? ""] ?? failReason ?? "unknown";
    if (status === "success") yield { kind: "paid", requestId };
    else if (status === "refund") yield { kind: "refunded", reason, requestId };
    else if (status === "failure") yield { kind: "failed", reason, requestId };
    else if (status !== "waiting") yield { kind: "processing", requestId };
  }
}
