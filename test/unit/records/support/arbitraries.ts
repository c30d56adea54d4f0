import fc from "fast-check";
import { type Hex, toHex } from "viem";
import type { SignatureRecord } from "../../../../src/records/SignatureRecord.ts";

export const maxUint256 = 2n ** 256n - 1n;

/** Limits of a double, a machine word, and an EVM word. */
export const amountEdges = [
  0n,
  1n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 64n - 1n,
  2n ** 64n,
  maxUint256 - 1n,
  maxUint256,
] as const;

/** Any bytes of a length, or of a length in a range. */
export function bytes(minLength: number, maxLength = minLength): fc.Arbitrary<Hex> {
  return fc.uint8Array({ maxLength, minLength }).map((value) => toHex(value));
}

export const address = bytes(20);
export const bytes32 = bytes(32);

/** A `uint256`, of every size and often at an edge. */
export const uint256 = fc.oneof(fc.bigInt({ max: maxUint256, min: 0n }), fc.constantFrom(...amountEdges));

/** An address of an EVM chain, or of one whose addresses fill a word. */
const anyAddress = fc.oneof({ arbitrary: address, weight: 3 }, { arbitrary: bytes32, weight: 1 });
const chainId = fc.oneof(
  fc.integer({ max: Number.MAX_SAFE_INTEGER, min: 1 }),
  fc.constantFrom(1, 7_777_777, 792_703_809, Number.MAX_SAFE_INTEGER),
);

export const signatureRecord: fc.Arbitrary<SignatureRecord> = fc.record({
  destinationChainId: chainId,
  destinationUser: anyAddress,
  originAmount: uint256,
  originChainId: chainId,
  originCurrency: anyAddress,
  originUser: anyAddress,
  requestId: bytes32,
});
