import {
  type AbiParameter,
  type DecodeAbiParametersReturnType,
  decodeAbiParameters,
  type Hex,
  parseAbiParameters,
} from "viem";
import { BaseError } from "../errors/BaseError.ts";

const wordBytes = 32;
/** More than any calldata of the service has. Each entry costs time to decode and to encode again. */
const mostEntries = 256;

/**
 * Decodes ABI data whose every part begins where the one before ends, as encoders write it. Other offsets are refused
 * before anything is decoded: by entries that share one place, 0.3 MB would decode to gigabytes.
 *
 * @throws {BaseError} For other offsets, or lengths beyond the data. Errors of viem for invalid words.
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
  /** Position after the parts, which begin at `start`. */
  const endOf = ({ count, members }: Parts, start: number): number => {
    const heads = members.map((member) => ({
      bytes: headBytes(member),
      isOffset: isDynamic(member),
      member,
    }));
    let end = start + count * sumOf(members);
    // Before the loop: a count is data too.
    check(end <= size);
    if (!heads.some(({ isOffset }) => isOffset)) return end;
    let head = start;
    for (let index = 0; index < count; index++) {
      for (const { bytes, isOffset, member } of heads) {
        if (isOffset) {
          check(wordAt(head) === end - start);
          end = endOfDynamic(member, end);
        }
        head += bytes;
      }
    }
    return end;
  };
  const endOfDynamic = (member: AbiParameter, start: number): number => {
    const parts = partsOf(member);
    if (parts !== undefined) return endOf(parts, start);
    const count = wordAt(start);
    const [, type] = /^(.*)\[\]$/.exec(member.type) ?? [];
    if (type !== undefined) {
      check(count <= mostEntries);
      return endOf({ count, members: [{ ...member, type }] }, start + wordBytes);
    }
    const end = start + wordBytes + Math.ceil(count / wordBytes) * wordBytes;
    check(end <= size);
    return end;
  };
  endOf({ count: 1, members: parameters }, 0);
}

/** Members that follow each other, all of them `count` times. */
type Parts = { readonly count: number; readonly members: readonly AbiParameter[] };

/** Parts of a tuple, or of an array of fixed length. */
function partsOf(parameter: AbiParameter): Parts | undefined {
  const [, type, count] = /^(.*)\[(\d+)\]$/.exec(parameter.type) ?? [];
  if (type !== undefined) return { count: Number(count), members: [{ ...parameter, type }] };
  if (parameter.type !== "tuple" || !("components" in parameter)) return undefined;
  return { count: 1, members: parameter.components };
}

function isDynamic(parameter: AbiParameter): boolean {
  return (
    /^(bytes|string)$|\[\]$/.test(parameter.type) || partsOf(parameter)?.members.some(isDynamic) === true
  );
}

/** Bytes in the part of fixed length: the value itself, or its offset. */
function headBytes(parameter: AbiParameter): number {
  const parts = isDynamic(parameter) ? undefined : partsOf(parameter);
  return parts === undefined ? wordBytes : parts.count * sumOf(parts.members);
}

function sumOf(parameters: readonly AbiParameter[]): number {
  return parameters.reduce((sum, parameter) => sum + headBytes(parameter), 0);
}

const results = /* @__PURE__ */ parseAbiParameters(["(bool success, bytes returnData)[]"]);

/**
 * Results of a router's calls, one for each.
 *
 * @throws {BaseError} For data that no router returns.
 */
export function decodeResults(data: Hex): readonly { readonly success: boolean; readonly returnData: Hex }[] {
  return decodeCanonical(results, data)[0];
}
