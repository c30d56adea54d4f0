import { concat, encodeFunctionData, type Hex } from "viem";
import { decodeCall } from "../decodeCall.ts";
import { proofFunctions } from "./proofFunctions.ts";
import type { RoutedCall } from "./Routed.ts";

/** Which argument holds the calls. */
const places: Readonly<Record<string, number>> = {
  multicall: 0,
  permitTransferAndMulticall: 1,
  transferAndMulticall: 2,
};

/**
 * Calldata of a router or an approval proxy with other calls in it, and everything else as it was.
 *
 * @returns `undefined` when it is of another function.
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
