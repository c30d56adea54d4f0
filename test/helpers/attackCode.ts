import { type Address, concatHex, type Hex, numberToHex, size } from "viem";

/** Opcodes that leave the value of a call on the stack. */
export const passesAll: Hex = "0x34";
const passesNothing: Hex = "0x6000";

/** The whole value in blocks of even number and nothing in the others; and the reverse. */
export const passesInEvenBlocks: Hex = "0x34600143161502";
export const passesInOddBlocks: Hex = "0x346001431602";
/** The whole value in blocks of even number, and one wei in the others. */
export const passesMoreInEvenBlocks: Hex = "0x60013403600143161502600101";

/** One call of a contract that makes the same calls at each call and ignores failed ones. */
export type FixedCall = { readonly to: Address; readonly data: Hex; readonly value?: Hex };

/** Code of such a contract. */
export function codeOfCalls(...calls: readonly FixedCall[]): Hex {
  const word = (length: number) => concatHex(["0x61", numberToHex(length, { size: 2 })]);
  const bodyOf = (offsets: readonly number[]) =>
    concatHex([
      ...calls.map(({ data, to, value = passesNothing }, index) =>
        concatHex([
          ...[word(size(data)), word(offsets[index] ?? 0), "0x600039"],
          ...["0x60006000", word(size(data)), "0x6000", value, "0x73", to, "0x5af150"],
        ] as Hex[]),
      ),
      "0x00",
    ]);
  const begin = size(bodyOf([]));
  const offsets = calls.map((_, index) =>
    calls.slice(0, index).reduce((sum, { data }) => sum + size(data), begin),
  );
  return concatHex([bodyOf(offsets), ...calls.map(({ data }) => data)]);
}
