import type { QuoteMismatchCode } from "../../src/errors/QuoteMismatchError.ts";

/** One sentence for each code; `docs/codes.md` says more. */
const sentences: Readonly<Record<QuoteMismatchCode, string>> = {
  QUOTE_AMOUNT: "The paid amount is not the requested one, or exceeds the maximum.",
  QUOTE_BOUNDS: "The policy does not bound the price: name minimumOutput or maximumInput.",
  QUOTE_CALL: "A step is not a payment that the proof can read.",
  QUOTE_CALLS: "The requested calls are missing, changed, or not last.",
  QUOTE_CHAIN: "A step, a currency or the order is for another chain.",
  QUOTE_CURRENCY: "A currency is not the requested one.",
  QUOTE_DEADLINE: "A deadline has passed, or lies too late.",
  QUOTE_DISPLAY: "What the quote shows differs from what it does.",
  QUOTE_ENDPOINT: "A signature would be posted outside the service.",
  QUOTE_FORM: "This is not a quote of the service.",
  QUOTE_GAS: "A transaction names more gas than the policy allows.",
  QUOTE_ORDER: "The solver's order is missing, or cannot be proven.",
  QUOTE_ORDER_ID: "A payment is for another order.",
  QUOTE_OUTPUT: "The output is below the minimum.",
  QUOTE_PAYMENT: "The steps hold no payment, several, or approvals after it.",
  QUOTE_RECIPIENT: "The output goes to another account.",
  QUOTE_RECORD: "No trusted solver signed the request's record.",
  QUOTE_REFUND: "Refunds go to another account, chain or currency, or are missing.",
  QUOTE_REQUEST_ID: "Steps, payments or signatures name different requests, or none.",
  QUOTE_SENDER: "A step spends funds of another account.",
  QUOTE_SIGNATURE: "Typed data differs from every known form.",
  QUOTE_SIMULATION: "The simulated output is below the minimum, or the simulation failed.",
  QUOTE_SOLVER: "No trusted solver signed the order.",
  QUOTE_SPENDER: "An approval or permit is for another account than the payment's contract.",
  QUOTE_TARGET: "A transaction is for a contract that the trust roots do not name in that role.",
  QUOTE_UNGUARDED: "No guard can follow the calls: name outputGuard in the trust roots.",
  QUOTE_UNKNOWN_CHAIN: "The trust roots do not name the chain.",
  QUOTE_UNKNOWN_ROLE: "The trust roots name no contract in that role.",
  QUOTE_UNSIGNED_OUTPUT: "No solver signs the output of this payment.",
  QUOTE_VALUE: "A transaction's value is not what the payment needs.",
};

/** Describes the kind of a difference in one sentence. */
export function describeMismatch(code: QuoteMismatchCode): string {
  return sentences[code];
}
