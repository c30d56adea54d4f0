import { expect } from "chai";
import { MaxUint256, ZeroAddress } from "ethers";
import { network } from "hardhat";
import { flattenCalls, traceCalls } from "../../helpers/contracts/callTrace.ts";
import { reentrancyReason } from "../../helpers/contracts/libraryErrors.ts";
import { AMOUNT } from "../../helpers/contracts/managedStage.ts";
import {
  another,
  balancesOf,
  pay,
  prepare,
  receiverKinds,
  type Sending,
  type TokenDeposit,
} from "../../helpers/contracts/receiverKinds.ts";
import { solver } from "../../helpers/contracts/receiverStage.ts";
import { deployToken, type TestToken, wellPayingTokens } from "../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

const RECOVERY = "0x0000000000000000000000000000000000000001";

const payErc20 = (deposit: TokenDeposit, sending?: Sending) =>
  pay(deposit, "depositErc20", undefined, sending);

for (const kind of receiverKinds) {
  // Awkward tokens are tested in `adversaries.test.ts`.
  describe(`${kind.name}.depositErc20`, () => {
    /** The depositor has given the receiver an infinite allowance. */
    async function approved(token: { getAddress(): Promise<string> }): Promise<TokenDeposit> {
      const deposit = await prepare(kind, ethers, token as TestToken);
      await deposit.token.connect(deposit.depositor).approve(deposit.receiver, MaxUint256);
      return deposit;
    }

    async function plain() {
      return approved(await ethers.deployContract("NoReturnToken"));
    }

    async function reentrant() {
      const token = await ethers.deployContract("ReentrantToken");
      return { deposit: await approved(token), token };
    }

    for (const name of wellPayingTokens) {
      it(`moves exactly ${name} from the depositor to the solver, and logs it`, async () => {
        const deposit = await approved(await deployToken(ethers, name));
        const { depositor, receiver, requestId } = deposit;
        await expect(payErc20(deposit))
          .to.emit(receiver, "Erc20Deposited")
          .withArgs(requestId, depositor.address);
        expect(await balancesOf(deposit)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
        expect(await receiver.isConsumed(requestId)).to.equal(true);
      });
    }

    it("appends the requestId to the arguments of transferFrom, and calls no contract but the token", async () => {
      const deposit = await networkHelpers.loadFixture(plain);
      const { depositor, requestId, token } = deposit;
      const { hash } = await payErc20(deposit);
      const calls = flattenCalls(await traceCalls(ethers, hash)).slice(1);
      const standard = token.interface.encodeFunctionData("transferFrom", [
        depositor.address,
        solver.address,
        AMOUNT,
      ]);
      expect(calls.filter(({ type }) => type !== "STATICCALL").map(({ input }) => input)).to.deep.equal([
        ethers.concat([standard, requestId]),
      ]);
      const address = (await token.getAddress()).toLowerCase();
      expect(calls.map(({ to }) => to.toLowerCase())).to.include.members([RECOVERY, address]);
      expect(new Set(calls.map(({ to }) => to.toLowerCase()))).to.have.property("size", 2);
    });

    it("rejects a payment by the solver itself, of which nothing arrives", async () => {
      const deposit = await networkHelpers.loadFixture(plain);
      const { receiver, token } = deposit;
      const asSolver = await ethers.getImpersonatedSigner(solver.address);
      await networkHelpers.setBalance(solver.address, 10n ** 18n);
      await token.mint(solver.address, AMOUNT);
      await token.connect(asSolver).approve(receiver, AMOUNT);
      await expect(payErc20(deposit, { caller: asSolver }))
        .to.be.revertedWithCustomError(receiver, "ArrivedAmountMismatch")
        .withArgs(await token.getAddress(), AMOUNT, 0n);
    });

    it("rejects an account without code as a token, and native currency as a token", async () => {
      for (const account of ["0x00000000000000000000000000000000000A11cE", ZeroAddress]) {
        const token = { getAddress: async () => account, mint: async () => undefined };
        const deposit = await prepare(kind, ethers, token as unknown as TestToken);
        await expect(payErc20(deposit))
          .to.be.revertedWithCustomError(deposit.receiver, "TokenHasNoCode")
          .withArgs(account);
      }
    });

    it("rejects a deposit for another request from within a transfer, and counts the outer one once", async () => {
      const { deposit, token } = await networkHelpers.loadFixture(reentrant);
      const { receiver } = deposit;
      const nested = await another(kind, deposit);
      // The token is the nested depositor: only the guard rejects it.
      await token.mint(token, AMOUNT);
      const args = [await token.getAddress(), AMOUNT, ...nested.signedTerms];
      await token.arm(receiver, receiver.interface.encodeFunctionData("depositErc20", args));
      await payErc20(deposit);
      expect([await token.fired(), await token.lastSuccess()]).to.deep.equal([1n, false]);
      expect(await token.lastReturnData()).to.equal(reentrancyReason());
      expect(await balancesOf(deposit)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
      expect(await receiver.isConsumed(nested.requestId)).to.equal(false);
    });

    it("rejects a deposit during whose transfer the solver receives other tokens as well", async () => {
      const { deposit, token } = await networkHelpers.loadFixture(reentrant);
      await token.mint(token, 5n);
      await token.arm(token, token.interface.encodeFunctionData("transfer", [solver.address, 5n]));
      await expect(payErc20(deposit))
        .to.be.revertedWithCustomError(deposit.receiver, "ArrivedAmountMismatch")
        .withArgs(await token.getAddress(), AMOUNT, AMOUNT + 5n);
    });
  });
}
