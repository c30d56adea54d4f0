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
  isHex,
  size,
  stringToBytes,
} from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readList } from "../internal/readParts.ts";
import { show } from "../internal/show.ts";
import { LiveBalance, type WithLiveBalances } from "./liveBalance.ts";

const selectorBytes = 4;
const wordBytes = 32;

/** Position of a live balance in calldata; `Splice` of the contracts. */
export type Splice = {
  /** First byte of the 32-byte word, counted from the first byte of the selector. */
  readonly offset: number;
  /** The zero address is the native currency. */
  readonly token: Address;
};

type Mutability = "nonpayable" | "payable";

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
 * Encodes a call with live balances among its arguments, at any depth of tuples and arrays. Computes each offset from
 * the ABI's types and the other arguments.
 *
 * @param parameters ABI, function and arguments.
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
    const plainArgs = args.map(withZeros);
    const item = getAbiItem({ abi, args: plainArgs, name: functionName }) as AbiFunction;
    assertPlaces(item.inputs, args);
    const data = encodeFunctionData({ abi, args: plainArgs, functionName });
    const splices: Splice[] = [];
    locateInTuple(item.inputs, args, selectorBytes, splices);
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

function withZeros(value: unknown): unknown {
  if (value instanceof LiveBalance) return 0n;
  if (Array.isArray(value)) return value.map(withZeros);
  if (typeof value === "object" && value !== null && !(value instanceof Uint8Array)) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withZeros(member)]));
  }
  return value;
}

/** Rejects live balances in places of other types than `uint256`, with a better error than the encoder's. */
function assertPlaces(parameters: readonly AbiParameter[], values: readonly unknown[]): void {
  for (const [index, parameter] of parameters.entries()) {
    const value = values[index];
    if (value instanceof LiveBalance) {
      if (parameter.type === "uint256") continue;
      throw new InvalidParameterError({
        parameter: parameter.name || "args",
        reason: `a live balance is a uint256, not a ${parameter.type}`,
      });
    }
    const array = arrayOf(parameter);
    const components = componentsOf(parameter);
    if (array !== undefined) {
      if (Array.isArray(value))
        assertPlaces(
          value.map(() => array.element),
          value,
        );
    } else if (components !== undefined && typeof value === "object" && value !== null) {
      assertPlaces(components, tupleValues(components, value));
    }
  }
}

/** Walks the members of a tuple that begins at `position`. Returns the bytes of heads and tails together. */
function locateInTuple(
  parameters: readonly AbiParameter[],
  values: readonly unknown[],
  position: number,
  splices: Splice[],
): number {
  let head = 0;
  let tail = parameters.reduce((bytes, parameter) => bytes + headBytes(parameter), 0);
  for (const [index, parameter] of parameters.entries()) {
    if (isDynamic(parameter)) {
      tail += locate(parameter, values[index], position + tail, splices);
    } else {
      locate(parameter, values[index], position + head, splices);
    }
    head += headBytes(parameter);
  }
  return tail;
}

/** Walks a value that begins at `position`. Returns the bytes of its encoding. */
function locate(parameter: AbiParameter, value: unknown, position: number, splices: Splice[]): number {
  if (value instanceof LiveBalance) {
    splices.push({ offset: position, token: value.token });
    return wordBytes;
  }
  const array = arrayOf(parameter);
  if (array !== undefined) {
    const items = value as readonly unknown[];
    const elements = items.map(() => array.element);
    const lengthBytes = array.length === undefined ? wordBytes : 0;
    return lengthBytes + locateInTuple(elements, items, position + lengthBytes, splices);
  }
  const components = componentsOf(parameter);
  if (components !== undefined) {
    return locateInTuple(components, tupleValues(components, value), position, splices);
  }
  if (parameter.type === "bytes" || parameter.type === "string") {
    return wordBytes + Math.ceil(byteLength(parameter.type, value) / wordBytes) * wordBytes;
  }
  return wordBytes;
}

/** The type decides: a string that looks like hex is encoded by its characters. */
function byteLength(type: "bytes" | "string", value: unknown): number {
  return type === "bytes" && isHex(value) ? size(value) : stringToBytes(String(value)).length;
}

/** Tuple values come by position, or by name when all members are named. */
function tupleValues(components: readonly AbiParameter[], value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const members = value as Record<string, unknown>;
  return components.map((component) => members[component.name ?? ""]);
}

function arrayOf(parameter: AbiParameter): { element: AbiParameter; length: number | undefined } | undefined {
  const match = /^(.*)\[(\d*)\]$/.exec(parameter.type);
  if (match === null) return undefined;
  const [, type = "", length = ""] = match;
  return { element: { ...parameter, type }, length: length === "" ? undefined : Number(length) };
}

function componentsOf(parameter: AbiParameter): readonly AbiParameter[] | undefined {
  return "components" in parameter ? parameter.components : undefined;
}

function isDynamic(parameter: AbiParameter): boolean {
  if (parameter.type === "bytes" || parameter.type === "string") return true;
  const array = arrayOf(parameter);
  if (array !== undefined) return array.length === undefined || isDynamic(array.element);
  return componentsOf(parameter)?.some(isDynamic) ?? false;
}

/** Bytes of a parameter's head: a pointer when dynamic, else the whole value. */
function headBytes(parameter: AbiParameter): number {
  if (isDynamic(parameter)) return wordBytes;
  const array = arrayOf(parameter);
  if (array !== undefined) return (array.length ?? 0) * headBytes(array.element);
  return componentsOf(parameter)?.reduce((bytes, component) => bytes + headBytes(component), 0) ?? wordBytes;
}
