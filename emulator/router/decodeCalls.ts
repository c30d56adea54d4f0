import {
  type Abi,
  type AbiParameter,
  decodeEventLog,
  decodeFunctionData,
  erc20Abi,
  type Hex,
  type Log,
  parseAbi,
  toFunctionSelector,
} from "viem";
import * as z from "zod";
import * as abis from "../../src/abi/index.ts";
import { serviceFunctions } from "../../src/calls/serviceFunctions.ts";

/** Calls of pools and Permit2 that transactions of the emulator make. */
const otherFunctions = parseAbi([
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable",
  "function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)",
  "function swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline) payable",
  "function swapTokensForExactETH(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)",
  "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
  "event Sync(uint112 reserve0, uint112 reserve1)",
]);

/** All functions and events that are known without a network, the most specific first. */
const known: Abi = [
  ...serviceFunctions,
  ...erc20Abi,
  ...otherFunctions,
  ...Object.values(abis).flatMap((abi): Abi => (Array.isArray(abi) ? (abi as unknown as Abi) : [])),
];

const functions = new Map<string, Abi>();
for (const item of known) {
  if (item.type !== "function") continue;
  const selector = toFunctionSelector(item);
  if (!functions.has(selector)) functions.set(selector, [item]);
}

/** An argument. Tuples and lists have fields; bytes that are a known call have the call. */
export type Argument = {
  readonly name: string;
  readonly type: string;
  readonly value?: string | undefined;
  readonly fields?: readonly Argument[] | undefined;
  readonly call?: DecodedCall | undefined;
};

/** A call or an event with the names of its arguments. */
export type DecodedCall = { readonly name: string; readonly arguments: readonly Argument[] };

export const argumentSchema: z.ZodType<Argument> = z.strictObject({
  get call() {
    return decodedSchema.optional();
  },
  get fields() {
    return z.array(argumentSchema).optional();
  },
  name: z.string(),
  type: z.string(),
  value: z.string().optional(),
});
export const decodedSchema: z.ZodType<DecodedCall> = z.strictObject({
  arguments: z.array(argumentSchema),
  name: z.string(),
});

/** Calldata of a known function, with the calls inside it. */
export function decodeKnownCall(data: Hex): DecodedCall | undefined {
  const abi = functions.get(data.slice(0, 10).toLowerCase());
  const [item] = abi ?? [];
  if (abi === undefined || item?.type !== "function") return undefined;
  try {
    const { args = [] } = decodeFunctionData({ abi, data });
    return { arguments: argumentsOf(item.inputs, args as readonly unknown[]), name: item.name };
  } catch {
    return undefined;
  }
}

/** A log of a known event. */
export function decodeKnownEvent({ data, topics }: Pick<Log, "data" | "topics">): DecodedCall | undefined {
  try {
    const { args = {}, eventName } = decodeEventLog({ abi: known, data, topics });
    const item = known.find((each) => each.type === "event" && each.name === eventName);
    const inputs = item?.type === "event" ? item.inputs : [];
    const values = inputs.map(({ name }) => (args as Readonly<Record<string, unknown>>)[name ?? ""]);
    return { arguments: argumentsOf(inputs, values), name: eventName ?? "" };
  } catch {
    return undefined;
  }
}

function argumentsOf(parameters: readonly AbiParameter[], values: readonly unknown[]): readonly Argument[] {
  return parameters.map((parameter, place) => argumentOf(parameter, values[place], String(place)));
}

function argumentOf(parameter: AbiParameter, value: unknown, place: string): Argument {
  const { type } = parameter;
  const common = { name: parameter.name || place, type };
  if (type.endsWith("]")) {
    const item = { ...parameter, name: "", type: type.slice(0, type.lastIndexOf("[")) };
    const fields = (value as readonly unknown[]).map((each, index) => argumentOf(item, each, String(index)));
    return { ...common, fields };
  }
  if ("components" in parameter) {
    const fields = parameter.components.map((each) =>
      argumentOf(each, (value as Readonly<Record<string, unknown>>)[each.name ?? ""], ""),
    );
    return { ...common, fields };
  }
  const call = type === "bytes" ? decodeKnownCall(value as Hex) : undefined;
  return { ...common, ...(call && { call }), value: String(value) };
}
