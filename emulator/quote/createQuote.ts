import { type Address, type Hex, keccak256 } from "viem";
import { formatOrder } from "../../src/records/normalizeOrder.ts";
import type { Quote } from "../../src/schema/quote/quote.ts";
import type { QuoteRequest } from "../../src/schema/quote/quoteRequest.ts";
import type { Step } from "../../src/schema/quote/step.ts";
import { decodeSvmAddress } from "../../src/svm/address.ts";
import { depositAddressOf } from "../chains/accounts.ts";
import { accountText } from "../chains/accountText.ts";
import { svmDepositKey, svmParts } from "../chains/svm/svmParts.ts";
import type { Context } from "../context/Context.ts";
import { isEvmChain, isSvmChain, type Place, solverAt } from "../context/places.ts";
import { currencyText } from "../currencies/currencyId.ts";
import type { ApiKey } from "../keys/openApiKeys.ts";
import { exchangeRatio, microDollars, microsOwed, usdOf } from "../money/prices.ts";
import { insertDepositAddress } from "../requests/depositAddresses.ts";
import {
  type DepositAddressTerms,
  type Intent,
  isGasless,
  type PermitTerms,
  serializeIntent,
} from "../requests/Intent.ts";
import { insertRequest } from "../requests/insertRequest.ts";
import { pathOf } from "../router/SwapLeg.ts";
import type { NewRequest } from "../store/tables.ts";
import { topupAmount } from "./price/fillCost.ts";
import { hasEvmOrigin, priceIntent } from "./price/priceIntent.ts";
import { quoteSponsorship } from "./price/quoteDetails.ts";
import { assertIntegrator, fixedRateSeconds } from "./request/options.ts";
import type { PricedIntent } from "./route/planRoute.ts";
import { readSponsorship } from "./sponsorship/readSponsorship.ts";
import { buildOrder, orderLifetimeSeconds } from "./steps/buildOrder.ts";
import { buildSteps, transferStep } from "./steps/buildSteps.ts";
import { type OfferContext, offerPermit } from "./steps/offerPermit.ts";
import { svmSteps } from "./steps/svmSteps.ts";
import { userTransaction } from "./steps/userTransaction.ts";
import { withdrawalSteps } from "./steps/withdrawalSteps.ts";
import { oraclePrice, quoteText, storedAppFees } from "./storedAppFees.ts";

/** A stored quote. */
export type CreatedQuote = {
  readonly quote: Quote;
  /** The same quote in JSON. */
  readonly json: string;
};

/** A quote before it is stored. */
export type PreparedQuote = CreatedQuote & {
  readonly row: NewRequest;
  readonly features: readonly string[];
};

/** Prices an intent, stores it as a request that waits for its deposit, and answers with the steps to make it. */
export async function createQuote(
  request: QuoteRequest,
  context: Context,
  apiKey?: Pick<ApiKey, "id">,
): Promise<CreatedQuote> {
  const { features, row, ...created } = await prepareQuote(request, context, apiKey);
  const hasAddress = row.deposit_address !== null;
  await insertRequest(context.store, row, features, async (transaction) => {
    if (hasAddress) await insertDepositAddress(transaction, row, JSON.stringify(request));
  });
  return created;
}

