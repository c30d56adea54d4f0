import { unitsToDecimal } from "../internal/amounts.ts";
import type { FeeSponsorship } from "../schema/record/feeSponsorship.ts";
import type { FeeSponsorshipV2 } from "../schema/record/feeSponsorshipV2.ts";
import type { RecordAmount, RecordCurrency } from "../schema/record/recordAmount.ts";
import type { RecordTransaction, RecordTransactionV2 } from "../schema/record/recordTransaction.ts";
import {
  type RequestDataV2,
  type RequestMetadataV2,
  type RequestV2,
  requestV2Schema,
} from "../schema/record/requestV2.ts";
import type {
  RequestAppFees,
  RequestData,
  RequestFees,
  RequestRecord,
  RequestRoute,
} from "../schema/record/requestV3.ts";
import type { RequestFeature } from "../schema/request/requestFeature.ts";
import { readBy } from "../schema/wire/readBy.ts";

/** A record of `GET /requests/v2`. */
export type MigrateRequestRecordParameters = RequestV2;

/** The record in the format of `GET /requests/v3`. */
export type MigrateRequestRecordReturnType = RequestRecord;

/**
 * Converts a request record of version 2 to version 3, with every change in the service's migration guide.
 *
 * Fields that version 2 lacks are null: `refundTo`, `requestType`, `recoveryAddress`. `features` lists those that the
 * record proves. Drops the gas fees in wei (`fees`, `feesUsd`) and `orderData`, which version 3 lacks.
 *
 * @throws InvalidParameterError for any other value.
 *
 * @example
 * import { createClient, getRequests, migrateRequestRecord, production } from "waybill/client";
 *
 * const { requests } = await getRequests(createClient(production), { limit: 1, version: "v2" });
 * console.log(requests.map(migrateRequestRecord)[0]?.data?.route?.actual?.origin?.inputCurrency);
 */
export function migrateRequestRecord(given: MigrateRequestRecordParameters): MigrateRequestRecordReturnType {
  const record = readBy(requestV2Schema, given, "record");
  const { createdAt, data, depositAddress, id, protocol, recipient, status, updatedAt, user } = record;
  return {
    id,
    status: status === "delayed" ? "pending" : status === "fallback" ? "refund" : status,
    user: user ?? null,
    sender: data?.metadata?.sender ?? null,
    recipient: recipient ?? data?.metadata?.recipient ?? null,
    refundTo: null,
    depositAddress: depositAddress
      ? {
          address: depositAddress.address,
          type: depositAddress.depositAddressType,
          depositor: depositAddress.depositor ?? null,
          depositTxHash: depositAddress.depositTxHash ?? null,
          recoveryAddress: null,
        }
      : null,
    requestType: null,
    supersededByRequestId: data?.supersededByRequestId ?? null,
    data: migrateData(record, data ?? {}),
    protocol: protocol ?? null,
    features: featuresOf(record),
    createdAt,
    updatedAt,
  };
}

function migrateData(record: RequestV2, data: RequestDataV2): RequestData {
  return {
    slippageTolerance: data.slippageTolerance,
    failReason: reasonOf(data.failReason),
    refundFailReason: reasonOf(data.refundFailReason),
    failedTxHash: data.failedTxHash ?? null,
    failedTxBlockNumber: data.failedTxBlockNumber ?? null,
    failedCallData: data.failedCallData ?? null,
    usesExternalLiquidity: data.usesExternalLiquidity,
    timeEstimate: data.timeEstimate ?? null,
    triggeredByFastFill: data.triggeredByFastFill ?? null,
    inTxs: data.inTxs?.map(migrateTransaction) ?? [],
    outTxs: data.outTxs?.map(migrateTransaction) ?? [],
    appFees: migrateAppFees(data),
    feeSponsorship: migrateSponsorship(data),
    fees: migrateFees(data),
    platformFee: data.platformFee ?? null,
    referrer: record.referrer ?? null,
    route: migrateRoute(data),
    quoteOraclePrice: migrateOraclePrice(data),
    refundCurrencyData: data.refundCurrencyData ?? null,
    externalMetadata: { moonpayId: record.moonpayId ?? null },
  };
}

const reasonOf = <Reason extends string>(reason: Reason | null | undefined): Reason | null =>
  reason === undefined || reason === "N/A" ? null : reason;

