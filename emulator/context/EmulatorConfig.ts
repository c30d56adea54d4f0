import { parseUnits } from "viem";

/** How the service behaves, as far as it can be changed while it runs. */
export type EmulatorConfig = {
  /** Which routers quotes go through. */
  readonly routerVersion: "v3" | "v2.1";
  /** Whether the service's rate limits apply. */
  readonly rateLimits: boolean;
  /** What the solver lends to one request, in dollars, as a decimal number. */
  readonly capacityPerRequest: string;
  /** Whether webhooks may go to other machines. */
  readonly allowRemoteWebhooks: boolean;
  /** Whether the chains keep the state of each block, so that the last ones can be taken back. Costs some memory a block. */
  readonly reorgs: boolean;
  /** From when `GET /requests/v2` answers 410: a date and time (ISO 8601, UTC), or `never`. */
  readonly requestsV2Sunset: string;
};

export const defaultConfig: EmulatorConfig = {
  allowRemoteWebhooks: false,
  capacityPerRequest: "10000000",
  rateLimits: false,
  reorgs: false,
  // Specification, "Versioning".
  requestsV2Sunset: "2026-11-24T00:00:00.000Z",
  routerVersion: "v3",
};

/** What is to change. */
export type ConfigChange = { readonly [Key in keyof EmulatorConfig]?: EmulatorConfig[Key] | undefined };

/** From when `GET /requests/v2` is gone, in Unix milliseconds; infinity where it stays. */
export function sunsetOf({ requestsV2Sunset }: Pick<EmulatorConfig, "requestsV2Sunset">): number {
  return requestsV2Sunset === "never" ? Number.POSITIVE_INFINITY : Date.parse(requestsV2Sunset);
}

/** What the solver lends to one request, in units of 1e-18 dollars. */
export function capacityOf({ capacityPerRequest }: Pick<EmulatorConfig, "capacityPerRequest">): bigint {
  return parseUnits(capacityPerRequest, 18);
}
