import { expect } from "chai";
import { ZeroAddress } from "ethers";
import { network } from "hardhat";
import {
  AMOUNT,
  accept,
  deployManagedPermitStage,
  managedTerms,
} from "../../../helpers/contracts/managedStage.ts";
import { solver } from "../../../helpers/contracts/receiverStage.ts";
import { deployToken } from "../../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

async function deploySetting() {
  const stage = await deployManagedPermitStage(ethers, {});
  const token = await deployToken(ethers, "LocalToken");
  await accept(stage, token);
  return { stage, token, receiver: stage.receiver.connect(stage.depositor) };
}

describe("a batch of one at the ManagedReceiverPermits", () => {
  it("pays its native payment to the solver's payee, once", async () => {
    const { stage, receiver } = await networkHelpers.loadFixture(deploySetting);
    const payment = await managedTerms(stage, { requestNumber: 1, currency: ZeroAddress });
    await expect(receiver.depositAll([payment], { value: AMOUNT })).to.changeEtherBalances(
      ethers,
      [stage.depositor, stage.receiver, solver],
      [-AMOUNT, 0n, AMOUNT],
    );
    await expect(receiver.depositAll([payment], { value: AMOUNT }))
      .to.be.revertedWithCustomError(stage.receiver, "RequestAlreadyConsumed")
      .withArgs(payment.record.requestId);
  });

  it("moves its token payment to the solver, and takes no native money for it", async () => {
    const { stage, token, receiver } = await networkHelpers.loadFixture(deploySetting);
    const payment = await managedTerms(stage, { requestNumber: 1, currency: token });
    await expect(receiver.depositAll([payment], { value: 1n }))
      .to.be.revertedWithCustomError(stage.receiver, "NativeSumMismatch")
      .withArgs(0n, 1n);
    await receiver.depositAll([payment]);
    expect(await token.balanceOf(solver)).to.equal(AMOUNT);
    expect(await token.balanceOf(stage.receiver)).to.equal(0n);
    expect(await stage.receiver.depositorOf(payment.record.requestId)).to.equal(stage.depositor.address);
  });
});