function migrateTransaction({ hash, ...others }: RecordTransactionV2): RecordTransaction {
  return { ...others, txHash: hash };
}

function featuresOf({ data, depositAddress }: RequestV2): RequestFeature[] {
  const proven: [RequestFeature, boolean][] = [
    ["fast_fill", data?.triggeredByFastFill === true],
    ["gas_top_up", Boolean(data?.metadata?.currencyGasTopup)],
    ["app_fees", (data?.appFees?.length ?? 0) > 0],
    ["deposit_address", Boolean(depositAddress)],
  ];
  return proven.filter(([, holds]) => holds).map(([feature]) => feature);
}

/** In version 2, `appFees` are the quoted fees and `paidAppFees` the paid ones. */
function migrateAppFees({ appFeeCurrencyObject, appFees, paidAppFees }: RequestDataV2): RequestAppFees {
  const currency = appFeeCurrencyObject ?? null;
  const format = (amount: string | null | undefined): string | null => formatUnits(amount, currency);
  return {
    quoted: (appFees ?? []).map(({ amount, bps, recipient }) => ({
      recipient,
      bps,
      amount,
      amountFormatted: format(amount),
    })),
    actual: (paidAppFees ?? []).map(({ amount, amountUsd, bps, recipient }) => ({
      recipient,
      bps,
      amount,
      amountFormatted: format(amount),
      amountUsd,
    })),
    currency,
  };
}

function formatUnits(amount: string | null | undefined, currency: RecordCurrency | null): string | null {
  if (amount === null || amount === undefined || currency?.decimals === undefined) return null;
  return unitsToDecimal(BigInt(amount), currency.decimals);
}

/** `expandedPriceImpact` is now `fees`, and its component `relay` is now `platform`. */
function migrateFees({ expandedPriceImpact, feeCurrencyObject }: RequestDataV2): RequestFees | null {
  if (!expandedPriceImpact) return null;
  type Phase = NonNullable<typeof expandedPriceImpact>["quoted"];
  const rename = (phase: Phase): RequestFees["quoted"] => {
    if (!phase) return null;
    const { relay, ...others } = phase;
    return { ...others, ...(relay === undefined ? {} : { platform: relay }) };
  };
  return {
    quoted: rename(expandedPriceImpact.quoted),
    actual: rename(expandedPriceImpact.actual),
    currency: feeCurrencyObject ?? null,
  };
}

type PhaseV2 = NonNullable<FeeSponsorshipV2["actual"]>;
type PhaseV3 = NonNullable<FeeSponsorship["actual"]>;

/** Moves the currency out of the amounts and the sponsor's payment in; renames `relay` to `platform`. */
function migrateSponsorship(data: RequestDataV2): FeeSponsorship | null {
  const { feeCurrencyObject, feeSponsorship, subsidizedFee, subsidizedRequest } = data;
  const sponsorPayment = feeSponsorship?.actual?.sponsorPayment ?? subsidizedFee?.sponsor ?? null;
  if (feeSponsorship) {
    const { actual, quoted } = feeSponsorship;
    return {
      quoted: quoted ? migratePhase(quoted) : null,
      actual: actual ? { ...migratePhase(actual), sponsorPayment } : null,
      currency: (actual ?? quoted)?.sponsoredTotal?.currency ?? feeCurrencyObject ?? null,
    };
  }
  if (subsidizedRequest !== true && !subsidizedFee) return null;
  // Older records contain only the total, not the components.
  const { amountUsd, origin } = subsidizedFee ?? {};
  return {
    quoted: null,
    actual: {
      selectedComponents: [],
      maxSubsidizationAmount: null,
      capHit: false,
      components: {},
      sponsoredTotal: { ...(origin ? { amount: origin.amount } : {}), amountUsd },
      userPaysTotal: {},
      sponsorPayment,
    },
    currency: origin ? { chainId: origin.chainId, address: origin.address } : (feeCurrencyObject ?? null),
  };
}

function migratePhase(phase: PhaseV2): PhaseV3 {
  const { capHit, components, maxSubsidizationAmount, selectedComponents, sponsoredTotal, userPaysTotal } =
    phase;
  const { relay, ...others } = components;
  const renamed = Object.entries({ ...others, platform: relay }).flatMap(([name, bucket]) =>
    bucket === undefined ? [] : [[name, migrateBucket(bucket)]],
  );
  return {
    selectedComponents: selectedComponents.map((name) => (name === "relay" ? "platform" : name)),
    maxSubsidizationAmount: maxSubsidizationAmount ?? null,
    capHit,
    components: Object.fromEntries(renamed),
    sponsoredTotal: withoutCurrency(sponsoredTotal),
    userPaysTotal: withoutCurrency(userPaysTotal),
  };
}

