import type { Amount } from "../../../src/schema/quote/amount.ts";
import type { QuoteDetails, QuoteFees } from "../../../src/schema/quote/quote.ts";
import type { FeeSponsorshipV2 } from "../../../src/schema/record/feeSponsorshipV2.ts";
import { accountText } from "../../chains/accountText.ts";
import type { LocalCurrency } from "../../chains/Chain.ts";
import { signatureFee } from "../../chains/svm/decodeSvmTransaction.ts";
import { isEvmChain, isSvmChain, type Place } from "../../context/places.ts";
import { amountObject } from "../../currencies/currencyId.ts";
import { exchangeRate, formatUsd, roundToMicros, type Usd, usdOf } from "../../money/prices.ts";
import { isLeg, isSwap, type SwapLeg } from "../../router/SwapLeg.ts";
import { swapSourceOf } from "../request/options.ts";
import type { PricedRoute } from "../route/planRoute.ts";
import {
  type FeeBuckets,
  type SponsoredComponent,
  sponsoredComponents,
} from "../sponsorship/allotSponsorship.ts";
import { readGasPrice, topupAmount } from "./fillCost.ts";
import { isSentByService } from "./paymentCost.ts";

type Parts = Pick<PricedRoute<Place>, "read" | "route" | "amounts">;

/** Price impacts by cause. They add up to the difference of output and input. */
type Impacts = {
  readonly total: Usd;
  readonly swap: Usd;
  readonly execution: Usd;
  readonly service: Usd;
  readonly app: Usd;
  /** The sponsor's payment; positive. */
  readonly sponsored: Usd;
};

/** The impacts of a quote in whole millionths of a dollar, so that the shown values add up. */
export function computeImpacts({ amounts, read, route }: Parts): Impacts {
  const deposited = route.origin.to;
  const total =
    roundToMicros(usdOf(amounts.amountOut, read.currencyOut)) +
    topupWorth(read) -
    roundToMicros(usdOf(amounts.expectedIn, read.currencyIn));
  const execution = -roundToMicros(usdOf(amounts.relayerGas, deposited));
  const service = -roundToMicros(usdOf(amounts.relayerService, deposited));
  const app = -roundToMicros(
    usdOf(
      amounts.appFees.reduce((sum, fee) => sum + fee, 0n),
      deposited,
    ),
  );
  const sponsored = roundToMicros(usdOf(amounts.allotment?.total ?? 0n, deposited));
  const swap = total - execution - service - app - sponsored;
  return { app, execution, service, sponsored, swap, total };
}

/** Worth of the delivered gas top-up. */
function topupWorth(read: Parts["read"]): Usd {
  const amount = topupAmount(read);
  return amount === 0n ? 0n : roundToMicros(usdOf(amount, read.destination.currencies[0]));
}

/** The `details` of a quote. */
export function quoteDetails(parts: Parts, userBalance: bigint): QuoteDetails {
  const { amounts, read } = parts;
  const { currencyIn, currencyOut, destination, origin, user } = read;
  const paid = amountObject(origin, currencyIn, amounts.amountIn);
  const spent = amountObject(origin, currencyIn, amounts.expectedIn);
  const output = amountObject(destination, currencyOut, amounts.amountOut, amounts.minimumOut);
  const { app, execution, service, sponsored, swap, total } = computeImpacts(parts);
  const usdIn = usdOf(amounts.expectedIn, currencyIn);
  const topup = topupAmount(read);
  return {
    ...(topup > 0n && { currencyGasTopup: amountObject(destination, destination.currencies[0], topup) }),
    currencyIn: paid,
    currencyOut: output,
    expandedPriceImpact: {
      app: { usd: formatUsd(app) },
      execution: { usd: formatUsd(execution) },
      relay: { usd: formatUsd(service) },
      sponsored: { usd: formatUsd(sponsored) },
      swap: { usd: formatUsd(swap) },
    },
    ...fixedRateFee(parts, usdIn),
    isFixedRate: read.fixedRate !== undefined,
    operation: nameOperation(parts),
    rate: exchangeRate(output, spent),
    recipient: accountText(read.recipient),
    refundCurrency: paid,
    route: describeRoute(parts, spent, output),
    sender: accountText(user),
    slippageTolerance: describeSlippage(parts),
    swapImpact: { percent: formatPercent(swap, usdIn), usd: formatUsd(swap) },
    timeEstimate: estimateSeconds(parts),
    totalImpact: { percent: formatPercent(total, usdIn), usd: formatUsd(total) },
    userBalance: userBalance.toString(),
  };
}

/** What a fixed rate costs compared with the pools' price; negative if the user gains. */
function fixedRateFee({ amounts, read, route }: Parts, usdIn: Usd) {
  if (read.fixedRate === undefined) return {};
  const appFees = amounts.appFees.reduce((sum, fee) => sum + fee, 0n);
  const market = usdIn - usdOf(amounts.netIn + appFees, route.origin.to);
  return { fixedRateFee: { usd: formatUsd(roundToMicros(market)) } };
}

/** The solver waits for one block. It simulates a swap again before sending it. */
const confirmations = 1;
const swapSeconds = 1;

/** Seconds from the user's transaction to the output: the deposit's block, the fill's block, and the swap. */
function estimateSeconds({ read, route }: Parts): number {
  const mined = read.origin.blockSeconds() * confirmations;
  if (route.via === "self") return mined;
  return mined + read.destination.blockSeconds() + (isSwap(route.destination) ? swapSeconds : 0);
}

