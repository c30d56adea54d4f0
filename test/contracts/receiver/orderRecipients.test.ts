import { expect } from "chai";
import { network } from "hardhat";
import type { Hex } from "viem";
import type { Order } from "../../../src/records/Order.ts";
import { hashLeaf, merkleTree } from "../../helpers/contracts/merkleTree.ts";
import {
  DESTINATION_NAME,
  deployOrderStage,
  depositErc20,
  depositNative,
  type OrderStage,
  orderOf,
} from "../../helpers/contracts/orderStage.ts";
import { orderIdOf } from "../../helpers/contracts/signedOrder.ts";

const { ethers, networkHelpers } = await network.create();

const AMOUNT = 700n;
const SVM_RECIPIENT = `0x${"5f".repeat(32)}`;
const [, , , recipientAccount, secondAccount, strangeAccount] = await ethers.getSigners();
if (!recipientAccount || !secondAccount || !strangeAccount) throw new Error("The chain is too small.");

type ListedRecipient = readonly [chainId: string, recipient: string];
const leafOf = (recipient: ListedRecipient) => hashLeaf(["string", "bytes"], recipient);

const listed: readonly ListedRecipient[] = [
  [DESTINATION_NAME, recipientAccount.address],
  [DESTINATION_NAME, secondAccount.address],
  ["optimism", secondAccount.address],
  ["solana", SVM_RECIPIENT],
  ["optimism", `0x${"77".repeat(20)}`],
];
const tree = merkleTree(listed.map(leafOf));

/** The proof of a listed recipient; for an unlisted one, the first recipient's. */
function proofOf(recipient: ListedRecipient): string[] {
  return tree.proofOf(Math.max(0, listed.map(leafOf).indexOf(leafOf(recipient))));
}

async function listedStage() {
  return deployOrderStage(ethers, tree.root);
}

/** The stage's order with these recipients on `chainId`. */
function orderTo(stage: OrderStage, recipients: readonly string[], chainId = DESTINATION_NAME): Order {
  const order = orderOf(stage, AMOUNT);
  const payments = recipients.map((recipient) => ({
    recipient: recipient as Hex,
    currency: `0x${"00".repeat(20)}` as const,
    minimumAmount: 1n,
    expectedAmount: 2n,
  }));
  return { ...order, output: { ...order.output, chainId, payments } };
}

async function expectRefusal(
  stage: OrderStage,
  order: Order,
  proofs: string[][],
  error: string,
  args: readonly unknown[],
): Promise<void> {
  const refused = expect(depositNative(stage, order, AMOUNT, { proofs })).to.be.revertedWithCustomError(
    stage.receiver,
    error,
  );
  await (args.length === 0 ? refused : refused.withArgs(...args));
  expect(await stage.receiver.isConsumed(orderIdOf(order))).to.equal(false);
}

