import { expect } from "chai";
import { keccak256, toBeHex, ZeroHash } from "ethers";
import { network } from "hardhat";
import { hashLeaf, merkleTree } from "../../../helpers/contracts/merkleTree.ts";
import { padded } from "../../../helpers/contracts/signedRecord.ts";

const { ethers, networkHelpers } = await network.create();

interface ListedRecipient {
  readonly chainId: bigint;
  readonly account: string;
}

function leafOf({ chainId, account }: ListedRecipient): string {
  return hashLeaf(["uint256", "bytes32"], [chainId, account]);
}

/** `size` recipients on two chains: EVM accounts padded, and SVM accounts of 32 bytes. */
function listOf(size: number): ListedRecipient[] {
  return Array.from({ length: size }, (_, index) => ({
    chainId: index % 2 === 0 ? 8453n : 792_703_809n,
    account:
      index % 2 === 0
        ? padded(`0x${(index + 1).toString(16).padStart(40, "a")}`)
        : keccak256(`0x${(index + 16).toString(16)}`),
  }));
}

async function deployWith(root: string) {
  const [owner, stranger] = await ethers.getSigners();
  if (!owner || !stranger) throw new Error("The local chain has too few accounts.");
  const receiver = await ethers.deployContract("MerkleListedReceiver", [owner.address, root]);
  return { receiver, owner, stranger };
}

async function closed() {
  return deployWith(ZeroHash);
}

describe("RecipientAllowListMerkle", () => {
  it("leaf and root equal those of an independent implementation", async () => {
    const account = padded("0xf3d63166F0Ca56C3c1A3508FcE03Ff0Cf3Fb691e");
    const list = [
      { chainId: 8453n, account },
      { chainId: 1n, account },
      { chainId: 792_703_809n, account: toBeHex(2n ** 255n + 1n, 32) },
    ];
    const tree = merkleTree(list.map(leafOf));
    expect(leafOf({ chainId: 8453n, account })).to.equal(
      "0x8d45fb7fc710c10be486147b75088612eeecf774c365582262bbf7bcf76f8cbe",
    );
    expect(tree.root).to.equal("0x8ac0f621b147af10a2a9879e2dd0428503e11192446565b3e6914a19d29f07d8");
    const { receiver } = await deployWith(tree.root);
    await receiver.checkRecipient(8453n, account, tree.proofOf(0));
  });

  for (const size of [1, 2, 3, 5, 8, 13]) {
    it(`accepts each of ${size} recipients with its own proof only`, async () => {
      const list = listOf(size);
      const tree = merkleTree(list.map(leafOf));
      const { receiver } = await deployWith(tree.root);
      for (const [index, { chainId, account }] of list.entries()) {
        await receiver.checkRecipient(chainId, account, tree.proofOf(index));
        if (size === 1) continue;
        await expect(receiver.checkRecipient(chainId, account, tree.proofOf((index + 1) % size)))
          .to.be.revertedWithCustomError(receiver, "RecipientNotAllowed")
          .withArgs(chainId, account);
      }
    });
  }

  it("rejects a listed account on another chain, and another account on a listed chain", async () => {
    const list = listOf(4);
    const tree = merkleTree(list.map(leafOf));
    const { receiver } = await deployWith(tree.root);
    const [{ account } = { account: "" }] = list;
    await expect(receiver.checkRecipient(1n, account, tree.proofOf(0)))
      .to.be.revertedWithCustomError(receiver, "RecipientNotAllowed")
      .withArgs(1n, account);
    const stranger = padded("0x00000000000000000000000000000000000000ff");
    await expect(receiver.checkRecipient(8453n, stranger, tree.proofOf(0)))
      .to.be.revertedWithCustomError(receiver, "RecipientNotAllowed")
      .withArgs(8453n, stranger);
  });

  it("rejects a proof that is cut, padded or reversed", async () => {
    const list = listOf(8);
    const tree = merkleTree(list.map(leafOf));
    const { receiver } = await deployWith(tree.root);
    const [first] = list;
    if (first === undefined) throw new Error("The list is empty.");
    const proof = tree.proofOf(0);
    for (const wrong of [proof.slice(1), proof.slice(0, -1), [...proof, ZeroHash], proof.toReversed(), []]) {
      await expect(
        receiver.checkRecipient(first.chainId, first.account, wrong),
      ).to.be.revertedWithCustomError(receiver, "RecipientNotAllowed");
    }
  });

  it("rejects the two words of an inner node as a recipient", async () => {
    const list = listOf(4);
    const tree = merkleTree(list.map(leafOf));
    const { receiver } = await deployWith(tree.root);
    const [low, high] = list.slice(0, 2).map(leafOf).toSorted();
    if (low === undefined || high === undefined) throw new Error("The list is too short.");
    await expect(
      receiver.checkRecipient(BigInt(low), high, tree.proofOf(0).slice(1)),
    ).to.be.revertedWithCustomError(receiver, "RecipientNotAllowed");
  });

  it("allows no recipient under the root of zero", async () => {
    const { receiver } = await networkHelpers.loadFixture(closed);
    for (const { chainId, account } of [...listOf(2), { chainId: 0n, account: ZeroHash }]) {
      await expect(receiver.checkRecipient(chainId, account, [])).to.be.revertedWithCustomError(
        receiver,
        "RecipientNotAllowed",
      );
    }
  });

  it("a new list takes effect at once, set by the owner alone", async () => {
    const { receiver, stranger } = await networkHelpers.loadFixture(closed);
    const list = listOf(3);
    const tree = merkleTree(list.map(leafOf));
    await expect(receiver.connect(stranger).setRecipientRoot(tree.root)).to.be.revertedWithCustomError(
      receiver,
      "Unauthorized",
    );
    await expect(receiver.setRecipientRoot(tree.root))
      .to.emit(receiver, "RecipientRootChanged")
      .withArgs(tree.root);
    expect(await receiver.recipientRoot()).to.equal(tree.root);
    const [first] = list;
    if (first === undefined) throw new Error("The list is empty.");
    await expect(receiver.pay(first.chainId, first.account, tree.proofOf(0), { value: 5n }))
      .to.emit(receiver, "Accepted")
      .withArgs(first.chainId, first.account, 5n);
    await receiver.setRecipientRoot(ZeroHash);
    await expect(
      receiver.pay(first.chainId, first.account, tree.proofOf(0), { value: 5n }),
    ).to.be.revertedWithCustomError(receiver, "RecipientNotAllowed");
  });
});
