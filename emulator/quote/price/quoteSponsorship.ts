import type { FeeSponsorshipV2 } from "../../../src/schema/record/feeSponsorshipV2.ts";
import type { Place } from "../../context/places.ts";
import { amountObject } from "../../currencies/currencyId.ts";
import type { PricedRoute } from "../route/planRoute.ts";
import {
  type FeeBuckets,
  type SponsoredComponent,
  sponsoredComponents,
} from "../sponsorship/allotSponsorship.ts";

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
