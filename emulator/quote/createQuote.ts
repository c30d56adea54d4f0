import type { Hex } from "viem";
import type { Quote, QuoteDetails, QuoteFees } from "../../src/schema/quote.ts";
import type { QuoteRequest } from "../../src/schema/quoteRequest.ts";
import type { TradeType } from "../../src/schema/tradeType.ts";
import type { Context } from "../Context.ts";
import { balanceOf } from "../chains/balanceOf.ts";
import { type Intent, serializeIntent } from "../store/Intent.ts";
import { amountObject } from "./amountObject.ts";
import { buildOrder, orderToWire } from "./buildOrder.ts";
import { buildSteps } from "./buildSteps.ts";
import { type Amounts, computeAmounts } from "./computeAmounts.ts";
import { estimateFill } from "./estimateFill.ts";
import { formatUsd, usdOf } from "./prices.ts";
import { type ReadIntent, readIntent } from "./readIntent.ts";

/** Gas of a deposit into the depository, rounded up; only for the fee that is shown. */
const depositGas = 60_000n;
/** How long a fill takes, in seconds, as told to people. */
const timeEstimate = 1;

/**
 * Prices an intent, stores it as a request that waits for its deposit, and answers with the steps to make it.
 *
 * @throws QuoteError with the code and message of the answer.
 */
export async function createQuote(request: QuoteRequest, context: Context): Promise<Quote> {
  const { tradeType } = request;
  const read = readIntent(request, context.chains);
  const gasCost = await estimateFill(read, tradeType, context);
  const amounts = computeAmounts({ ...read, gasCost, tradeType });
  const requestId = context.random32();
  const { order, orderId } = buildOrder(read, amounts, context);
  const steps = await buildSteps(read, amounts.amountIn, { orderId, requestId });
  const quote: Quote = {
    details: await details(read, amounts),
    fees: await fees(read, amounts),
    protocol: {
      v2: {
        orderData: orderToWire(order),
        orderId,
        paymentDetails: {
          amount: amounts.amountIn.toString(),
          chainId: read.origin.definition.name,
          currency: read.currencyIn.address.toLowerCase(),
          depository: read.origin.contracts.depository.toLowerCase(),
        },
        ...(request.includeProtocolData === true && {
          orderSignature: await context.accounts.solver.account.signMessage({ message: { raw: orderId } }),
        }),
      },
    },
    steps: [...steps],
  };
  await store(toIntent(read, amounts, { orderId, requestId, tradeType }), context);
  return quote;
}

function toIntent(
  read: ReadIntent,
  amounts: Amounts,
  rest: { requestId: Hex; orderId: Hex; tradeType: TradeType },
): Intent {
  return {
    ...rest,
    destination: {
      amount: amounts.amountOut,
      chainId: read.destination.definition.id,
      currency: read.currencyOut.address,
      minimumAmount: amounts.minimumOut,
    },
    origin: {
      amount: amounts.amountIn,
      chainId: read.origin.definition.id,
      currency: read.currencyIn.address,
    },
    recipient: read.recipient,
    refundTo: read.refundTo,
    txs: [...read.txs],
    user: read.user,
  };
}

async function store(intent: Intent, { now, store: database }: Context): Promise<void> {
  const at = now();
  await database
    .insertInto("requests")
    .values({
      created_at: at,
      destination_chain_id: intent.destination.chainId,
      details: null,
      fail_reason: null,
      id: intent.requestId,
      intent: serializeIntent(intent),
      order_id: intent.orderId,
      origin_chain_id: intent.origin.chainId,
      recipient: intent.recipient,
      refund_fail_reason: null,
      status: "waiting",
      updated_at: at,
      user: intent.user,
    })
    .execute();
}

async function fees(read: ReadIntent, amounts: Amounts): Promise<QuoteFees> {
  const { origin, currencyIn } = read;
  const [native] = origin.currencies;
  if (native === undefined) throw new Error("a chain without a native currency");
  const { relayerGas, relayerService } = amounts;
  return {
    app: amountObject(origin, currencyIn, 0n),
    gas: amountObject(origin, native, depositGas * (await origin.client.getGasPrice())),
    relayer: amountObject(origin, currencyIn, relayerGas + relayerService),
    relayerGas: amountObject(origin, currencyIn, relayerGas),
    relayerService: amountObject(origin, currencyIn, relayerService),
    subsidized: amountObject(origin, currencyIn, 0n),
  };
}

async function details(read: ReadIntent, amounts: Amounts): Promise<QuoteDetails> {
  const { currencyIn, currencyOut, destination, origin } = read;
  const paid = amountObject(origin, currencyIn, amounts.amountIn);
  const output = amountObject(destination, currencyOut, amounts.amountOut, amounts.minimumOut);
  const usdIn = usdOf(amounts.amountIn, currencyIn);
  const impact = usdOf(amounts.amountOut, currencyOut) - usdIn;
  const percent = usdIn === 0n ? 0 : Number((impact * 10_000n) / usdIn) / 100;
  const swap = usdOf(amounts.amountOut, currencyOut) - usdOf(amounts.netIn, currencyIn);
  const tolerance = (side: "origin" | "destination") => {
    const value = side === "origin" ? 0n : amounts.amountOut - amounts.minimumOut;
    return {
      percent: side === "origin" ? "0.00" : (Number(read.slippageBps) / 100).toFixed(2),
      usd: formatUsd(usdOf(value, currencyOut)),
      value: value.toString(),
    };
  };
  return {
    currencyIn: paid,
    currencyOut: output,
    expandedPriceImpact: {
      app: { usd: formatUsd(0n) },
      execution: { usd: formatUsd(-usdOf(amounts.relayerGas, currencyIn)) },
      relay: { usd: formatUsd(-usdOf(amounts.relayerService, currencyIn)) },
      sponsored: { usd: formatUsd(0n) },
      swap: { usd: formatUsd(swap) },
    },
    isFixedRate: false,
    operation: currencyIn.symbol === currencyOut.symbol ? "bridge" : "swap",
    rate: rateOf(output.amountFormatted, paid.amountFormatted),
    recipient: read.recipient,
    refundCurrency: paid,
    route: {
      destination: { inputCurrency: output, outputCurrency: output, router: "relay" },
      origin: { inputCurrency: paid, outputCurrency: paid, router: "relay" },
    },
    sender: read.user,
    slippageTolerance: { destination: tolerance("destination"), origin: tolerance("origin") },
    swapImpact: { percent: "0.00", usd: formatUsd(swap) },
    timeEstimate,
    totalImpact: { percent: percent.toFixed(2), usd: formatUsd(impact) },
    userBalance: (await balanceOf(origin, currencyIn.address, read.user)).toString(),
  };
}

/** For people only: whole output tokens for one whole input token. */
function rateOf(output: string, input: string): string {
  return (Number(output) / Number(input)).toString();
}
