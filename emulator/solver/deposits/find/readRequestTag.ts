import { type Address, concatHex, type Hex, numberToHex, pad, size, slice } from "viem";

const tagBytes = 32;
/** Bytes of a call of `transfer` or `transferFrom`; a tag follows them. */
const transferCallBytes: Readonly<Record<Hex, number>> = { "0x23b872dd": 100, "0xa9059cbb": 68 };

/** Whether data consists of exactly one tag. */
export function isTag(data: Hex): boolean {
  return size(data) === tagBytes;
}

/**
 * Reads the 32 bytes after a standard transfer. Bytes that begin with 16 zeros count as padding, not as a tag.
 */
export function readRequestTag(input: Hex): Hex | undefined {
  const argumentBytes = transferCallBytes[input.slice(0, 10) as Hex];
  if (argumentBytes === undefined || size(input) < argumentBytes + tagBytes) return undefined;
  const tag = slice(input, argumentBytes, argumentBytes + tagBytes);
  return /^0x0{32}/.test(tag) ? undefined : tag;
}

/**
 * Whether a transfer's last two arguments are this recipient and amount: several transfers may share a
 * transaction.
 *
 * @param amount Omitted to accept any amount: a token with a fee on transfer delivers less than the call says.
 */
export function movesTo(input: Hex, recipient: Address, amount?: bigint): boolean {
  const end = transferCallBytes[input.slice(0, 10) as Hex];
  if (end === undefined || size(input) < end) return false;
  const to = pad(recipient.toLowerCase() as Hex);
  const expected = amount === undefined ? to : concatHex([to, numberToHex(amount, { size: 32 })]);
  return slice(input, end - 64, end)
    .toLowerCase()
    .startsWith(expected);
}
