import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { show } from "../internal/show.ts";

/** Version of the router. Each version has its own sweep functions. */
export type RouterVersion = "v2.1" | "v3";

/**
 * Parses a router version. Default: `v3`.
 *
 * @throws InvalidParameterError for any other value.
 */
export function readRouterVersion(value: unknown): RouterVersion {
  if (value === undefined) return "v3";
  if (value === "v2.1" || value === "v3") return value;
  throw new InvalidParameterError({
    parameter: "routerVersion",
    reason: `"${show(value)}" is neither v2.1 nor v3`,
  });
}

/** Arguments of a router's function: version 3 takes metadata behind those of version 2.1. */
export function withMetadata(args: readonly unknown[], version: RouterVersion): readonly unknown[] {
  return version === "v3" ? [...args, "0x"] : args;
}
