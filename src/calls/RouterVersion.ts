import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { show } from "../internal/show.ts";

/** Which router executes the calls; the sweeping functions differ. */
export type RouterVersion = "v2.1" | "v3";

/**
 * Reads the version of the router; v3 by default.
 *
 * @throws InvalidParameterError when it is neither of the two.
 *
 * @example
 * readRouterVersion(undefined); // "v3"
 */
export function readRouterVersion(value: unknown): RouterVersion {
  if (value === undefined) return "v3";
  if (value === "v2.1" || value === "v3") return value;
  throw new InvalidParameterError({
    parameter: "routerVersion",
    reason: `"${show(value)}" is neither v2.1 nor v3`,
  });
}
