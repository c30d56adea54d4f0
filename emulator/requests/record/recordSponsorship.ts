import type { FeeSponsorship } from "../../../src/schema/record/feeSponsorship.ts";
import type { FeeSponsorshipV2 } from "../../../src/schema/record/feeSponsorshipV2.ts";
import type { RecordAmount, RecordPayment, RecordValue } from "../../../src/schema/record/recordAmount.ts";
import type { RequestDataV2 } from "../../../src/schema/record/requestV2.ts";
import { unitsPerToken } from "../../money/prices.ts";
import type { RequestParts } from "./RequestParts.ts";
import { formatMicros, withCurrentUsd } from "./recordAmounts.ts";

/** A sponsor's balance counts millionths of a dollar, as USDC does. */
const microDecimals = { decimals: 6 };

type Quoted = NonNullable<FeeSponsorshipV2["quoted"]>;

/** The sponsor's payment in the currency of app fees; `undefined` until the request succeeds. */
function sponsorPayment({ quote, request, sponsorPaid }: RequestParts): RecordPayment | undefined {
  const { appFeeCurrency } = quote;
  if (request.status !== "success" || sponsorPaid === undefined || appFeeCurrency === undefined)
    return undefined;
  const { address, chainId } = appFeeCurrency;
  const amount = (sponsorPaid * unitsPerToken(appFeeCurrency)) / unitsPerToken(microDecimals);
  return { address, amount: amount.toString(), chainId };
}

/** `feeSponsorship` of a record of version 2. A sponsor pays what was quoted, once the request succeeds. */
export function recordSponsorshipV2(parts: RequestParts): FeeSponsorshipV2 | undefined {
  const quoted = parts.quote.feeSponsorship?.quoted;
  if (!quoted) return undefined;
  const payment = sponsorPayment(parts);
  return { ...(payment && { actual: { ...quoted, sponsorPayment: payment } }), quoted };
}

/** `subsidizedFee` of a record of version 2; `undefined` until the sponsor has paid for good. */
export function subsidizedFee(parts: RequestParts): RequestDataV2["subsidizedFee"] | undefined {
  const total = parts.quote.feeSponsorship?.quoted?.sponsoredTotal;
  const sponsor = sponsorPayment(parts);
  const { address, chainId } = total?.currency ?? {};
  if (sponsor === undefined || address === undefined || chainId === undefined) return undefined;
  return {
    amountUsd: formatMicros(parts.sponsorPaid ?? 0n),
    amountUsdCurrent: withCurrentUsd(parts, total ?? {}).amountUsdCurrent,
    origin: { address, amount: total?.amount ?? "0", chainId },
    sponsor,
  };
}

/** `feeSponsorship` of a record of version 3: one currency for all amounts, and `platform` for `relay`. */
export function recordSponsorship(parts: RequestParts): FeeSponsorship | null {
  const quoted = parts.quote.feeSponsorship?.quoted;
  if (!quoted) return null;
  const payment = sponsorPayment(parts);
  const phase = phaseOf(quoted);
  return {
    actual: payment === undefined ? null : { ...phase, sponsorPayment: payment },
    currency: quoted.sponsoredTotal?.currency,
    quoted: phase,
  };
}

function phaseOf({
  capHit,
  components: { app, execution, relay, rent, swap },
  maxSubsidizationAmount = null,
  selectedComponents,
  sponsoredTotal,
  userPaysTotal,
}: Quoted): NonNullable<FeeSponsorship["quoted"]> {
  return {
    capHit,
    components: {
      app: bucketOf(app),
      execution: bucketOf(execution),
      platform: bucketOf(relay),
      rent: bucketOf(rent),
      swap: bucketOf(swap),
    },
    maxSubsidizationAmount,
    selectedComponents: selectedComponents.map((name) => (name === "relay" ? "platform" : name)),
    sponsoredTotal: withoutCurrency(sponsoredTotal),
    userPaysTotal: withoutCurrency(userPaysTotal),
  };
}

function bucketOf(bucket: Quoted["components"]["app"]) {
  if (bucket === undefined) return undefined;
  const { selected, sponsored, total, userPays } = bucket;
  return {
    selected,
    sponsored: withoutCurrency(sponsored),
    total: withoutCurrency(total),
    userPays: withoutCurrency(userPays),
  };
}

function withoutCurrency({ currency: _, ...value }: RecordAmount = {}): RecordValue {
  return value;
}
