import { type Address, zeroAddress } from "viem";
import { encodeOrderCall } from "../../records/orderCall.ts";
import { encodeOrderExtraData } from "../../records/orderExtraData.ts";
import { recoverOrderSigner } from "../../records/recoverOrderSigner.ts";
import type { OrderData } from "../../schema/quote/order.ts";
import { checkDeadline } from "./checkDeadline.ts";
import { normalizeForComparison } from "./normalizeForComparison.ts";
import { boundedSeconds, leastOpenSeconds } from "./proofDefaults.ts";
import { expectAtLeast, expectEqual, expectOneOf, type QuoteCheck, report } from "./QuoteCheck.ts";
import type { TrustedChain } from "./TrustRoots.ts";

/** The value in published orders. */
const usualFillSeconds = 7 * 24 * 60 * 60;
const root = "protocol.v2.orderData";

type OrderInput = OrderData["inputs"][number];

/** Compares the solver's signed order with the request. */
export async function checkOrder(check: QuoteCheck): Promise<void> {
  const { orderData: order, orderId, orderSignature } = check.quote.protocol?.v2 ?? {};
  if (order === undefined) return;
  expectEqual(check, "QUOTE_ORDER_ID", "protocol.v2.orderId", check.orderId, orderId);
  await checkSigner(check, order, orderSignature);
  checkOutput(check, order.output);
  if (check.wanted.request === undefined) return;
  expectOneOf(check, "QUOTE_SOLVER", `${root}.solver`, check.solvers, order.solver);
  expectEqual(check, "QUOTE_ORDER", `${root}.version`, "v1", order.version);
  expectEqual(check, "QUOTE_ORDER", `${root}.fees`, "no fees", order.fees.length === 0 ? "no fees" : "fees");
  checkInput(check, order);
  checkPaymentDetails(check);
}

async function checkSigner(
  check: QuoteCheck,
  { solver }: OrderData,
  signature: string | undefined,
): Promise<void> {
  const path = "protocol.v2.orderSignature";
  if (signature === undefined) {
    if (check.wanted.request !== undefined) report(check, "QUOTE_SOLVER", path, `one of ${solver}`, "none");
    return;
  }
  const signer = await recoverOrderSigner({
    orderId: check.orderId as `0x${string}`,
    signature: signature as `0x${string}`,
  }).catch(() => "an account that cannot be recovered");
  expectEqual(check, "QUOTE_SOLVER", path, solver, signer);
}

/** Checks the order's single payment on the origin chain, and its refunds. */
function checkInput(check: QuoteCheck, { inputs, output }: OrderData): void {
  const { origin } = check.chains;
  const [input] = inputs;
  if (input === undefined || inputs.length > 1) {
    report(check, "QUOTE_ORDER", `${root}.inputs`, "one input", `${inputs.length} inputs`);
    return;
  }
  const path = `${root}.inputs.0`;
  const { amount, chainId, currency, weight } = input.payment;
  if (origin !== undefined)
    expectEqual(check, "QUOTE_CHAIN", `${path}.payment.chainId`, origin.name, chainId);
  expectEqual(check, "QUOTE_ORDER", `${path}.payment.weight`, 1, weight);
  if (BigInt(amount) === 0n) report(check, "QUOTE_AMOUNT", `${path}.payment.amount`, "more than 0", amount);
  expectOneOf(check, "QUOTE_CURRENCY", `${path}.payment.currency`, depositCurrencies(check), currency);
  checkRefunds(check, input, output.deadline);
}

/** Currencies that may be deposited: the paid one, and those a swap may produce. */
function depositCurrencies({ chains, wanted }: QuoteCheck): ReadonlySet<string> {
  const { depositCurrencies: named = [], wrappedNative } = chains.origin ?? {};
  const wrapped = wrappedNative === undefined ? [] : [wrappedNative];
  return new Set([wanted.originCurrency, zeroAddress, ...wrapped, ...named].map(normalizeForComparison));
}

/**
 * Refunds on the origin chain go to the refundee, in the deposited currency; at least one is required. Published orders add
 * one on the destination, in a currency that the solver holds there, to the refundee or the recipient. Its currency is free:
 * a minimum of zero promises nothing in any currency.
 */
function checkRefunds(check: QuoteCheck, { payment, refunds }: OrderInput, fillDeadline: number): void {
  const { chains } = check;
  const path = `${root}.inputs.0.refunds`;
  refunds.forEach((refund, index) => {
    const at = `${path}.${index}`;
    const isOrigin = refund.chainId === chains.origin?.name;
    const chain = isOrigin ? chains.origin : chains.destination;
    expectEqual(check, "QUOTE_REFUND", `${at}.chainId`, chain?.name, refund.chainId);
    if (isOrigin) checkOriginRefund(check, payment, refund, at);
    expectOneOf(check, "QUOTE_REFUND", `${at}.recipient`, refundees(check, isOrigin), refund.recipient);
    if (refund.deadline < fillDeadline) {
      report(check, "QUOTE_DEADLINE", `${at}.deadline`, `at least ${fillDeadline}`, refund.deadline);
    }
    checkExtraData(check, chain, `${at}.extraData`, refund.extraData);
  });
  if (!refunds.some(({ chainId }) => chainId === chains.origin?.name)) {
    report(check, "QUOTE_REFUND", path, "a refund on the origin chain", "none");
  }
}

