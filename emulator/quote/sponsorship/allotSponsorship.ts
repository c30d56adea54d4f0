/** Fees that a sponsor can pay, by their names in quotes and in the order in which a cap covers them. */
export const sponsoredComponents = ["execution", "swap", "relay", "app", "rent"] as const;

export type SponsoredComponent = (typeof sponsoredComponents)[number];

/** An amount for each component, in the deposit's currency. */
export type FeeBuckets = Readonly<Record<SponsoredComponent, bigint>>;

/** What a request asks its sponsor to pay. */
export type SponsorshipTerms = {
  readonly components: ReadonlySet<SponsoredComponent>;
  /** Most that the sponsor pays, in smallest units of the deposit's currency. */
  readonly cap: bigint | undefined;
  /** Whether fees above the cap are left to the user whole. */
  readonly isWhole?: boolean | undefined;
  /** Loss in pools that the sponsor may pay, in smallest units of the deposit's currency. */
  readonly swapCost: bigint;
};

/** Division of the fees between sponsor and user. */
export type Allotment = {
  readonly components: ReadonlySet<SponsoredComponent>;
  readonly totals: FeeBuckets;
  /** The sponsor's part of each component; the user pays the rest. */
  readonly sponsored: FeeBuckets;
  /** Sum of `sponsored`. */
  readonly total: bigint;
  /** Whether the cap left a selected fee to the user. */
  readonly capHit: boolean;
};

/** Divides fees between sponsor and user, exactly. A cap covers the components in their order, or none of them. */
export function allotSponsorship(
  { cap, components, isWhole = false }: SponsorshipTerms,
  totals: FeeBuckets,
): Allotment {
  const sponsored: Record<SponsoredComponent, bigint> = { ...noFees };
  let selected = 0n;
  let total = 0n;
  for (const component of sponsoredComponents) {
    if (!components.has(component)) continue;
    const fee = totals[component];
    sponsored[component] = cap === undefined ? fee : least(fee, cap - total);
    selected += fee;
    total += sponsored[component];
  }
  if (isWhole && total < selected) return { capHit: true, components, sponsored: noFees, total: 0n, totals };
  return { capHit: total < selected, components, sponsored, total, totals };
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** Buckets without fees. */
export const noFees: FeeBuckets = { app: 0n, execution: 0n, relay: 0n, rent: 0n, swap: 0n };
