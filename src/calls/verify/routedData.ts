import { concat, encodeFunctionData, type Hex } from "viem";
import { decodeCall } from "../decodeCall.ts";
import type { RoutedCall } from "./OutputClaim.ts";
import { proofFunctions } from "./proofFunctions.ts";

/** Index of the argument that contains the calls. */
const places: Readonly<Record<string, number>> = {
  multicall: 0,
  permitTransferAndMulticall: 1,
  transferAndMulticall: 2,
};

/**
 * Replaces the calls in the calldata of a router or an approval proxy.
 *
 * @returns `undefined` for another function.
 *
 * @example
 * replaceCalls(data, (calls) => [...calls, guard]);
 */
export function replaceCalls(
  data: Hex,
  replace: (calls: readonly RoutedCall[]) => readonly RoutedCall[],
): Hex | undefined {
  const call = decodeCall(proofFunctions, data);
  const place = call === undefined ? undefined : places[call.functionName];
  if (call === undefined || place === undefined) return undefined;
  const args = (call.args as readonly unknown[]).map((arg, index) =>
    index === place ? replace(arg as readonly RoutedCall[]) : arg,
  );
  const encode = encodeFunctionData as (parameters: object) => Hex;
  return concat([encode({ abi: [call.item], args, functionName: call.functionName }), call.tag]);
}
