import { type Address, zeroAddress } from "viem";
import { encodeOrderCall, encodeOrderExtraData } from "../../../records/orderCall.ts";
import { recoverOrderSigner } from "../../../records/recoverSigner.ts";
import type { OrderData } from "../../../schema/quote/order.ts";
import { choose, isSame, pick, Unmet } from "../compareWhole.ts";
import { boundSeconds, chooseDeadline, contractOf, type Terms } from "../Terms.ts";
import type { TrustedChain } from "../TrustRoots.ts";
import type { ExpectedPayment } from "./expectTransaction.ts";

/** The value in published orders. */
const usualFillSeconds = 7 * 24 * 60 * 60;

/** Bounds the seconds until an order's deadline. A deposit must be mined before it, which takes up to a minute. */
export function boundOpenSeconds(maximum?: number, ttl?: number) {
  const most = boundSeconds(usualFillSeconds, maximum, ttl);
  return { least: Math.min(60, Math.floor(most / 2)), most };
}

type OrderInput = OrderData["inputs"][number];

/**
 * The order that the solver must have signed. It may choose: salt, its own chain, amounts in the payer's favour,
 * deadlines within the bounds, the router that fills, destination refunds, and, with a swap before the deposit, the
 * deposited currency and amount.
 *
 * @param payment Without a swap, it deposits exactly what the user pays. A payment of another kind needs no order.
 */
export async function expectOrder(
  terms: Terms,
  payment: Pick<ExpectedPayment, "isSwapped" | "kind">,
): Promise<object> {
  const { orderId, origin, quote, trust } = terms;
  const { orderData: order, orderSignature = "0x", paymentDetails } = quote.protocol?.v2 ?? {};
  if (order === undefined) {
    return payment.kind === "order" ? { orderData: new Unmet("the order that is paid for") } : {};
  }
  const [input, ...others] = order.inputs;
  const isOne = input !== undefined && others.length === 0;
  const signed = { orderId: orderId as `0x${string}`, signature: orderSignature };
  const signer = await recoverOrderSigner(signed).catch(() => "unreadable");
  const bySolver = `the signature of ${order.solver}`;
  return {
    orderData: {
      fees: [],
      inputs: isOne ? [expectInput(terms, order, input, payment.isSwapped)] : new Unmet("one input"),
      output: expectOutput(terms, order.output),
      salt: order.salt,
      solver: pick(trust.solvers, order.solver) ?? new Unmet("a trusted solver"),
      solverChainId: order.solverChainId,
      version: "v1",
    },
    orderId,
    orderSignature: isSame(signer, order.solver)
      ? orderSignature
      : new Unmet(bySolver, "QUOTE_SOLVER", signer),
    // What the quote shows of the payment must be the order's.
    paymentDetails: paymentDetails && {
      amount: input?.payment.amount,
      chainId: input?.payment.chainId,
      currency: input?.payment.currency,
      depository: origin?.depository ?? paymentDetails.depository,
    },
  };
}

/** The order's single payment on the origin chain, and its refunds. */
function expectInput(
  terms: Terms,
  { output }: OrderData,
  { payment, refunds }: OrderInput,
  isSwapped = false,
): object {
  const { amountIn, origin, request } = terms;
  const { amount, currency } = payment;
  const { depositCurrencies = [], wrappedNative = zeroAddress } = origin ?? {};
  const swapped = isSwapped ? [zeroAddress, wrappedNative, ...depositCurrencies] : [];
  const isRefunded = refunds.some(({ chainId }) => chainId === origin?.name);
  return {
    payment: {
      amount: isSwapped ? choose(amount, BigInt(amount) > 0n, "more than 0") : amountIn,
      chainId: origin?.name,
      currency: pick([request.originCurrency, ...swapped], currency),
      weight: "1",
    },
    refunds: isRefunded
      ? refunds.map((refund) => expectRefund(terms, { ...refund, until: output.deadline }, payment))
      : new Unmet("a refund on the origin chain"),
  };
}