/** Prices an intent without storing it. */
export async function prepareQuote(
  request: QuoteRequest,
  context: Context,
  apiKey?: Pick<ApiKey, "id">,
  address?: Address,
): Promise<PreparedQuote> {
  assertIntegrator(request, apiKey);
  const sponsorship = await readSponsorship(request, apiKey, context);
  const priced = await priceIntent(request, context, sponsorship);
  const { read, route } = priced;
  const now = context.now();
  const requestId = context.random32();
  // The price table, and not a pool at the fill, prices an asset in another.
  const isOraclePriced =
    read.fixedRate !== undefined || route.origin.to.symbol !== route.destination.from.symbol;
  const longest = isOraclePriced ? fixedRateSeconds : orderLifetimeSeconds;
  const lifetime = Math.min(read.ttl ?? longest, longest);
  const expiresAt = now + lifetime * 1000;
  const { order, orderId } = await buildOrder(priced, { expiresAt, now }, context);
  const planned = {
    expiresAt,
    lifetime,
    orderId,
    requestId,
    solver: context.accounts.solver.account.address,
  };
  const depositAddress = read.depositAddress && {
    ...read.depositAddress,
    address: address ?? (await deriveDepositAddress(read.origin, requestId, context)),
  };
  const { own, steps, terms } = await buildPayment(priced, { ...planned, request }, context, depositAddress);
  const { details, fees } = priced;
  const protocol: Quote["protocol"] =
    route.via === "self" || read.protocolVersion === "v1"
      ? undefined
      : {
          v2: {
            hubType: "onchain",
            orderData: formatOrder({ order }),
            orderId,
            paymentDetails: {
              amount: priced.amounts.minimumDeposit.toString(),
              chainId: read.origin.definition.name,
              currency: currencyText(read.origin, route.origin.to),
              depository: accountText(
                (isEvmChain(read.origin)
                  ? read.origin.contracts.depository
                  : solverAt(read.origin, context.accounts)
                ).toLowerCase(),
              ),
            },
            ...(request.includeProtocolData === true && {
              orderSignature: await context.accounts.solver.account.signMessage({
                message: { raw: orderId },
              }),
            }),
          },
        };
  const feeSponsorship = quoteSponsorship(priced);
  const quote: Quote = {
    details,
    fees,
    ...(feeSponsorship && { feeSponsorship }),
    steps: [...steps],
    ...(protocol && { protocol }),
  };
  const promised = { depositAddress, own, ...(terms && { permit: terms }) };
  const intent = toIntent(priced, promised, { expiresAt, orderId, requestId });
  const features = [
    ...(read.appFees.length > 0 ? ["app_fees"] : []),
    ...(depositAddress === undefined ? [] : ["deposit_address"]),
    ...(read.fixedRate === undefined ? [] : ["fixed_rate"]),
    ...(intent.topup === undefined ? [] : ["gas_top_up"]),
    ...(isGasless(priced.permit) ? ["gasless_execution"] : []),
  ];
  const { answer, stored } = quoteText(quote, {
    ...storedAppFees(priced, context.chains),
    ...(read.fixedRate && "spread" in read.fixedRate && { oraclePrice: oraclePrice(priced, now) }),
  });
  const row = requestRow({ apiKey, at: now, intent, priced, request, stored });
  return { features, json: answer, quote, row };
}

async function deriveDepositAddress(origin: Place, requestId: Hex, { accounts }: Context): Promise<Address> {
  if (!isSvmChain(origin)) return depositAddressOf(requestId, accounts);
  const { address } = await svmDepositKey(requestId, svmParts(origin));
  return decodeSvmAddress({ address });
}

type Payment = {
  readonly steps: readonly Step[];
  /** The user's transaction that identifies a same-chain request on its chain; `null` for a deposit. */
  readonly own: Intent["own"];
  readonly terms?: PermitTerms;
};

async function buildPayment(
  priced: PricedIntent<Place>,
  {
    lifetime,
    request,
    ...ids
  }: Omit<OfferContext, "deadline" | "way"> & { readonly lifetime: number; readonly request: QuoteRequest },
  context: Context,
  depositAddress: DepositAddressTerms | undefined,
): Promise<Payment> {
  if (!hasEvmOrigin(priced)) {
    const { origin } = priced.read;
    const steps = isSvmChain(origin)
      ? await svmSteps(priced, { ...ids, depositAddress, request }, origin)
      : await withdrawalSteps(priced, ids);
    return { own: null, steps };
  }
  const { permit: way, route } = priced;
  const planned = { ...ids, deadline: priced.read.origin.head().timestamp + BigInt(lifetime) };
  if (depositAddress !== undefined) {
    return { own: null, steps: [transferStep(priced, planned.requestId, depositAddress.address)] };
  }
  if (way !== undefined) return { own: null, ...(await offerPermit(priced, { ...planned, way }, context)) };
  const transaction = await userTransaction(priced, planned);
  const { data, to, value } = transaction;
  return {
    own: route.via === "self" ? { dataHash: keccak256(data), to, value } : null,
    steps: await buildSteps(priced, planned.requestId, transaction),
  };
}

