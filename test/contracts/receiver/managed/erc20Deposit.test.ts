import { expect } from "chai";
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
import { solver } from "../../../helpers/contracts/receiverStage.ts";

const { ethers } = await network.create();

describe("ManagedReceiver.depositErc20V2", () => {
  it("takes a version 2 record for exactly the co-signed amount", async () => {
    const stage = await deployManagedStage(ethers);
    const token = await ethers.deployContract("NoReturnToken");
    await accept(stage, token);
    const { record, signature, coSignature } = await managedTermsV2(stage, { currency: token });
    const deposit = (amount: bigint) =>
      stage.receiver.connect(stage.depositor).depositErc20V2(token, amount, record, signature, coSignature);
    await expect(deposit(AMOUNT - 1n)).to.be.revertedWithCustomError(stage.receiver, "NotCoSigned");
    await deposit(AMOUNT);
    expect(await token.balanceOf(solver)).to.equal(AMOUNT);
    expect(await token.balanceOf(stage.receiver)).to.equal(0n);
  });
});

describe("ManagedReceiverLens.validate of a payment that the token refuses", () => {
  it("finds no reason, because it does not call the token", async () => {
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
