import { parseUnits } from "viem";

/** Settings of the service that can change while it runs. */
export type EmulatorConfig = {
  /** Generation of the routers that quotes use. */
  readonly routerVersion: "v3" | "v2.1";
  /** Whether the service's rate limits apply. */
  readonly rateLimits: boolean;
  /** Amount that the solver lends to one request: dollars, as a decimal number. */
  readonly capacityPerRequest: string;
  /** Amount that the solver advances to one fast fill: dollars, as a decimal number. */
  readonly advancePerRequest: string;
  /** Amount that the solver advances to the fast fills of one API key, until deposits pay it back: dollars. */
  readonly advancePerKey: string;
  /** Whether requests that the service documents as refused, or as left without a refund, work; see `docs/reference/conformance.md`. */
  readonly lenient: boolean;
  /** Whether webhook targets on other machines are allowed. */
  readonly allowRemoteWebhooks: boolean;
  /** Whether the chains keep the state of each block for reorgs, at some memory for each block. */
  readonly reorgs: boolean;
  /** Time from which `GET /requests/v2` answers 410: a date and time (ISO 8601, UTC), or `never`. */
  readonly requestsV2Sunset: string;
};

export const defaultConfig: EmulatorConfig = {
  advancePerKey: "50000",
  advancePerRequest: "10000",
  allowRemoteWebhooks: false,
  capacityPerRequest: "10000000",
  lenient: false,
  rateLimits: false,
  reorgs: false,
  // Specification, "Versioning".
  requestsV2Sunset: "2026-11-24T00:00:00.000Z",
  routerVersion: "v3",
};

/** A change of some fields. */
export type ConfigChange = { readonly [Key in keyof EmulatorConfig]?: EmulatorConfig[Key] | undefined };

/** Sunset of `GET /requests/v2` in Unix milliseconds; infinity for `never`. */
export function sunsetOf({ requestsV2Sunset }: Pick<EmulatorConfig, "requestsV2Sunset">): number {
  return requestsV2Sunset === "never" ? Number.POSITIVE_INFINITY : Date.parse(requestsV2Sunset);
}

/** Amount that the solver lends to one request, in units of 1e-18 dollars. */
export function capacityOf({ capacityPerRequest }: Pick<EmulatorConfig, "capacityPerRequest">): bigint {
  return parseUnits(capacityPerRequest, 18);
}

/** Amount that the solver advances to one fast fill, in units of 1e-18 dollars. */
export function advancePerRequestOf({
  advancePerRequest,
}: Pick<EmulatorConfig, "advancePerRequest">): bigint {
  return parseUnits(advancePerRequest, 18);
}

/** Amount that the solver advances to one API key, in units of 1e-18 dollars. */
export function advancePerKeyOf({ advancePerKey }: Pick<EmulatorConfig, "advancePerKey">): bigint {
  return parseUnits(advancePerKey, 18);
}