type BucketV2 = NonNullable<PhaseV2["components"]["relay"]>;

function migrateBucket({ selected, sponsored, total, userPays }: BucketV2) {
  return {
    selected,
    total: withoutCurrency(total),
    sponsored: withoutCurrency(sponsored),
    userPays: withoutCurrency(userPays),
  };
}

function withoutCurrency({ currency: _, amountUsdCurrent: __, ...value }: RecordAmount = {}) {
  return value;
}

function migrateOraclePrice({ metadata }: RequestDataV2): RequestData["quoteOraclePrice"] {
  const price = metadata?.quoteOraclePrice;
  if (!price) return null;
  type Place = NonNullable<typeof price>["from"];
  const amountOf = (place: Place, amount: string | null | undefined): RecordAmount => {
    const { address, chainId, decimals } = place ?? {};
    return {
      currency: {
        ...(chainId ? { chainId } : {}),
        ...(address ? { address } : {}),
        ...(typeof decimals === "number" ? { decimals } : {}),
      },
      ...(typeof amount === "string" ? { amount } : {}),
    };
  };
  return {
    rate: price.rate,
    observedAt: price.observedAt,
    inputCurrency: amountOf(price.from, price.inputAmount),
    outputCurrency: amountOf(price.to, price.outputAmount),
  };
}

type LegV2 = NonNullable<RequestMetadataV2["route"]>["origin"];
type Leg = NonNullable<NonNullable<RequestRoute["quoted"]>["origin"]>;
type Actual = NonNullable<RequestRoute["actual"]>;

/**
 * Converts `data.metadata` and `data.price` of version 2 to the route of version 3. The deposit becomes the origin's
 * input, the quoted output the destination's input. The received amount becomes the output of the destination, or of
 * the origin if there is no destination.
 *
 * @returns `null` when the record has no metadata.
 */
function migrateRoute({ metadata, price }: RequestDataV2): RequestRoute | null {
  if (!metadata) return null;
  const { currencyGasTopup, currencyIn, currencyOut, rate, route } = metadata;
  const [from, to] = [route?.origin, route?.destination];
  const quoted = from || to ? { origin: toLeg(from), destination: toLeg(to) } : null;
  const sources = { origin: from?.includedSwapSources ?? [], destination: to?.includedSwapSources ?? [] };
  const crosses = Boolean(to) || chainOf(currencyIn) !== chainOf(currencyOut);
  const origin: Leg = {
    inputCurrency: currencyIn ?? from?.inputCurrency ?? null,
    outputCurrency: crosses ? (from?.outputCurrency ?? null) : (currencyOut ?? from?.outputCurrency ?? null),
    router: from?.router ?? null,
  };
  const destination: NonNullable<Actual["destination"]> = {
    inputCurrency: quotedOutput(price, to?.inputCurrency, currencyOut),
    outputCurrency: currencyOut ?? to?.outputCurrency ?? null,
    router: to?.router ?? null,
    ...(currencyGasTopup ? { currencyGasTopup } : {}),
  };
  return {
    includedSwapSources: [...new Set([...sources.origin, ...sources.destination])],
    includedOriginSwapSources: sources.origin,
    includedDestinationSwapSources: sources.destination,
    quoted,
    actual: { rate: rate ?? null, origin, destination: crosses ? destination : null },
  };
}

function toLeg(leg: LegV2): Leg | null {
  if (!leg) return null;
  return {
    inputCurrency: leg.inputCurrency ?? null,
    outputCurrency: leg.outputCurrency ?? null,
    router: leg.router ?? null,
  };
}

/** The quoted output comes from the route, else from `price`, in the currency of the output. */
function quotedOutput(
  price: string | null | undefined,
  input: RecordAmount | null | undefined,
  output: RecordAmount | null | undefined,
): RecordAmount | null {
  if (input) return input;
  if (typeof price !== "string") return null;
  return { amount: price, ...(output?.currency ? { currency: output.currency } : {}) };
}

const chainOf = (amount: RecordAmount | null | undefined): number | undefined => amount?.currency?.chainId;
