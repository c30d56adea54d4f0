import {
  type Abi,
  type DecodeFunctionDataReturnType,
  decodeFunctionData,
  encodeAbiParameters,
  getAbiItem,
  type Hex,
  slice,
} from "viem";

/** Calldata of a function that is known, and what stands behind its arguments: a tag, or nothing. */
export type DecodedCall<abi extends Abi> = DecodeFunctionDataReturnType<abi> & { readonly tag: Hex };

/**
 * Reads calldata strictly: what a decoder would forgive (dirty words, arguments in unusual places) is not taken for the
 * function it resembles.
 *
 * @returns `undefined` when no function of the ABI is called in this very form.
 *
 * @example
 * decodeCall(serviceFunctions, "0x095ea7b3"); // undefined: the arguments are missing
 */
export function decodeCall<const abi extends Abi>(abi: abi, data: Hex): DecodedCall<abi> | undefined {
  try {
    const call = decodeFunctionData({ abi: abi as Abi, data });
    const selector = slice(data, 0, 4);
    const item = getAbiItem({ abi: abi as Abi, name: selector });
    if (item?.type !== "function") return undefined;
    const plain = `${selector}${encodeAbiParameters(item.inputs, call.args ?? []).slice(2)}`.toLowerCase();
    if (!data.toLowerCase().startsWith(plain)) return undefined;
    return { ...call, tag: `0x${data.slice(plain.length)}` } as DecodedCall<abi>;
  } catch {
    return undefined;
  }
}
