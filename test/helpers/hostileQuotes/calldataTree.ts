import {
  type AbiFunction,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  isHex,
  parseAbi,
  toFunctionSelector,
} from "viem";
import { localWrappedNativeAbi } from "../../../src/abi/LocalWrappedNative.ts";
import { outputGuardAbi } from "../../../src/abi/OutputGuard.ts";
import { relayApprovalProxyV2_1Abi } from "../../../src/abi/RelayApprovalProxyV2_1.ts";
import { relayApprovalProxyV3Abi } from "../../../src/abi/RelayApprovalProxyV3.ts";
import { serviceFunctions } from "../../../src/calls/serviceFunctions.ts";

const swaps = parseAbi([
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)",
  "function swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline)",
  "function swapTokensForExactETH(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)",
]);

/** Functions that honest quotes call. Calldata of other functions is changed word by word. */
const functions: readonly { readonly type: string }[] = [
  ...[...serviceFunctions, ...relayApprovalProxyV2_1Abi, ...relayApprovalProxyV3Abi],
  ...[...outputGuardAbi, ...localWrappedNativeAbi, ...swaps],
];
const bySelector = new Map(
  functions
    .filter((item): item is AbiFunction => item.type === "function")
    .map((item) => [toFunctionSelector(item), item]),
);

/**
 * A call whose arguments are open to mutation; integers are decimal text. `$tag` holds the bytes after the arguments.
 */
type CallNode = { $call: Hex; args: unknown[]; $tag: Hex };
/** Calldata of an unknown function. */
type WordsNode = { $words: Hex[]; $selector: Hex };

/** Opens all calldata in a value, nested calls included. */
export function openCalldata(value: unknown): unknown {
  if (typeof value === "string") return openText(value);
  if (Array.isArray(value)) return value.map(openCalldata);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, openCalldata(field)]));
}

/**
 * Encodes the output of {@link openCalldata}.
 *
 * @throws When a mutated argument does not fit its type.
 */
export function closeCalldata(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeCalldata);
  if (typeof value !== "object" || value === null) return value;
  if ("$call" in value) return encode(value as CallNode);
  if ("$words" in value) {
    const { $selector, $words } = value as WordsNode;
    return `${$selector}${$words.map((word) => word.slice(2)).join("")}`;
  }
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, closeCalldata(field)]));
}

function openText(text: string): unknown {
  if (!isHex(text) || text.length < 10 || text.length === 66 || text.length === 42) return text;
  if (text.length === 132 && !bySelector.has(text.slice(0, 10) as Hex)) return text;
  const selector = text.slice(0, 10).toLowerCase() as Hex;
  return decode(selector, `0x${text.slice(10)}`, text) ?? text;
}

function decode(selector: Hex, data: Hex, text: string): CallNode | WordsNode | undefined {
  const item = bySelector.get(selector);
  if (item === undefined) return wordsOf(selector, data);
  try {
    const args = decodeAbiParameters(item.inputs, data);
    const plain = encodeAbiParameters(item.inputs, args as readonly unknown[]);
    if (!data.toLowerCase().startsWith(plain)) return wordsOf(selector, data);
    const opened = openCalldata(toText(args)) as unknown[];
    return { $call: selector, $tag: `0x${text.slice(8 + plain.length)}`, args: opened };
  } catch {
    return wordsOf(selector, data);
  }
}

function wordsOf($selector: Hex, data: Hex): WordsNode | undefined {
  if ((data.length - 2) % 64 !== 0 || data.length === 2) return undefined;
  const $words = [...data.slice(2).matchAll(/.{64}/g)].map(([word]) => `0x${word}` as Hex);
  return { $selector, $words };
}

function encode({ $call, $tag, args }: CallNode): string {
  const item = bySelector.get($call);
  if (item === undefined) throw new Error(`no function ${$call}`);
  const encoded = encodeAbiParameters(item.inputs, closeCalldata(args) as unknown[]);
  return `${$call}${encoded.slice(2)}${$tag.slice(2)}`;
}

/** Integers as text, as everywhere else in a quote. */
function toText(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return value.map(toText);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toText(field)]));
}
