import { zeroAddress } from "viem";
import { encodeOrderCall } from "../../../records/orderCall.ts";
import { encodeOrderExtraData } from "../../../records/orderExtraData.ts";
import { recoverOrderSigner } from "../../../records/recoverOrderSigner.ts";
import type { OrderData } from "../../../schema/quote/order.ts";
import { choose, isSame, pick, Unmet } from "../compareWhole.ts";
import { boundedSeconds, leastOpenSeconds } from "../proofDefaults.ts";
import { chooseDeadline, contractOf, type Terms } from "../Terms.ts";
import type { TrustedChain } from "../TrustRoots.ts";
import type { ExpectedPayment } from "./expectTransaction.ts";

/** The value in published orders. */
const usualFillSeconds = 7 * 24 * 60 * 60;

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
  payment: Pick<ExpectedPayment, "isSwapped" | "kind"> | undefined,
): Promise<object> {
  const { orderData: order, orderSignature, paymentDetails } = terms.quote.protocol?.v2 ?? {};
  const isSwapped = payment?.isSwapped === true;
  if (order === undefined) {
    return payment?.kind === "order" ? { orderData: new Unmet("the order that is paid for") } : {};
  }
  const orderData = {
    fees: [],
    inputs: order.inputs.length === 1 ? order.inputs.map(expectInput(terms, order, isSwapped)) : oneInput,
    output: expectOutput(terms, order.output),
    salt: order.salt,
    solver: pick(terms.trust.solvers, order.solver) ?? new Unmet("a trusted solver"),
    solverChainId: order.solverChainId,
    version: "v1",
  };
  return {
    orderData,
    orderId: terms.orderId,
    orderSignature: await expectSignature(terms, order, orderSignature),
    paymentDetails: paymentDetails && expectPaymentDetails(terms, order, paymentDetails.depository),
  };
}

const oneInput = new Unmet("one input");

async function expectSignature(
  { orderId }: Terms,
  { solver }: OrderData,
  signature: string | undefined,
): Promise<string | Unmet> {
  const signed = { orderId: orderId as `0x${string}`, signature: signature as `0x${string}` };
  const signer =
    signature === undefined ? "none" : await recoverOrderSigner(signed).catch(() => "unreadable");
  const bySolver = `the signature of ${solver}`;
  if (signature === undefined || !isSame(signer, solver)) return new Unmet(bySolver, "QUOTE_SOLVER", signer);
  return signature;
}

/** Compares the quote's payment details with the order. */
function expectPaymentDetails({ origin }: Terms, { inputs }: OrderData, depository: string): object {
  const payment = inputs[0]?.payment;
  return {
    amount: payment?.amount,
    chainId: payment?.chainId,
    currency: payment?.currency,
    depository: origin?.depository ?? depository,
  };
}

/** The order's single payment on the origin chain, and its refunds. */
function expectInput(terms: Terms, { output }: OrderData, isSwapped: boolean): (input: OrderInput) => object {
  const { amountIn, origin, request } = terms;
  const { depositCurrencies = [], wrappedNative } = origin ?? {};
  const swapped = [
    zeroAddress,
    ...(wrappedNative === undefined ? [] : [wrappedNative]),
    ...depositCurrencies,
  ];
  return ({ payment, refunds }) => {
    const { amount, currency } = payment;
    const isRefunded = refunds.some(({ chainId }) => chainId === origin?.name);
    return {
      payment: {
        amount: isSwapped ? choose(amount, BigInt(amount) > 0n, "more than 0") : amountIn,
        chainId: origin?.name,
        currency: pick([request.originCurrency, ...(isSwapped ? swapped : [])], currency),
        weight: "1",
      },
      refunds: isRefunded
        ? refunds.map((refund) => expectRefund(terms, { payment, refund, until: output.deadline }))
        : new Unmet("a refund on the origin chain"),
    };
  };
}

