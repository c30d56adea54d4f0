import { AbiCoder, concat, keccak256 } from "ethers";

/** A recipient on a destination chain, as a leaf of an allow-list names it. */
export type ListedRecipient = readonly [chainId: string, recipient: string];

function leafOf(recipient: ListedRecipient): string {
  return keccak256(keccak256(AbiCoder.defaultAbiCoder().encode(["string", "bytes"], [...recipient])));
}

function hashPair(one: string, other: string): string {
  return keccak256(concat(BigInt(one) < BigInt(other) ? [one, other] : [other, one]));
}

/** The levels of a tree, leaves first; an odd node goes up alone. */
function levelsOf(leaves: readonly string[]): string[][] {
  const levels = [leaves.toSorted()];
  for (let level = levels[0] ?? []; level.length > 1; ) {
    const next: string[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const [one = "", other] = level.slice(i, i + 2);
      next.push(other === undefined ? one : hashPair(one, other));
    }
    levels.push(next);
    level = next;
  }
  return levels;
}

/** A Merkle tree of recipients, built with nothing of the contracts. */
export function recipientTree(recipients: readonly ListedRecipient[]) {
  const levels = levelsOf(recipients.map(leafOf));
  const root = levels.at(-1)?.[0];
  if (root === undefined) throw new Error("A tree needs a recipient.");
  return {
    root,
    /** The siblings on the way up; of a recipient that is not in the tree, those of the first leaf. */
    proofOf(recipient: ListedRecipient): string[] {
      let index = Math.max(0, levels[0]?.indexOf(leafOf(recipient)) ?? 0);
      const siblings: string[] = [];
      for (const level of levels.slice(0, -1)) {
        const sibling = level[index ^ 1];
        if (sibling !== undefined) siblings.push(sibling);
        index >>= 1;
      }
      return siblings;
    },
  };
}