function toIntent(
  { amounts, read, route, routerVersion }: PricedIntent<Place>,
  promised: Pick<Intent, "depositAddress" | "own" | "permit">,
  ids: { requestId: Hex; orderId: Hex; expiresAt: number },
): Intent {
  const isSameChain = route.via === "self";
  const topup = topupAmount(read);
  const gas = amounts.relayerGas + (amounts.gasOfSpread ?? 0n);
  return {
    ...ids,
    ...promised,
    appFees: read.appFees.map(({ bps, recipient }, index) => ({
      amount: amounts.appFees[index] ?? 0n,
      bps: Number(bps),
      recipient,
    })),
    deposit: {
      amount: amounts.deposit,
      currency: route.origin.to.address,
      decimals: route.origin.to.decimals,
      minimumAmount: amounts.minimumDeposit,
      via: route.via,
    },
    destination: {
      amount: amounts.amountOut,
      chainId: read.destination.definition.id,
      currency: read.currencyOut.address,
      minimumAmount: amounts.minimumOut,
    },
    fill: {
      amount: isSameChain ? 0n : amounts.inventory,
      currency: route.destination.from.address,
      decimals: route.destination.from.decimals,
      ...(!isSameChain && gas > 0n && { gas }),
      maximumAmount: isSameChain ? 0n : amounts.maximumInventory,
      path: isSameChain ? [] : [...pathOf(route.destination)],
      ...(route.origin.to.symbol !== route.destination.from.symbol && {
        ratio: exchangeRatio(route.origin.to, route.destination.from),
      }),
    },
    kind: read.kind,
    origin: {
      amount: amounts.amountIn,
      chainId: read.origin.definition.id,
      currency: read.currencyIn.address,
    },
    recipient: read.recipient,
    refundTo: read.refundTo,
    routerVersion,
    slippageBps: Number(read.slippageBps),
    ...(amounts.allotment && {
      sponsorship: { amount: amounts.allotment.total, shares: proportionalFees(amounts) },
    }),
    ...(topup > 0n && { topup: { amount: topup, shares: proportionalFees(amounts) } }),
    // The output of a fixed rate never follows the pools.
    tradeType: read.fixedRate === undefined ? read.tradeType : "EXACT_OUTPUT",
    ...(read.authorizationList.length > 0 && { authorizationList: read.authorizationList }),
    txs: [...read.txs],
    trueExactOutput: read.trueExactOutput || read.fixedRate !== undefined,
    txsGasLimit: read.txsGasLimit ?? null,
    useExternalLiquidity: read.useExternalLiquidity,
    user: read.user,
  };
}

/** Fees in proportion to the deposit: the service's and the apps'. */
function proportionalFees({ appFees, relayerService }: PricedIntent["amounts"]): bigint {
  return appFees.reduce((sum, fee) => sum + fee, relayerService);
}

function requestRow(parts: {
  apiKey: Pick<ApiKey, "id"> | undefined;
  at: number;
  intent: Intent;
  priced: PricedIntent<Place>;
  request: QuoteRequest;
  /** The quote in the JSON of its record. */
  stored: string;
}): NewRequest {
  const { at, intent, priced, request, stored } = parts;
  const { currencyIn, currencyOut, kind } = priced.read;
  const deposited = priced.route.origin.to;
  const appFeesUsd = usdOf(
    intent.appFees.reduce((sum, { amount }) => sum + amount, 0n),
    deposited,
  );
  return {
    api_key_id: parts.apiKey?.id ?? null,
    amount_usd: microDollars(usdOf(intent.origin.amount, currencyIn)),
    app_fees_usd: microDollars(appFeesUsd),
    created_at: at,
    currency_in: currencyIn.address.toLowerCase(),
    currency_in_symbol: currencyIn.symbol,
    currency_out: currencyOut.address.toLowerCase(),
    currency_out_symbol: currencyOut.symbol,
    deposit_address: intent.depositAddress?.address ?? null,
    destination_chain_id: intent.destination.chainId,
    expires_at: intent.expiresAt,
    id: intent.requestId,
    intent: serializeIntent(intent),
    order_id: intent.orderId,
    origin_chain_id: intent.origin.chainId,
    partner_id: null,
    quote: stored,
    recipient: intent.recipient,
    referrer: request.referrer ?? null,
    refund_to: priced.read.isRefunded ? intent.refundTo : null,
    request_type: kind,
    sender: intent.user,
    sponsored_usd:
      intent.sponsorship === undefined ? null : microsOwed(intent.sponsorship.amount, deposited).toString(),
    status: "waiting",
    updated_at: at,
    user: intent.user,
  };
}
