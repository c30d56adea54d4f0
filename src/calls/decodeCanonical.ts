import { type AbiParameter, type DecodeAbiParametersReturnType, decodeAbiParameters, type Hex } from "viem";
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
): DecodeAbiParametersReturnType<parameters> {
  assertCanonical(parameters, data);
  return decodeAbiParameters(parameters, data);
}

function assertCanonical(parameters: readonly AbiParameter[], data: Hex): void {
  const size = (data.length - 2) / 2;
  const check = (isCanonical: boolean) => {
    if (!isCanonical) throw new BaseError("The ABI encoding is not canonical.");
  };
  const wordAt = (at: number) => Number(`0x${data.slice(2 + at * 2, 2 + (at + wordBytes) * 2)}`);
  /** A count of bytes or entries: neither exceeds the bytes that follow. */
  const lengthAt = (at: number) => {
    const length = wordAt(at);
    check(length <= size - at - wordBytes);
    return length;
  };
  /** Position after the members of a tuple that begins at `start`. */
  const endOf = (members: readonly AbiParameter[], start: number): number => {
    let head = start;
    let end = start + sumOf(members);
    for (const member of members) {
      if (isDynamic(member)) {
        check(wordAt(head) === end - start);
        end = endOfDynamic(member, end);
      }
      head += headBytes(member);
    }
    return end;
  };
  const endOfDynamic = (member: AbiParameter, start: number): number => {
    const parts = partsOf(member);
    if (parts !== undefined) return endOf(parts, start);
    const length = lengthAt(start);
    const [, type] = /^(.*)\[\]$/.exec(member.type) ?? [];
    if (type !== undefined) return endOf(Array(length).fill({ ...member, type }), start + wordBytes);
    return start + wordBytes + Math.ceil(length / wordBytes) * wordBytes;
  };
  endOf(parameters, 0);
}

/** Members of a tuple, or entries of an array of fixed length. */
function partsOf(parameter: AbiParameter): readonly AbiParameter[] | undefined {
  const [, type, count] = /^(.*)\[(\d+)\]$/.exec(parameter.type) ?? [];
  if (type !== undefined) return Array(Number(count)).fill({ ...parameter, type });
  return parameter.type === "tuple" && "components" in parameter ? parameter.components : undefined;
}

function isDynamic(parameter: AbiParameter): boolean {
  return /^(bytes|string)$|\[\]$/.test(parameter.type) || partsOf(parameter)?.some(isDynamic) === true;
}

/** Bytes in the part of fixed length: the value itself, or its offset. */
function headBytes(parameter: AbiParameter): number {
  const parts = isDynamic(parameter) ? undefined : partsOf(parameter);
  return parts === undefined ? wordBytes : sumOf(parts);
}

function sumOf(parameters: readonly AbiParameter[]): number {
  return parameters.reduce((sum, parameter) => sum + headBytes(parameter), 0);
}
