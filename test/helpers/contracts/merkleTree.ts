import { AbiCoder, concat, keccak256 } from "ethers";

/** Hashes a leaf twice, so that no inner node can pass for one. */
export function hashLeaf(types: readonly string[], values: readonly unknown[]): string {
  return keccak256(keccak256(AbiCoder.defaultAbiCoder().encode(types, values)));
}

function hashPair(one: string, other: string): string {
  return keccak256(concat(BigInt(one) < BigInt(other) ? [one, other] : [other, one]));
}

function parentsOf([one, other, ...rest]: readonly string[]): string[] {
  if (one === undefined) return [];
  return [other === undefined ? one : hashPair(one, other), ...parentsOf(rest)];
}

/** Builds a Merkle tree without the contracts' code: an odd node moves up unchanged. */
export function merkleTree(leaves: readonly string[]) {
  const levels: (readonly string[])[] = [leaves];
  for (let level = leaves; level.length > 1; levels.push(level)) level = parentsOf(level);
  const root = levels.at(-1)?.[0];
  if (root === undefined) throw new Error("A tree needs a leaf.");
  return {
    root,
    /** The siblings of a leaf and of its ancestors. */
    proofOf: (index: number) =>
      levels.slice(0, -1).flatMap((level, depth) => level[(index >> depth) ^ 1] ?? []),
  };
}
