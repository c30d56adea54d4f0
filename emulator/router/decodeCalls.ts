import { type Abi, type AbiEvent, decodeEventLog, type Hex, type Log, parseAbi, toEventSelector } from "viem";
import * as z from "zod";
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
const events = Map.groupBy(
  known.flat().filter((item): item is AbiEvent => item.type === "event"),
  (item) => toEventSelector(item),
);

const argument = z.strictObject({ name: z.string(), type: z.string(), value: z.string() });

/** A call or an event with the names of its arguments. Lists and tuples are JSON. */
export const decodedSchema: z.ZodType<Decoded> = z.strictObject({
  args: z.array(argument),
  /** Calls within the call. */
  get calls() {
    return z.array(decodedSchema).optional();
  },
  name: z.string(),
});
export type Decoded = {
  readonly args: readonly z.output<typeof argument>[];
  readonly calls?: readonly Decoded[] | undefined;
  readonly name: string;
};

/** Calldata of a known function, with the calls inside it; `null` for another. */
export function decodeKnownCall(data: Hex): Decoded | null {
  const tree = decodeCallTree(data, known);
  return tree.functionName === undefined ? null : toDecoded(tree);
}

function toDecoded({ args, calls, functionName, selector }: CallTree): Decoded {
  return { args, calls: calls.map(toDecoded), name: functionName ?? selector };
}

/** A log of a known event; `null` for another. Events of one selector differ in what they index. */
export function decodeKnownEvent({ data, topics }: Pick<Log, "data" | "topics">): Decoded | null {
  for (const item of events.get(topics[0] ?? "0x") ?? []) {
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