function nameOperation({ read }: Parts): string {
  const { currencyIn, currencyOut, kind } = read;
  if (kind === "Send" || kind === "Wrap" || kind === "Unwrap") return kind.toLowerCase();
  if (kind === "Call") return currencyIn.symbol === currencyOut.symbol ? "bridge" : "swap";
  return kind === "Bridge" ? "bridge" : "swap";
}

/** A same-chain route shows one leg, although the arithmetic has two. */
function describeRoute({ amounts, read, route }: Parts, spentOnOrigin: Amount, output: Amount) {
  if (route.via === "self") {
    return {
      origin: {
        inputCurrency: spentOnOrigin,
        outputCurrency: output,
        ...routerOf(route.destination, read.origin),
      },
    };
  }
  const spent = amountObject(read.destination, route.destination.from, amounts.inventory);
  return {
    destination: {
      inputCurrency: spent,
      outputCurrency: output,
      ...routerOf(route.destination, read.destination),
    },
    origin: {
      inputCurrency: spentOnOrigin,
      outputCurrency: isLeg(route.origin)
        ? amountObject(read.origin, route.origin.to, amounts.deposit, amounts.minimumDeposit)
        : spentOnOrigin,
      ...routerOf(route.origin, read.origin),
    },
  };
}

function routerOf(leg: SwapLeg, place: Place) {
  const source = swapSourceOf(place);
  return isSwap(leg) ? { includedSwapSources: [source], router: source } : { router: "relay" };
}

function describeSlippage({ amounts, read, route }: Parts) {
  const side = (value: bigint, currency: LocalCurrency) => ({
    percent: value === 0n ? "0.00" : (Number(read.slippageBps) / 100).toFixed(2),
    usd: formatUsd(usdOf(value, currency)),
    value: value.toString(),
  });
  const { amountIn, deposit, expectedIn, minimumDeposit } = amounts;
  return {
    destination: side(amounts.amountOut - amounts.minimumOut, route.destination.to),
    // An exact output needs the whole deposit: its tolerance is a larger payment.
    origin:
      amountIn > expectedIn
        ? side(amountIn - expectedIn, route.origin.from)
        : side(deposit - minimumDeposit, route.origin.to),
    total: read.slippageBps.toString(),
  };
}

function formatPercent(part: Usd, whole: Usd): string {
  return (whole === 0n ? 0 : Number((part * 10_000n) / whole) / 100).toFixed(2);
}

/** Gas of the user's transaction, rounded up. It only affects the shown fee. */
const depositGas = 60_000n;
const routedGas = 250_000n;

/** Fee of a deposit with one signature; actions on the exchange cost nothing. */
function feeOutsideEvm(place: Place): bigint {
  return isSvmChain(place) ? signatureFee : 0n;
}

/**
 * The fees of a quote. All but the gas are in the deposit's currency and part of the deposit. A gasless deposit includes its
 * gas in them, and the user pays none.
 */
export function quoteFees({ amounts, permit, read, route }: PricedRoute<Place>): QuoteFees {
  const { origin } = read;
  const { allotment, appFees, relayerGas, relayerService } = amounts;
  const currency = route.origin.to;
  const isRouted =
    isLeg(route.origin) || permit !== undefined || (route.via === "self" && read.kind !== "Send");
  const gas = isSentByService({ permit, read }) ? 0n : isRouted ? routedGas : depositGas;
  const zero = amountObject(origin, currency, 0n);
  const fee = (amount: bigint) => (amount === 0n ? zero : amountObject(origin, currency, amount));
  return {
    app: fee(appFees.reduce((sum, share) => sum + share, 0n)),
    gas: amountObject(
      origin,
      origin.currencies[0],
      isEvmChain(origin) ? gas * readGasPrice(origin) : feeOutsideEvm(origin),
    ),
    relayer: {
      ...amountObject(origin, currency, relayerGas + relayerService),
      // The parts are rounded separately, so that the shown values add up.
      amountUsd: formatUsd(
        roundToMicros(usdOf(relayerGas, currency)) + roundToMicros(usdOf(relayerService, currency)),
      ),
    },
    relayerGas: fee(relayerGas),
    relayerService: fee(relayerService),
    subsidized: fee(allotment?.total ?? 0n),
  };
}

/** The `feeSponsorship` of a quote, in the deposit's currency; `undefined` without a sponsor. */
export function quoteSponsorship({
  amounts,
  read,
  route,
  sponsorship,
}: PricedRoute<Place>): FeeSponsorshipV2 | undefined {
  const { allotment } = amounts;
  if (allotment === undefined || sponsorship === undefined) return undefined;
  const { capHit, components, sponsored, total, totals } = allotment;
  const amount = (units: bigint) => amountObject(read.origin, route.origin.to, units);
  const bucket = (component: SponsoredComponent) => ({
    selected: components.has(component),
    sponsored: amount(sponsored[component]),
    total: amount(totals[component]),
    userPays: amount(totals[component] - sponsored[component]),
  });
  return {
    quoted: {
      capHit,
      components: {
        app: bucket("app"),
        execution: bucket("execution"),
        relay: bucket("relay"),
        rent: bucket("rent"),
        swap: bucket("swap"),
      },
      ...(sponsorship.cap !== undefined && { maxSubsidizationAmount: sponsorship.cap.toString() }),
      selectedComponents: sponsoredComponents.filter((component) => components.has(component)),
      sponsoredTotal: amount(total),
      userPaysTotal: amount(sumOf(totals) - total),
    },
  };
}

function sumOf(buckets: FeeBuckets): bigint {
  return sponsoredComponents.reduce((sum, component) => sum + buckets[component], 0n);
}
