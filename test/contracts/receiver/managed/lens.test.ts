import { expect } from "chai";
import { type Addressable, ZeroAddress } from "ethers";
import { network } from "hardhat";
import {
  AMOUNT,
  accept,
  deployManagedStage,
  depositErc20,
  managedTerms,
  managedTermsV2,
  reasonNames,
} from "../../../helpers/contracts/managedStage.ts";
import { Binding, solver } from "../../../helpers/contracts/receiverStage.ts";
import { deployToken } from "../../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

async function stageOnly() {
  return deployManagedStage(ethers);
}

describe("ManagedReceiverLens", () => {
  it("validate names an account that is no managed receiver, instead of reporting no reason", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const lens = await ethers.deployContract("ManagedReceiverLens");
    const { record, signature, coSignature } = await managedTerms(stage);
    const v2 = await managedTermsV2(stage);
    const payment = { depositor: stage.depositor, currency: ZeroAddress, amount: AMOUNT };
    // No code, no such function, and every call accepted with an empty, a short and a long answer.
    const answers = [0n, 31n, 33n].map((size) => ethers.deployContract("ReturndataBomb", [size, false]));
    const token = await deployToken(ethers, "LocalToken");
    const others: Addressable[] = [stage.depositor, token, ...(await Promise.all(answers))];
    for (const other of others) {
      const account = await other.getAddress();
      await expect(lens.validate(other, payment, record, signature, coSignature))
        .to.be.revertedWithCustomError(lens, "NotManagedReceiver")
        .withArgs(account);
      await expect(lens.validateV2(other, payment, v2.record, v2.signature, v2.coSignature))
        .to.be.revertedWithCustomError(lens, "NotManagedReceiver")
        .withArgs(account);
    }
  });

  it("validate gives reasons for a receiver of another kind, which has no policies", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const pinned = await ethers.deployContract("PinnedReceiver", [solver, solver, Binding.Receiver, solver]);
    const lens = await ethers.deployContract("ManagedReceiverLens");
    const { record, signature, coSignature } = await managedTerms(stage);
    const payment = { depositor: stage.depositor, currency: ZeroAddress, amount: AMOUNT };
    const reasons = await lens.validate(pinned, payment, record, signature, coSignature);
    expect(reasons).to.not.have.lengthOf(0);
  });

  it("validate gives no reason for a payment that the token rejects, because it does not call the token", async () => {
    const stage = await deployManagedStage(ethers);
    const token = await ethers.deployContract("BlocklistToken");
    await accept(stage, token);
    await token.setBlocked(solver.address, true);
    const terms = await managedTerms(stage, { currency: token });
    expect(await reasonNames(stage, terms, { currency: token })).to.deep.equal([]);
    await expect(depositErc20(stage, terms, token)).to.be.revertedWithCustomError(
      stage.receiver,
      "TokenTransferFailed",
    );
  });
});