describe("OrderReceiver with an allow-list", () => {
  for (const [chainId, recipient] of listed) {
    it(`accepts ${recipient} on ${chainId}, which is listed`, async () => {
      const stage = await networkHelpers.loadFixture(listedStage);
      const order = orderTo(stage, [recipient], chainId);
      await depositNative(stage, order, AMOUNT, { proofs: [proofOf([chainId, recipient])] });
      expect(await stage.receiver.isConsumed(orderIdOf(order))).to.equal(true);
    });
  }

  it("returns the allow-list's root of deployment", async () => {
    const { receiver } = await networkHelpers.loadFixture(listedStage);
    expect(await receiver.recipientRoot()).to.equal(tree.root);
  });

  it("accepts several listed recipients, each with its own proof", async () => {
    const stage = await networkHelpers.loadFixture(listedStage);
    const recipients = [recipientAccount.address, secondAccount.address, recipientAccount.address];
    const order = orderTo(stage, recipients);
    const proofs = recipients.map((each) => proofOf([DESTINATION_NAME, each]));
    await depositNative(stage, order, AMOUNT, { proofs });
    expect(await stage.receiver.isConsumed(orderIdOf(order))).to.equal(true);
  });

  it("rejects an unlisted recipient among listed ones, with its place", async () => {
    const stage = await networkHelpers.loadFixture(listedStage);
    const recipients = [recipientAccount.address, strangeAccount.address];
    const proofs = recipients.map((each) => proofOf([DESTINATION_NAME, each]));
    const args = [1, strangeAccount.address.toLowerCase(), tree.root];
    await expectRefusal(stage, orderTo(stage, recipients), proofs, "OutputRecipientNotAllowed", args);
  });

  it("rejects a listed recipient on another chain than the listed one", async () => {
    const stage = await networkHelpers.loadFixture(listedStage);
    const proofs = [proofOf([DESTINATION_NAME, recipientAccount.address])];
    const args = [0, recipientAccount.address.toLowerCase(), tree.root];
    const order = orderTo(stage, [recipientAccount.address], "optimism");
    await expectRefusal(stage, order, proofs, "OutputRecipientNotAllowed", args);
  });

  it("rejects a listed recipient without its proof, or with another's", async () => {
    const stage = await networkHelpers.loadFixture(listedStage);
    const order = orderTo(stage, [recipientAccount.address]);
    const args = [0, recipientAccount.address.toLowerCase(), tree.root];
    for (const proof of [[], proofOf([DESTINATION_NAME, secondAccount.address]), [tree.root]]) {
      await expectRefusal(stage, order, [proof], "OutputRecipientNotAllowed", args);
    }
  });

  it("rejects an address in a whole word where the 20 bytes are listed", async () => {
    const stage = await networkHelpers.loadFixture(listedStage);
    const word = ethers.zeroPadValue(recipientAccount.address, 32).toLowerCase();
    const proofs = [proofOf([DESTINATION_NAME, recipientAccount.address])];
    await expectRefusal(stage, orderTo(stage, [word]), proofs, "OutputRecipientNotAllowed", [
      0,
      word,
      tree.root,
    ]);
  });

  it("rejects too few proofs and too many", async () => {
    const stage = await networkHelpers.loadFixture(listedStage);
    const proof = proofOf([DESTINATION_NAME, recipientAccount.address]);
    const order = orderTo(stage, [recipientAccount.address]);
    await expectRefusal(stage, order, [], "RecipientProofCountMismatch", [0, 1]);
    await expectRefusal(stage, order, [proof, proof], "RecipientProofCountMismatch", [2, 1]);
  });

  it("rejects an order without payments, whose money only calls could move", async () => {
    const stage = await networkHelpers.loadFixture(listedStage);
    await expectRefusal(stage, orderTo(stage, []), [], "OutputPaysNobody", []);
  });

  it("without an allow-list any recipient is paid", async () => {
    const stage = await deployOrderStage(ethers);
    for (const recipients of [[], [strangeAccount.address]]) {
      const order = orderTo(stage, recipients);
      await depositNative(stage, order, AMOUNT);
      expect(await stage.receiver.isConsumed(orderIdOf(order))).to.equal(true);
    }
  });

  it("the allow-list applies to payments in tokens too", async () => {
    const stage = await networkHelpers.loadFixture(listedStage);
    const token = await ethers.deployContract("PlainToken");
    await token.mint(stage.depositor, AMOUNT);
    await token.connect(stage.depositor).approve(stage.receiver, AMOUNT);
    const { inputs } = orderOf(stage, AMOUNT, await token.getAddress());
    const refused = { ...orderTo(stage, [strangeAccount.address]), inputs };
    await expect(depositErc20(stage, refused, token, AMOUNT, { proofs: [[]] }))
      .to.be.revertedWithCustomError(stage.receiver, "OutputRecipientNotAllowed")
      .withArgs(0, strangeAccount.address.toLowerCase(), tree.root);

    const accepted = { ...orderTo(stage, [recipientAccount.address]), inputs };
    const proofs = [proofOf([DESTINATION_NAME, recipientAccount.address])];
    await depositErc20(stage, accepted, token, AMOUNT, { proofs });
    expect(await token.balanceOf(stage.depository)).to.equal(AMOUNT);
  });

  it("an allow-list of one recipient is its leaf, and its proof is empty", async () => {
    const single: ListedRecipient = [DESTINATION_NAME, recipientAccount.address];
    const stage = await deployOrderStage(ethers, merkleTree([leafOf(single)]).root);
    const order = orderTo(stage, [recipientAccount.address]);
    await depositNative(stage, order, AMOUNT, { proofs: [[]] });
    expect(await stage.receiver.isConsumed(orderIdOf(order))).to.equal(true);
  });
});
