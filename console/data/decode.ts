import {
  type Abi,
  type AbiEvent,
  decodeErrorResult,
  decodeEventLog,
  type Hex,
  type Log,
  parseAbi,
  toEventSelector,
  toFunctionSelector,
} from "viem";
import * as abis from "../../src/abi/index.ts";
import { type CallTree, decodeCallTree, usualAbis } from "../../src/calls/decodeCallTree.ts";

/** Calls and events of the pools. */
const poolAbi = parseAbi([
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable",
  "function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)",
  "function swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline) payable",
  "function swapTokensForExactETH(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)",
  "function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)",
  "function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)",
  "function getPair(address tokenA, address tokenB) view returns (address pair)",
  "function sync()",
  "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
  "event Sync(uint112 reserve0, uint112 reserve1)",
]);

/** All functions and events that are known without a network, the most usual first. */
const known: readonly Abi[] = [
  ...usualAbis,
  poolAbi,
  ...(Object.values(abis).filter(Array.isArray) as unknown as readonly Abi[]),
];
/** Hashed at the first use: a list of requests needs none of them. */
let hashed: ReturnType<typeof hashNames> | undefined;

function hashNames() {
  const items = known.flat();
  const events = items.filter((item): item is AbiEvent => item.type === "event");
  const functions = items.filter((item) => item.type === "function");
  return {
    errors: items.filter((item) => item.type === "error"),
    events: Map.groupBy(events, (item) => toEventSelector(item)),
    functions: new Map(functions.map((item) => [toFunctionSelector(item) as string, item.name])),
  };
}

const names = () => (hashed ??= hashNames());

/** A call or an event with the names of its arguments. Lists and tuples are JSON. */
export type Decoded = {
  readonly name: string;
  readonly args: readonly { readonly name: string; readonly type: string; readonly value: string }[];
  /** Calls within the call. */
  readonly calls?: readonly Decoded[];
};

/** The name of a known function by its selector; another text as it is. */
export function functionName(selector: string): string {
  return names().functions.get(selector) ?? selector;
}

/** Calldata of a known function, with the calls in its arguments, or an action of the perps exchange; `null` for another. */
export function decodeCalldata(data: string): Decoded | null {
  if (data.startsWith("{")) {
    const { action } = JSON.parse(data) as { readonly action: Readonly<Record<string, unknown>> };
    const { type, ...fields } = action;
    const args = Object.entries(fields).map(([name, value]) => ({ name, type: "", value: String(value) }));
    return { args, name: String(type) };
  }
  const tree = decodeCallTree(data as Hex, known);
  return tree.functionName === undefined ? null : toDecoded(tree);
}

function toDecoded({ args, calls, functionName, selector }: CallTree): Decoded {
  return { args, calls: calls.map(toDecoded), name: functionName ?? selector };
}

/** A log of a known event; `null` for another. Events of one selector differ in what they index. */
export function decodeEvent({ data, topics }: Pick<Log, "data" | "topics">): Decoded | null {
  for (const item of names().events.get(topics[0] ?? "0x") ?? []) {
    try {
      const { args = {} } = decodeEventLog({ abi: [item], data, topics });
      const values = args as Readonly<Record<string, unknown>>;
      return {
        args: item.inputs.map(({ name = "", type }) => ({ name, type, value: String(values[name]) })),
        name: item.name,
      };
    } catch {
      // The next one may fit.
    }
  }
  return null;
}

/** Revert data as `Name(arguments)`; as it is for an unknown error. */
export function describeRevert(data: Hex): string {
  try {
    const { args = [], errorName } = decodeErrorResult({ abi: names().errors, data });
    return `${errorName}(${args.map(String).join(", ")})`;
  } catch {
    return data;
  }
}
