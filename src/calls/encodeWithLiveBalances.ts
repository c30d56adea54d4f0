import {
  type Abi,
  type AbiFunction,
  type AbiParameter,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  maxUint256,
} from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readList } from "../internal/readParts.ts";
import { show } from "../internal/show.ts";
import type { Mutability } from "./contractCall.ts";
import { LiveBalance, type WithLiveBalances } from "./liveBalance.ts";

/** Position of a live balance in calldata; `Splice` of the contracts. */
export type Splice = {
  /** First byte of the 32-byte word, counted from the first byte of the selector. */
  readonly offset: number;
  /** The zero address is the native currency. */
  readonly token: Address;
};

export type EncodeWithLiveBalancesParameters<
  abi extends Abi | readonly unknown[] = Abi,
  functionName extends ContractFunctionName<abi, Mutability> = ContractFunctionName<abi, Mutability>,
> = {
  abi: abi;
  functionName: functionName;
  args: WithLiveBalances<ContractFunctionArgs<abi, Mutability, functionName>>;
};

export type EncodeWithLiveBalancesReturnType = {
  /** Calldata with a zero word where each live balance goes. */
  readonly data: Hex;
  readonly splices: readonly Splice[];
};

/**
 * Encodes a call with live balances among its arguments, at any depth of tuples and arrays. Finds the offset of each by
 * encoding the call with another amount in its place.
 *
 * @returns The calldata and the positions of the balances.
 * @throws {InvalidParameterError} When an argument does not fit the ABI, or a live balance takes the place of another
 * type than `uint256`.
 *
 * @example
 * import { parseAbi } from "viem";
 * import { balanceOf, encodeWithLiveBalances } from "waybill";
 *
 * const { data, splices } = encodeWithLiveBalances({
 *   abi: parseAbi(["function deposit(uint256 assets, address receiver) returns (uint256)"]),
 *   args: [balanceOf("0x5FbDB2315678afecb367f032d93F642f64180aa3"), "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"],
 *   functionName: "deposit",
 * });
 * splices[0].offset; // 4: the first argument, right after the selector
 */
export function encodeWithLiveBalances<
  const abi extends Abi | readonly unknown[],
  functionName extends ContractFunctionName<abi, Mutability>,
>(parameters: EncodeWithLiveBalancesParameters<abi, functionName>): EncodeWithLiveBalancesReturnType {
  const abi = parameters.abi as Abi;
  const functionName: string = parameters.functionName;
  const args = readList(parameters.args, "args", (arg) => arg);
  try {
    const balances: LiveBalance[] = [];
    const collect = (balance: LiveBalance) => {
      balances.push(balance);
      return 0n;
    };
    const plainArgs = args.map((arg) => fill(arg, collect));
    const item = getAbiItem({ abi, args: plainArgs, name: functionName }) as AbiFunction;
    for (const [index, input] of item.inputs.entries()) assertPlace(input, args[index]);
    const encode = (filled: readonly unknown[]) =>
      encodeFunctionData({ abi: [item], args: filled, functionName });
    const data = encode(plainArgs);
    const splices = balances.map(({ token }, marked) => {
      let place = 0;
      const amount = () => (place++ === marked ? maxUint256 : 0n);
      return { offset: firstDifference(data, encode(args.map((arg) => fill(arg, amount)))), token };
    });
    // Ascending, as the contract requires: it detects overlaps by the order.
    return { data, splices: splices.sort((a, b) => a.offset - b.offset) };
  } catch (cause) {
    if (cause instanceof InvalidParameterError) throw cause;
    throw new InvalidParameterError({
      cause,
      parameter: "args",
      reason: `they do not fit \`${show(functionName)}\``,
    });
  }
}

/** Replaces the live balances of a value, each by an amount. */
function fill(value: unknown, amount: (balance: LiveBalance) => bigint): unknown {
  if (value instanceof LiveBalance) return amount(value);
  if (Array.isArray(value)) return value.map((item) => fill(item, amount));
  if (typeof value === "object" && value !== null && !(value instanceof Uint8Array)) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fill(member, amount)]));
  }
  return value;
}

/** Rejects live balances in places of other types than `uint256`, with a better error than the encoder's. */
function assertPlace(parameter: AbiParameter, value: unknown): void {
  if (value instanceof LiveBalance) {
    if (parameter.type === "uint256") return;
    throw new InvalidParameterError({
      parameter: parameter.name || "args",
      reason: `a live balance is a uint256, not a ${parameter.type}`,
    });
  }
  if (typeof value !== "object" || value === null) return;
  const type = /^(.*)\[\d*\]$/.exec(parameter.type)?.[1];
  if (type !== undefined) {
    for (const item of Object.values(value)) assertPlace({ ...parameter, type }, item);
  } else if ("components" in parameter) {
    // Tuple values come by position, or by name when all members are named.
    const members = value as Readonly<Record<string, unknown>>;
    for (const [index, component] of parameter.components.entries()) {
      assertPlace(component, members[Array.isArray(value) ? index : (component.name ?? "")]);
    }
  }
}

/** First byte at which two calldata differ. A `uint256` is one whole word, whatever surrounds it. */
function firstDifference(one: Hex, other: Hex): number {
  const at = Array.from(one).findIndex((digit, index) => digit !== other[index]);
  if (at < 0) throw new Error("a live balance is in a place that the function does not have");
  return (at - 2) / 2;
}
