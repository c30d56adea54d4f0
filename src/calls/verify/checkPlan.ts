import { normalizeForComparison } from "./normalizeForComparison.ts";
import { expectEqual, type QuoteCheck, report } from "./QuoteCheck.ts";

/** Checks the steps together: one payment, preceded by the approvals it needs and no others. */
export function checkPlan(check: QuoteCheck): void {
  const { mappings, payments, permits, wanted } = check;
  if (wanted.request === undefined) return;
  const [payment] = payments;
  const paths = payments.map(({ path }) => path).join(" and ");
  // After an ERC-2612 signature, the service appends the payment.
  const isLater = payments.length === 0 && permits.length === 1;
  if (payments.length !== 1 && !isLater) {
    report(check, "QUOTE_PAYMENT", "steps", "one payment", paths || "none");
  }
  const brought = payment?.bringsPermit === true ? 1 : 0;
  if (permits.length > 1 || (payment !== undefined && permits.length !== brought)) {
    const expected = brought === 1 ? "a permit that the payment uses" : "no permit beside the payment";
    report(check, "QUOTE_PAYMENT", "steps", expected, permits.join(" and ") || "none");
  }
  if (mappings.length > 1) {
    report(check, "QUOTE_SIGNATURE", "steps", "one nonce mapping", mappings.join(" and "));
  }
  checkApprovals(check, payment?.puller);
}

function checkApprovals(check: QuoteCheck, puller: string | undefined): void {
  const { approvals, chains, policy, wanted } = check;
  const isPermit2 =
    puller !== undefined && normalizeForComparison(puller) === normalizeForComparison(chains.origin?.permit2);
  // Permit2 needs a signature for each payment; any other spender could take more than this payment.
  const limit = isPermit2 ? (policy.maximumAllowance ?? wanted.amountIn) : wanted.amountIn;
  approvals.forEach(({ amount, path, spender }, index) => {
    expectEqual(check, "QUOTE_SPENDER", `${path}.data.spender`, puller ?? "nobody", spender);
    const isReset = amount === 0n && index === 0 && approvals.length === 2;
    const isLast = index === approvals.length - 1;
    const isEnough = isLast && amount >= wanted.amountIn && (amount <= limit || amount === wanted.amountIn);
    if (!isReset && !isEnough) {
      report(check, "QUOTE_AMOUNT", `${path}.data.amount`, `${wanted.amountIn}, at most ${limit}`, amount);
    }
  });
}
