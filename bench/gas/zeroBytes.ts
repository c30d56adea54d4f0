import { getBytes, stripZerosLeft, toBeHex } from "ethers";

/**
 * Whether any byte of a value is zero, which makes calldata 12 gas cheaper. Leading zeros do not count: every value of its kind
 * has them.
 */
export function hasZeroByte(value: string | bigint): boolean {
  const hex = typeof value === "bigint" ? toBeHex(value) : value;
  return getBytes(stripZerosLeft(hex)).includes(0);
}