function checkOriginRefund(
  check: QuoteCheck,
  { amount, currency }: OrderInput["payment"],
  refund: OrderInput["refunds"][number],
  path: string,
): void {
  expectEqual(check, "QUOTE_REFUND", `${path}.currency`, currency, refund.currency);
  if (BigInt(refund.minimumAmount) > BigInt(amount)) {
    report(check, "QUOTE_REFUND", `${path}.minimumAmount`, `at most ${amount}`, refund.minimumAmount);
  }
}

/**
 * Accounts that may be refunded. The recipient is none on the origin chain: the service may have requested such an order
 * from the solver.
 */
function refundees({ wanted }: QuoteCheck, isOrigin: boolean): ReadonlySet<string> {
  const { recipient, refundTo, user } = wanted;
  return new Set([refundTo ?? user, ...(isOrigin ? [] : [recipient])].map(normalizeForComparison));
}

/** Compares the quote's payment details with the order. */
function checkPaymentDetails(check: QuoteCheck): void {
  const { orderData, paymentDetails } = check.quote.protocol?.v2 ?? {};
  const payment = orderData?.inputs[0]?.payment;
  if (paymentDetails === undefined || payment === undefined) return;
  const { amount, chainId, currency, depository } = paymentDetails;
  const path = "protocol.v2.paymentDetails";
  expectEqual(
    check,
    "QUOTE_ORDER",
    path,
    normalizeForComparison(`${payment.chainId} ${payment.amount}`),
    `${chainId} ${amount}`,
  );
  expectEqual(check, "QUOTE_ORDER", `${path}.currency`, payment.currency, currency);
  if (check.chains.origin?.depository !== undefined) {
    expectEqual(check, "QUOTE_TARGET", `${path}.depository`, check.chains.origin.depository, depository);
  }
}

function checkOutput(check: QuoteCheck, output: OrderData["output"]): void {
  const { chains, policy, wanted } = check;
  const { destinationCurrency, minimumOut, recipient, request, txs = [] } = wanted;
  const { destination } = chains;
  const path = `${root}.output`;
  const [payment] = output.payments;
  if (payment === undefined || output.payments.length > 1) {
    report(check, "QUOTE_ORDER", `${path}.payments`, "one payment", `${output.payments.length} payments`);
    return;
  }
  const at = `${path}.payments.0`;
  expectEqual(check, "QUOTE_CURRENCY", `${at}.currency`, destinationCurrency, payment.currency);
  expectAtLeast(check, `${at}.minimumAmount`, minimumOut, BigInt(payment.minimumAmount));
  if (BigInt(payment.expectedAmount) < BigInt(payment.minimumAmount)) {
    report(check, "QUOTE_OUTPUT", `${at}.expectedAmount`, "the minimum or more", payment.expectedAmount);
  }
  const hasCalls = txs.length > 0 || (request === undefined && output.calls.length > 0);
  if (!hasCalls) expectEqual(check, "QUOTE_RECIPIENT", `${at}.recipient`, recipient, payment.recipient);
  if (request === undefined) return;
  const seconds = boundedSeconds(request.ttl, policy.maximumFillSeconds, usualFillSeconds);
  checkDeadline(check, `${path}.deadline`, output.deadline, seconds);
  const open = check.now + Math.min(leastOpenSeconds, Math.floor(seconds / 2));
  if (output.deadline > check.now && output.deadline < open) {
    report(check, "QUOTE_DEADLINE", `${path}.deadline`, `${open} or later`, output.deadline);
  }
  if (destination !== undefined)
    expectEqual(check, "QUOTE_CHAIN", `${path}.chainId`, destination.name, output.chainId);
  if (hasCalls) {
    // The output must go to the router that executes the calls: anyone can take tokens from another one.
    const fillers = destination?.routers.filter(({ router }) => fillsWith(router, output.extraData)) ?? [];
    const routers = new Set(fillers.map(({ router }) => normalizeForComparison(router)));
    expectOneOf(check, "QUOTE_RECIPIENT", `${at}.recipient`, routers, payment.recipient);
  }
  checkExtraData(check, destination, `${path}.extraData`, output.extraData);
  const calls = txs.map((call) => encodeOrderCall({ call }));
  expectEqual(check, "QUOTE_CALLS", `${path}.calls`, calls.join(), output.calls.join().toLowerCase());
}

function fillsWith(router: Address, extraData: string): boolean {
  return encodeOrderExtraData({ fillContract: router }) === normalizeForComparison(extraData);
}

/** Checks the fill contract on an EVM chain: a trusted router. Skips other chains. */
function checkExtraData(
  check: QuoteCheck,
  chain: TrustedChain | undefined,
  path: string,
  extraData: string,
): void {
  if (chain === undefined) return;
  const isEvm = (chain.vmType ?? "evm") === "evm";
  const fillers = chain.routers.map(({ router }) => encodeOrderExtraData({ fillContract: router }));
  const allowed = new Set(isEvm ? fillers : ["0x"]);
  expectOneOf(check, "QUOTE_ORDER", path, allowed, extraData);
}
