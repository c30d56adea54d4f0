import type { QuoteDetails, QuoteFees } from "../../../src/schema/quote.ts";
import type { RouterVersion } from "../../chains/RouterVersion.ts";
import type { PermitWay } from "../../requests/PermitTerms.ts";
import type { ReadIntent } from "../request/readIntent.ts";
import type { Amounts } from "./computeAmounts.ts";
import type { Route } from "./planRoute.ts";

/** A request with the way its money takes and the amounts on it. */
export type PricedRoute = {
  readonly read: ReadIntent;
  readonly route: Route;
  readonly amounts: Amounts;
  readonly routerVersion: RouterVersion;
  /** How the user pays by signature; `undefined` where nobody asked for that, or there is nothing to sign. */
  readonly permit: PermitWay | undefined;
};

/** A request with everything that follows from it, before anything is promised. */
export type PricedIntent = PricedRoute & {
  readonly fees: QuoteFees;
  readonly details: QuoteDetails;
  /** Gas of the user's own transaction, where it was run; else zero. */
  readonly ownGas: bigint;
};
