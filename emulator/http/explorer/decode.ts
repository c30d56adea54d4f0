import { type Abi, decodeEventLog, type Hex, parseAbi } from "viem";
import { localDollarAbi } from "../../../src/abi/LocalDollar.ts";
import { localWrappedNativeAbi } from "../../../src/abi/LocalWrappedNative.ts";
import { multicall3Abi } from "../../../src/abi/Multicall3.ts";
import { relayApprovalProxyV2_1Abi } from "../../../src/abi/RelayApprovalProxyV2_1.ts";
import { relayApprovalProxyV3Abi } from "../../../src/abi/RelayApprovalProxyV3.ts";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import { relayReceiverAbi } from "../../../src/abi/RelayReceiver.ts";
import { relayRouterV2_1Abi } from "../../../src/abi/RelayRouterV2_1.ts";
import { relayRouterV3Abi } from "../../../src/abi/RelayRouterV3.ts";
import { decodeCall } from "../../../src/calls/decodeCall.ts";

/** Everything that the emulator deploys, as far as its transactions call it. */
const knownAbi: Abi = [
  ...relayDepositoryAbi,
  ...relayReceiverAbi,
  ...relayRouterV3Abi,
  ...relayRouterV2_1Abi,
  ...relayApprovalProxyV3Abi,
  ...relayApprovalProxyV2_1Abi,
  ...localDollarAbi,
  ...localWrappedNativeAbi,
  ...multicall3Abi,
  ...parseAbi([
    "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
    "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
    "event Sync(uint112 reserve0, uint112 reserve1)",
  ]),
];

/** Longest text of one value: calldata may hold hundreds of kilobytes. */
const longestText = 2_000;

/** A call or an event by its name, with its arguments as text. */
export type Decoded = {
  readonly name: string;
  readonly args: readonly string[];
  /** Bytes behind the arguments of a call. */
  readonly tag?: Hex;
};

/** A call of a function that the emulator's contracts have; undefined for any other. */
export function decodeKnownCall(data: Hex): Decoded | undefined {
  const call = decodeCall(knownAbi, data);
  if (call === undefined) return undefined;
  return { args: (call.args ?? []).map(valueText), name: call.functionName, tag: call.tag };
}

/** An event that the emulator's contracts have; undefined for any other. */
export function decodeKnownEvent(log: { data: Hex; topics: readonly Hex[] }): Decoded | undefined {
  try {
    const topics = log.topics as [Hex, ...Hex[]];
    const { args, eventName } = decodeEventLog({ abi: knownAbi, data: log.data, topics });
    const values = Object.entries(args ?? {}).map(([name, value]) => `${name}: ${valueText(value)}`);
    return { args: values, name: eventName ?? "" };
  } catch {
    return undefined;
  }
}

/** A value of an ABI on one line, cut where it gets long. */
export function valueText(value: unknown): string {
  const text = typeof value === "object" ? JSON.stringify(value, bigintText) : String(value);
  const rest = text.length - longestText;
  return rest <= 0 ? text : `${text.slice(0, longestText)}… (${rest} more characters)`;
}

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
