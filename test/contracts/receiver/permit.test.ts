import { expect } from "chai";
import { network } from "hardhat";
import {
  another,
  balancesOf,
  pay,
  prepare,
  receiverKinds,
  type TokenDeposit,
} from "../../helpers/contracts/receiverKinds.ts";
import { AMOUNT } from "../../helpers/contracts/receiverStage.ts";
import { byPermit, signPermitOf } from "../../helpers/contracts/signedWays.ts";
import { deployToken, type TestToken } from "../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

type Permit = Awaited<ReturnType<typeof signPermitOf>>;

/** A permit that no token accepts. */
const invalidPermit: Permit = { value: 0n, deadline: 0n, r: ethers.ZeroHash, s: ethers.ZeroHash, v: 27 };

const payByPermit = (deposit: TokenDeposit, permit: Permit, sending = {}) =>
  pay(deposit, byPermit.name, permit, sending);

/** Submits the permit to the token from another account, as any account that sees it in the mempool can. */
async function frontRun({ stage, token }: TokenDeposit, permit: Permit) {
  const { depositor, receiver, stranger } = stage;
  const asToken = await ethers.getContractAt("LocalToken", token);
  const { value, deadline, v, r, s } = permit;
  await asToken.connect(stranger).permit(depositor.address, receiver, value, deadline, v, r, s);
}

const isGiven = (reason: string) => reason.length > 2;

for (const kind of receiverKinds) {
  // Rules for every signature are tested in `signedDeposits.test.ts`, tokens without permits in
  // `adversaries.test.ts`.
  describe(`${kind.name}.${byPermit.name} of a permit`, () => {
    async function prepared(): Promise<TokenDeposit> {
      return prepare(kind, ethers, await deployToken(ethers, "LocalToken"));
    }

    it("pulls only the payment from a larger permit", async () => {
      const deposit = await networkHelpers.loadFixture(prepared);
      await payByPermit(deposit, await signPermitOf(deposit, { value: 2n * AMOUNT }));
      expect(await balancesOf(deposit)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
      const { depositor, receiver } = deposit.stage;
      expect(await deposit.token.allowance(depositor.address, receiver)).to.equal(AMOUNT);
    });

    it("pays when another account has submitted the permit to the token first", async () => {
      const deposit = await networkHelpers.loadFixture(prepared);
      const permit = await signPermitOf(deposit);
      await frontRun(deposit, permit);
      await payByPermit(deposit, permit);
      expect(await balancesOf(deposit)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    });

    it("rejects an expired permit unless the allowance covers the payment, to the unit", async () => {
      const deposit = await networkHelpers.loadFixture(prepared);
      const { stage, token } = deposit;
      const { depositor, receiver } = stage;
      const expired = await signPermitOf(deposit, { deadline: 1n });
      await token.connect(depositor).approve(receiver, AMOUNT - 1n);
      await expect(payByPermit(deposit, expired))
        .to.be.revertedWithCustomError(receiver, "PermitRefused")
        .withArgs(await token.getAddress(), AMOUNT - 1n, AMOUNT, isGiven);
      expect(await receiver.depositorOf(deposit.terms.record.requestId)).to.equal(ethers.ZeroAddress);
      await token.connect(depositor).approve(receiver, AMOUNT);
      await payByPermit(deposit, expired);
      expect(await balancesOf(deposit)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    });

    it("rejects a permit from any other account, for the owner's request or its own", async () => {
      const deposit = await networkHelpers.loadFixture(prepared);
      const { stage, token } = deposit;
      const { receiver, stranger } = stage;
      const permit = await signPermitOf(deposit);
      const other = await another(deposit);
      // The allowance exists too, which is all that the permit can give.
      await frontRun(deposit, permit);
      await token.mint(stranger.address, AMOUNT);
      for (const stolen of [deposit, other]) {
        await expect(payByPermit(stolen, permit, { caller: stranger })).to.be.revertedWithCustomError(
          receiver,
          "PermitRefused",
        );
      }
      expect(await balancesOf(deposit)).to.deep.equal([2n * AMOUNT, 0n, 0n]);
    });

    it("rejects a permit for less than the payment, with the token's reason", async () => {
      const deposit = await networkHelpers.loadFixture(prepared);
      const permit = await signPermitOf(deposit, { value: AMOUNT - 1n });
      await expect(payByPermit(deposit, permit))
        .to.be.revertedWithCustomError(deposit.stage.receiver, "TokenTransferFailed")
        .withArgs(await deposit.token.getAddress(), isGiven);
      expect(await balancesOf(deposit)).to.deep.equal([2n * AMOUNT, 0n, 0n]);
    });

    it("rejects a token that accepts permits it does not implement", async () => {
      const phantom = (await ethers.deployContract("AwkwardAuthorizationToken")) as unknown as TestToken;
      const deposit = await prepare(kind, ethers, phantom);
      await expect(payByPermit(deposit, invalidPermit))
        .to.be.revertedWithCustomError(deposit.stage.receiver, "TokenTransferFailed")
        .withArgs(await phantom.getAddress(), isGiven);
    });
  });
}
