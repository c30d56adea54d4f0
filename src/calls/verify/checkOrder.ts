import { encodeOrderCall } from "../../records/orderCall.ts";
import { recoverOrderSigner } from "../../records/recoverOrderSigner.ts";
import type { OrderData } from "../../schema/order.ts";
import { plain } from "./plain.ts";
import { among, amongTrusted, differ, type QuoteCheck, same } from "./QuoteCheck.ts";

/** The service's clock and the caller's may differ by this many seconds. */
const clockSkew = 60;

/** The protocol's names of the two chains, where they are known. */
export type ChainNames = { readonly origin: string | undefined; readonly destination: string | undefined };

const root = "protocol.v2.orderData";

/** What the solver promises, against what was asked for. */
export async function checkOrder(check: QuoteCheck, names: ChainNames): Promise<void> {
  const { orderData: order, orderId, orderSignature, paymentDetails } = check.quote.protocol?.v2 ?? {};
  if (order === undefined) return;
  same(check, "QUOTE_ORDER_ID", "protocol.v2.orderId", check.orderId, orderId);
  if (check.trusted.solvers.size > 0) {
    among(check, "QUOTE_SOLVER", `${root}.solver`, check.trusted.solvers, order.solver);
  }
  await checkSignature(check, order.solver, orderSignature);
  checkInputs(check, order, names.origin);
  if (paymentDetails !== undefined) {
    const { amount, chainId, currency } = paymentDetails;
    const paid = order.inputs.map(({ payment }) =>
      plain(`${payment.chainId} ${payment.currency} ${payment.amount}`),
    );
    among(
      check,
      "QUOTE_ORDER",
      "protocol.v2.paymentDetails",
      new Set(paid),
      `${chainId} ${currency} ${amount}`,
    );
  }
  checkOutput(check, order.output, names.destination);
}

/** Signed by whom the order names: whether that is one of the service's solvers is another question. */
async function checkSignature(
  check: QuoteCheck,
  solver: string,
  signature: string | undefined,
): Promise<void> {
  const path = "protocol.v2.orderSignature";
  if (signature === undefined) {
    if (check.wanted.request?.includeProtocolData === true)
      differ(check, "QUOTE_SOLVER", path, "one", "none");
    return;
  }
  const signer = await recoverOrderSigner({
    orderId: check.orderId as `0x${string}`,
    signature: signature as `0x${string}`,
  }).catch(() => "nobody");
  same(check, "QUOTE_SOLVER", path, solver, signer);
}

function checkInputs(check: QuoteCheck, { inputs }: OrderData, origin: string | undefined): void {
  const { recipient, refundTo, user } = check.wanted;
  // Without `refundTo`, the service gives money back to either.
  const refundees = new Set((refundTo === undefined ? [user, recipient] : [refundTo]).map(plain));
  inputs.forEach(({ payment, refunds }, index) => {
    const path = `${root}.inputs.${index}`;
    if (origin !== undefined) same(check, "QUOTE_CHAIN", `${path}.payment.chainId`, origin, payment.chainId);
    if (check.wanted.request === undefined) return;
    refunds.forEach((refund, at) => {
      among(check, "QUOTE_REFUND", `${path}.refunds.${at}.recipient`, refundees, refund.recipient);
    });
  });
}

function checkOutput(check: QuoteCheck, output: OrderData["output"], destination: string | undefined): void {
  const { destinationCurrency, minimumOut, recipient, request, txs = [] } = check.wanted;
  const path = `${root}.output`;
  if (destination !== undefined) same(check, "QUOTE_CHAIN", `${path}.chainId`, destination, output.chainId);
  checkDeadline(check, `${path}.deadline`, output.deadline, request?.ttl);
  const hasCalls = txs.length > 0 || (request === undefined && output.calls.length > 0);
  const [payment] = output.payments;
  if (payment === undefined || output.payments.length > 1) {
    differ(check, "QUOTE_ORDER", `${path}.payments`, "one payment", `${output.payments.length} payments`);
    return;
  }
  const at = `${path}.payments.0`;
  same(check, "QUOTE_CURRENCY", `${at}.currency`, destinationCurrency, payment.currency);
  if (BigInt(payment.minimumAmount) < minimumOut) {
    differ(check, "QUOTE_OUTPUT", `${at}.minimumAmount`, `at least ${minimumOut}`, payment.minimumAmount);
  }
  if (!hasCalls) same(check, "QUOTE_RECIPIENT", `${at}.recipient`, recipient, payment.recipient);
  else if (check.trusted.fillers.size > 0) {
    among(check, "QUOTE_RECIPIENT", `${at}.recipient`, check.trusted.fillers, payment.recipient);
  }
  if (request === undefined) return;
  const calls = txs.map((call) => encodeOrderCall({ call }));
  same(check, "QUOTE_CALLS", `${path}.calls`, calls.join(), output.calls.join().toLowerCase());
}

/** A moment in unix seconds that must not be over, nor later than was asked for. */
export function checkDeadline(
  check: QuoteCheck,
  path: string,
  deadline: number | bigint,
  seconds: number | undefined,
): void {
  if (deadline <= check.now) differ(check, "QUOTE_DEADLINE", path, `after ${check.now}`, deadline);
  if (seconds === undefined) return;
  const last = check.now + seconds + clockSkew;
  if (deadline > last) differ(check, "QUOTE_DEADLINE", path, `at most ${last}`, deadline);
}

/** Whose solvers' the money may go to directly. */
export function checkSolver(check: QuoteCheck, path: string, solver: string): void {
  amongTrusted(check, "QUOTE_TARGET", path, "solvers", solver);
}