/**
 * Refunds on the origin chain go to the refundee, in the deposited currency. Published orders add one on the
 * destination, in a currency that the solver holds there, to the refundee or the recipient. Its currency is free: a
 * minimum of zero promises nothing in any currency.
 */
function expectRefund(
  { destination, origin, recipient, request }: Terms,
  {
    payment: { amount, currency },
    refund,
    until,
  }: Pick<OrderInput, "payment"> & { readonly refund: OrderInput["refunds"][number]; readonly until: number },
): object {
  const isOrigin = refund.chainId === origin?.name;
  const chain = isOrigin ? origin : destination;
  const refundee = request.refundTo ?? request.user;
  const { minimumAmount } = refund;
  return {
    chainId: chain?.name ?? refund.chainId,
    currency: isOrigin ? currency : refund.currency,
    deadline: choose(refund.deadline, refund.deadline >= until, `at least ${until}`),
    extraData: expectExtraData(chain, refund.extraData),
    minimumAmount: choose(
      minimumAmount,
      !isOrigin || BigInt(minimumAmount) <= BigInt(amount),
      `at most ${amount}`,
    ),
    // The recipient is none on the origin chain: the service may have requested such an order from the solver.
    recipient: pick(isOrigin ? [refundee] : [refundee, recipient], refund.recipient),
  };
}

function expectOutput(terms: Terms, output: OrderData["output"]): object {
  const { destination, minimumOut, policy, request, txs } = terms;
  const seconds = boundedSeconds(request.ttl, policy.maximumFillSeconds, usualFillSeconds);
  const open = terms.now + Math.min(leastOpenSeconds, Math.floor(seconds / 2));
  const { deadline } = output;
  const isOpen = deadline <= terms.now || deadline >= open;
  return {
    calls: txs.map((call) => encodeOrderCall({ call })),
    chainId: destination?.name ?? output.chainId,
    deadline: isOpen
      ? chooseDeadline(terms, deadline, seconds)
      : new Unmet(`${open} or later`, "QUOTE_DEADLINE"),
    extraData: expectExtraData(callersOf(terms), output.extraData),
    payments:
      output.payments.length === 1
        ? output.payments.map(({ expectedAmount, minimumAmount, recipient }) => ({
            currency: request.destinationCurrency,
            expectedAmount: choose(
              expectedAmount,
              BigInt(expectedAmount) >= BigInt(minimumAmount),
              "the minimum or more",
            ),
            minimumAmount: choose(
              minimumAmount,
              BigInt(minimumAmount) >= minimumOut,
              `at least ${minimumOut}`,
            ),
            recipient: expectPayee(terms, output.extraData, recipient),
          }))
        : new Unmet("one payment"),
  };
}

/**
 * The destination with the routers that may make the calls. Calls that name a router, as a sweep does, are made for it:
 * anyone can take the output from another one.
 */
function callersOf({ destination, txs }: Terms): TrustedChain | undefined {
  const named = destination?.routers.filter(({ router }) => txs.some(({ to }) => isSame(to, router))) ?? [];
  return destination && named.length > 0 ? { ...destination, routers: named } : destination;
}

/** The recipient. With calls, the router that fills the order and makes them. */
function expectPayee(terms: Terms, extraData: string, actual: string): string | Unmet {
  if (terms.txs.length === 0) return terms.recipient;
  const routers = (callersOf(terms)?.routers ?? []).map(({ router }) => router);
  const fillers = routers.filter((router) =>
    isSame(encodeOrderExtraData({ fillContract: router }), extraData),
  );
  return contractOf("router that makes the calls", fillers.length > 0 ? fillers : routers, actual);
}

/** The contract that fills on an EVM chain: a trusted router. Empty on other chains. */
function expectExtraData(chain: TrustedChain | undefined, actual: string): string | undefined {
  if (chain === undefined) return actual;
  const isEvm = (chain.vmType ?? "evm") === "evm";
  const fillers = chain.routers.map(({ router }) => encodeOrderExtraData({ fillContract: router }));
  return pick(isEvm ? fillers : ["0x"], actual);
}