/**
 * Refunds on the origin chain go to the refundee, in the deposited currency. Published orders add one on the
 * destination, in a currency that the solver holds there, to the refundee or the recipient. Its currency is free: a
 * minimum of zero promises nothing in any currency.
 */
function expectRefund(
  { destination, origin, recipient, request }: Terms,
  { until, ...refund }: OrderInput["refunds"][number] & { readonly until: number },
  { amount, currency }: OrderInput["payment"],
): object {
  const isOrigin = refund.chainId === origin?.name;
  const chain = isOrigin ? origin : destination;
  const refundee = request.refundTo ?? request.user;
  const isLess = !isOrigin || BigInt(refund.minimumAmount) <= BigInt(amount);
  return {
    chainId: chain?.name ?? refund.chainId,
    currency: isOrigin ? currency : refund.currency,
    deadline: choose(refund.deadline, refund.deadline >= until, `at least ${until}`),
    extraData: expectExtraData(chain, refund.extraData),
    minimumAmount: choose(refund.minimumAmount, isLess, `at most ${amount}`),
    // The recipient is none on the origin chain: the service may have requested such an order from the solver.
    recipient: pick(isOrigin ? [refundee] : [refundee, recipient], refund.recipient),
  };
}

function expectOutput(terms: Terms, { deadline, extraData, ...output }: OrderData["output"]): object {
  const { destination, policy, request, txs } = terms;
  const { least, most } = boundOpenSeconds(policy.maximumFillSeconds, request.ttl);
  const routers = callersOf(terms);
  const filler = routers.find((router) => isSame(encodeOrderExtraData({ fillContract: router }), extraData));
  const fillers = filler === undefined ? routers : [filler];
  const payment = output.payments.length === 1 ? output.payments[0] : undefined;
  return {
    calls: txs.map((call) => encodeOrderCall({ call })),
    chainId: destination?.name ?? output.chainId,
    deadline: chooseDeadline(terms, deadline, most, least),
    extraData: expectExtraData(destination, extraData, routers),
    payments: payment === undefined ? new Unmet("one payment") : [expectPaid(terms, payment, fillers)],
  };
}

/** The output. With calls, it goes to the router that fills the order and makes them. */
function expectPaid(
  { minimumOut, recipient, request, txs }: Terms,
  { expectedAmount, minimumAmount, recipient: actual }: OrderData["output"]["payments"][number],
  fillers: readonly Address[],
): object {
  const [expected, minimum] = [BigInt(expectedAmount), BigInt(minimumAmount)];
  return {
    currency: request.destinationCurrency,
    expectedAmount: choose(expectedAmount, expected >= minimum, "the minimum or more"),
    minimumAmount: choose(minimumAmount, minimum >= minimumOut, `at least ${minimumOut}`),
    recipient: txs.length === 0 ? recipient : contractOf("router that makes the calls", fillers, actual),
  };
}

/**
 * The destination's routers that may make the calls. Calls that name a router, as a sweep does, are made for it: anyone
 * can take the output from another one.
 */
function callersOf({ destination, txs }: Terms): Address[] {
  const routers = (destination?.routers ?? []).map(({ router }) => router);
  const named = routers.filter((router) => txs.some(({ to }) => isSame(to, router)));
  return named.length > 0 ? named : routers;
}

/** The contract that fills on an EVM chain: a trusted router. Empty on other chains. */
function expectExtraData(
  chain: TrustedChain | undefined,
  actual: string,
  routers = (chain?.routers ?? []).map(({ router }) => router),
): string | undefined {
  if (chain === undefined) return actual;
  const isEvm = (chain.vmType ?? "evm") === "evm";
  return pick(isEvm ? routers.map((fillContract) => encodeOrderExtraData({ fillContract })) : ["0x"], actual);
}
