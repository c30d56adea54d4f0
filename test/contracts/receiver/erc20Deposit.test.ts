import { expect } from "chai";
import { MaxUint256, ZeroAddress } from "ethers";
import { network } from "hardhat";
import { flattenCalls, traceCalls } from "../../helpers/contracts/callTrace.ts";
import { reentrancyReason } from "../../helpers/contracts/libraryErrors.ts";
import {
  another,
  balancesOf,
  type DeployOptions,
  pay,
  prepare,
  receiverKinds,
  type Sending,
  type TokenDeposit,
} from "../../helpers/contracts/receiverKinds.ts";
import { AMOUNT, Binding, signedArgs, solver } from "../../helpers/contracts/receiverStage.ts";
import { deployToken, type TestToken } from "../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

const RECOVERY = "0x0000000000000000000000000000000000000001";

const payErc20 = (deposit: TokenDeposit, sending?: Sending) =>
  pay(deposit, "depositErc20", undefined, sending);

for (const kind of receiverKinds) {
  // Awkward tokens are tested in `adversaries.test.ts`.
  describe(`${kind.name}.depositErc20`, () => {
    /** The depositor has given the receiver an infinite allowance. */
    async function approved(
      token: { getAddress(): Promise<string> },
      options?: DeployOptions,
    ): Promise<TokenDeposit> {
      const deposit = await prepare(kind, ethers, token as TestToken, options);
      const { depositor, receiver } = deposit.stage;
      await deposit.token.connect(depositor).approve(receiver, MaxUint256);
      return deposit;
    }

    async function plain() {
      return approved(await ethers.deployContract("NoReturnToken"));
    }

    async function reentrant() {
      const token = await ethers.deployContract("ReentrantToken");
      return { deposit: await approved(token), token };
    }

    for (const binding of [Binding.Receiver, Binding.Caller]) {
      it(`moves exactly the amount from the depositor to the solver, and logs it, with binding ${binding}`, async () => {
        const deposit = await approved(await deployToken(ethers, "LocalToken"), { binding });
        const { depositor, receiver } = deposit.stage;
        const { requestId } = deposit.terms.record;
        await expect(payErc20(deposit))
          .to.emit(receiver, "Erc20Deposited")
          .withArgs(requestId, depositor.address, await deposit.token.getAddress(), AMOUNT);
        expect(await balancesOf(deposit)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
        expect(await receiver.depositorOf(requestId)).to.equal(depositor.address);
      });
    }

    it("appends the requestId to the arguments of transferFrom, and calls no contract but the token", async () => {
      const deposit = await networkHelpers.loadFixture(plain);
      const { stage, token } = deposit;
      const { hash } = await payErc20(deposit);
      const calls = flattenCalls(await traceCalls(ethers, hash)).slice(1);
      const standard = token.interface.encodeFunctionData("transferFrom", [
        stage.depositor.address,
        solver.address,
        AMOUNT,
      ]);
      expect(calls.filter(({ type }) => type !== "STATICCALL").map(({ input }) => input)).to.deep.equal([
        ethers.concat([standard, deposit.terms.record.requestId]),
      ]);
      const address = (await token.getAddress()).toLowerCase();
      expect(calls.map(({ to }) => to.toLowerCase())).to.include.members([RECOVERY, address]);
      expect(new Set(calls.map(({ to }) => to.toLowerCase()))).to.have.property("size", 2);
    });

    it("rejects a payment by the solver itself, of which nothing arrives", async () => {
      const deposit = await networkHelpers.loadFixture(plain);
      const { stage, token } = deposit;
      const asSolver = await ethers.getImpersonatedSigner(solver.address);
      await networkHelpers.setBalance(solver.address, 10n ** 18n);
      await token.mint(solver.address, AMOUNT);
      await token.connect(asSolver).approve(stage.receiver, AMOUNT);
      await expect(payErc20(deposit, { caller: asSolver }))
        .to.be.revertedWithCustomError(stage.receiver, "ArrivedAmountMismatch")
        .withArgs(await token.getAddress(), AMOUNT, 0n);
    });

    it("rejects an account without code as a token, and native currency as a token", async () => {
      for (const account of ["0x00000000000000000000000000000000000A11cE", ZeroAddress]) {
        const token = { getAddress: async () => account, mint: async () => undefined };
        const deposit = await prepare(kind, ethers, token as unknown as TestToken);
        await expect(payErc20(deposit))
          .to.be.revertedWithCustomError(deposit.stage.receiver, "TokenHasNoCode")
          .withArgs(account);
      }
    });

    it("rejects a deposit for another request from within a transfer, and counts the outer one once", async () => {
      const { deposit, token } = await networkHelpers.loadFixture(reentrant);
      const { receiver } = deposit.stage;
      const nested = await another(deposit);
      // The token is the nested depositor: only the guard rejects it.
      await token.mint(token, AMOUNT);
      const data = receiver.interface.encodeFunctionData("depositErc20", [
        await token.getAddress(),
        AMOUNT,
        ...signedArgs(nested.terms),
      ]);
      await token.arm(receiver, data);
      await payErc20(deposit);
      expect([await token.fired(), await token.lastSuccess()]).to.deep.equal([1n, false]);
      expect(await token.lastReturnData()).to.equal(reentrancyReason());
      expect(await balancesOf(deposit)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
      expect(await receiver.depositorOf(nested.terms.record.requestId)).to.equal(ZeroAddress);
    });

    it("rejects a deposit during whose transfer the solver receives other tokens as well", async () => {
      const { deposit, token } = await networkHelpers.loadFixture(reentrant);
      await token.mint(token, 5n);
      await token.arm(token, token.interface.encodeFunctionData("transfer", [solver.address, 5n]));
      await expect(payErc20(deposit))
        .to.be.revertedWithCustomError(deposit.stage.receiver, "ArrivedAmountMismatch")
        .withArgs(await token.getAddress(), AMOUNT, AMOUNT + 5n);
    });
  });
}
