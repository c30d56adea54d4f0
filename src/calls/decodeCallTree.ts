import { type Abi, erc20Abi, erc4626Abi, type Hex, slice } from "viem";
import { decodeCall } from "./decodeCall.ts";
import { proxyFunctions, serviceFunctions } from "./serviceFunctions.ts";

/** A decoded call. */
export type CallTree = {
  readonly selector: Hex;
  /** `undefined` for an unknown function. */
  readonly functionName: string | undefined;
  readonly args: readonly { readonly name: string; readonly type: string; readonly value: string }[];
  /** Bytes after the arguments, such as a request id. */
  readonly tag: Hex | undefined;
  /** Calls within the call. */
  readonly calls: readonly CallTree[];
};

/** Functions of the service, the proxy and tokens. */
export const usualAbis: readonly Abi[] = [serviceFunctions, proxyFunctions, erc20Abi, erc4626Abi];
const selectorBytes = 4;
/** Calls in calls, deeper than any that the service makes. */
const deepest = 8;

/** Decodes calldata by the first fitting function, and the calls that its arguments hold. */
export function decodeCallTree(data: Hex, abis = usualAbis, depth = 0): CallTree {
  const selector = data.length < 10 ? data : slice(data, 0, selectorBytes);
  const decoded = abis.map((abi) => decodeCall(abi, data)).find((each) => each !== undefined);
  if (decoded === undefined)
    return { args: [], calls: [], functionName: undefined, selector, tag: undefined };
  const values: readonly unknown[] = decoded.args ?? [];
  const inner = depth < deepest ? values.flatMap(callsIn) : [];
  return {
    args: decoded.item.inputs.map(({ name = "", type }, i) => ({ name, type, value: show(values[i]) })),
    calls: inner.map((each) => decodeCallTree(each, abis, depth + 1)),
    functionName: decoded.item.name,
    selector,
    tag: decoded.tag === "0x" ? undefined : decoded.tag,
  };
}

/** Calldata of calls in an argument: members called `callData` or `data`. */
function callsIn(value: unknown): readonly Hex[] {
  if (Array.isArray(value)) return value.flatMap(callsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const isCalldata =
      (name === "callData" || name === "data") && typeof member === "string" && member.length >= 10;
    return isCalldata ? [member as Hex] : callsIn(member);
  });
}

function show(value: unknown): string {
  if (typeof value === "string" || typeof value === "bigint") return value.toString();
  return JSON.stringify(value, (_, each) => (typeof each === "bigint" ? each.toString() : each)) ?? "";
}
