import { AbiCoder, keccak256 } from "ethers";

/** A Merkle tree written for the tests alone: pairs are hashed with the lower child first, an odd node moves up as it is. */
export interface MerkleTree {
  readonly root: string;
  proofOf(index: number): string[];
}

export interface ListedRecipient {
  readonly chainId: bigint;
  readonly account: string;
}

/** Hashed twice, so that no inner node can pass for a leaf. */
export function leafOf({ chainId, account }: ListedRecipient): string {
  return keccak256(keccak256(AbiCoder.defaultAbiCoder().encode(["uint256", "bytes32"], [chainId, account])));
}

function hashPair(one: string, other: string): string {
  const [low, high] = BigInt(one) < BigInt(other) ? [one, other] : [other, one];
  return keccak256(`${low}${high.slice(2)}`);
}

function parentsOf(level: readonly string[]): string[] {
  const parents: string[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const [left, right] = [level[index], level[index + 1]];
    if (left === undefined) throw new Error("The level has a hole.");
    parents.push(right === undefined ? left : hashPair(left, right));
  }
  return parents;
}

export function merkleTree(recipients: readonly ListedRecipient[]): MerkleTree {
  const levels: string[][] = [recipients.map(leafOf)];
  for (let level = levels[0] ?? []; level.length > 1; level = levels.at(-1) ?? [])
    levels.push(parentsOf(level));
  const root = levels.at(-1)?.[0];
  if (root === undefined) throw new Error("A tree needs a leaf.");
  return {
    root,
    proofOf: (index) => levels.slice(0, -1).flatMap((level, depth) => level[(index >> depth) ^ 1] ?? []),
  };
}
