import type { QuoteDetails, QuoteFees } from "../../../src/schema/quote/quote.ts";
import type { Chain, RouterVersion } from "../../chains/Chain.ts";
import type { Place } from "../../context/places.ts";
import type { PermitWay } from "../../requests/Intent.ts";
import type { ReadIntent } from "../request/readIntent.ts";
import type { AskedSponsorship } from "../sponsorship/readSponsorship.ts";
import type { Amounts } from "./computeAmounts.ts";
import type { Route } from "./planRoute.ts";

/** A request with its route and amounts. */
export type PricedRoute<Origin extends Place = Chain> = {
  readonly read: ReadIntent<Origin>;
  readonly route: Route;
  readonly amounts: Amounts;
  readonly routerVersion: RouterVersion;
  /** The user's way to pay by signature; `undefined` if the request has no `usePermit` or the currency is native. */
  readonly permit: PermitWay | undefined;
  /** The sponsorship that the request asks for. */
  readonly sponsorship?: AskedSponsorship | undefined;
};

/** A priced request before it is stored. */
export type PricedIntent<Origin extends Place = Chain> = PricedRoute<Origin> & {
  readonly fees: QuoteFees;
  readonly details: QuoteDetails;
  /** Gas of the same-chain transaction if it was simulated, else zero. */
  readonly ownGas: bigint;
};
