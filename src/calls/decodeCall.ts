import {
  type Abi,
  type AbiFunction,
  type DecodeFunctionDataReturnType,
  encodeAbiParameters,
  type Hex,
  slice,
  toFunctionSelector,
} from "viem";
import { decodeCanonical } from "./decodeCanonical.ts";

/** Calldata of a known function. */
export type DecodedCall<abi extends Abi> = DecodeFunctionDataReturnType<abi> & {
  /** The called function; the name alone may be overloaded. */
  readonly item: AbiFunction;
  /** Bytes after the arguments; `0x` without any. */
  readonly tag: Hex;
};

/**
 * Decodes calldata strictly: rejects dirty words and non-canonical argument offsets.
 *
 * @returns `undefined` when the calldata is no canonical encoding of a function of the ABI.
 */
export function decodeCall<const abi extends Abi>(abi: abi, data: Hex): DecodedCall<abi> | undefined {
  try {
    const selector = slice(data, 0, 4).toLowerCase();
    const item = indexFunctions(abi).get(selector);
    if (item === undefined) return undefined;
    const args = item.inputs.length > 0 ? decodeCanonical(item.inputs, slice(data, 4)) : undefined;
    const plain = `${selector}${encodeAbiParameters(item.inputs, args ?? []).slice(2)}`.toLowerCase();
    if (!data.toLowerCase().startsWith(plain)) return undefined;
    const tag: Hex = `0x${data.slice(plain.length)}`;
    return { args, functionName: item.name, item, tag } as unknown as DecodedCall<abi>;
  } catch {
    return undefined;
  }
}

type Functions = ReadonlyMap<string, AbiFunction>;

/** Selectors are cached: hashing every signature for each call takes longer than reading the rest of a quote. */
const known = new WeakMap<Abi, Functions>();

function indexFunctions(abi: Abi): Functions {
  const found = known.get(abi);
  if (found !== undefined) return found;
  const functions = abi.filter((item) => item.type === "function");
  const selectors = new Map(functions.map((item) => [toFunctionSelector(item) as string, item]));
  known.set(abi, selectors);
  return selectors;
}
