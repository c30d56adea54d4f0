import { type AbiParameter, type AbiParametersToPrimitiveTypes, decodeAbiParameters, type Hex } from "viem";
import { BaseError } from "../errors/BaseError.ts";

const wordBytes = 32;

/**
 * Decodes ABI data whose every part begins where the one before ends, as encoders write it. Other offsets are refused
 * before anything is decoded: by entries that share one place, 0.3 MB would decode to gigabytes.
 *
 * @throws {BaseError} For other offsets, or lengths beyond the data. Errors of viem for invalid words.
 *
 * @example
 * decodeCanonical([{ type: "bytes[]" }], encoded);
 */
export function decodeCanonical<const parameters extends readonly AbiParameter[]>(
  parameters: parameters,
  data: Hex,
): AbiParametersToPrimitiveTypes<parameters> {
  endOfList({ data, size: (data.length - 2) / 2 }, parameters, 0);
  return decodeAbiParameters(parameters, data) as AbiParametersToPrimitiveTypes<parameters>;
}

type Encoded = { readonly data: Hex; readonly size: number };

/** Position after the members of a tuple that begins at `start`. */
function endOfList(encoded: Encoded, members: readonly AbiParameter[], start: number): number {
  let head = start;
  let end = start + members.reduce((sum, member) => sum + headBytes(member), 0);
  for (const member of members) {
    if (isDynamic(member)) {
      if (readWord(encoded, head) !== end - start) throw new BaseError("An ABI offset is not canonical.");
      end = endOfMember(encoded, member, end);
    }
    head += headBytes(member);
  }
  return end;
}

function endOfMember(encoded: Encoded, member: AbiParameter, start: number): number {
  const array = arrayOf(member);
  if (array === undefined) {
    if (isTuple(member)) return endOfList(encoded, member.components, start);
    const length = readLength(encoded, start);
    return start + wordBytes + Math.ceil(length / wordBytes) * wordBytes;
  }
  const { count, entry } = array;
  if (count !== undefined) return endOfList(encoded, Array(count).fill(entry), start);
  return endOfList(encoded, Array(readLength(encoded, start)).fill(entry), start + wordBytes);
}

/** A count of bytes or entries. Neither can exceed the bytes that follow. */
function readLength(encoded: Encoded, at: number): number {
  const length = readWord(encoded, at);
  if (length <= encoded.size - at - wordBytes) return length;
  throw new BaseError("An ABI length exceeds the data.");
}

function readWord({ data }: Encoded, at: number): number {
  return Number(`0x${data.slice(2 + at * 2, 2 + (at + wordBytes) * 2)}`);
}

/** Bytes in the part of fixed length: the value itself, or its offset. */
function headBytes(parameter: AbiParameter): number {
  if (isDynamic(parameter)) return wordBytes;
  const array = arrayOf(parameter);
  if (array !== undefined) return (array.count ?? 0) * headBytes(array.entry);
  if (!isTuple(parameter)) return wordBytes;
  return parameter.components.reduce((sum, member) => sum + headBytes(member), 0);
}

function isDynamic(parameter: AbiParameter): boolean {
  const array = arrayOf(parameter);
  if (array !== undefined) return array.count === undefined || isDynamic(array.entry);
  if (isTuple(parameter)) return parameter.components.some(isDynamic);
  return parameter.type === "bytes" || parameter.type === "string";
}

function isTuple(
  parameter: AbiParameter,
): parameter is AbiParameter & { components: readonly AbiParameter[] } {
  return parameter.type === "tuple" && "components" in parameter;
}

/** The entries of an array and, for a fixed one, their number. */
function arrayOf(parameter: AbiParameter): { count: number | undefined; entry: AbiParameter } | undefined {
  const [, type, count] = /^(.*)\[(\d*)\]$/.exec(parameter.type) ?? [];
  if (type === undefined) return undefined;
  return { count: count ? Number(count) : undefined, entry: { ...parameter, type } };
}
