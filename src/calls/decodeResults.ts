import { type Hex, parseAbiParameters } from "viem";
import { decodeCanonical } from "./decodeCanonical.ts";

const results = /* @__PURE__ */ parseAbiParameters(["(bool success, bytes returnData)[]"]);

/**
 * Results of a router's calls, one for each.
 *
 * @throws {BaseError} For data that no router returns.
 */
export function decodeResults(data: Hex): readonly { readonly success: boolean; readonly returnData: Hex }[] {
  return decodeCanonical(results, data)[0];
}
