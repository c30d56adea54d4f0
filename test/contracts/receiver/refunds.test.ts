import { expect } from "chai";
import { concat, type FunctionFragment, hexlify, randomBytes, ZeroAddress } from "ethers";
import { network } from "hardhat";
import { refundPayee } from "../../helpers/contracts/receiverStage.ts";
import { deployRefundStage, forwarders, fundRefunder } from "../../helpers/contracts/refundStage.ts";
import { requestIdOf } from "../../helpers/contracts/signedRecord.ts";

const { ethers, networkHelpers } = await network.create();
const AMOUNT = 700_000n;
const unknownId = requestIdOf(404);

for (const name of forwarders) {
  // Awkward tokens and payees are tested in `adversaries.test.ts`.
  describe(`${name}, refunds`, () => {
    async function stageOnly() {
      return deployRefundStage(ethers, name);
    }
    async function withToken() {
      const stage = await stageOnly();
      const token = await ethers.deployContract("PlainToken");
      await fundRefunder(stage, token, AMOUNT);
      return { ...stage, token };
    }

    it("a native refund with the id as calldata reaches the depositor at once, and nothing stays", async () => {
      const { receiver, depositor, refunder, id } = await networkHelpers.loadFixture(stageOnly);
      const sending = refunder.sendTransaction({ to: receiver, value: AMOUNT, data: id });
      await expect(sending)
        .to.emit(receiver, "RefundForwarded")
        .withArgs(id, depositor.address, ZeroAddress, AMOUNT);
      await expect(sending).to.changeEtherBalances(
        ethers,
        [refunder, receiver, depositor],
        [-AMOUNT, 0n, AMOUNT],
      );
    });

    it("a refund of tokens moves from the refunder to the depositor, measured, with the id appended", async () => {
      const stage = await networkHelpers.loadFixture(withToken);
      const { receiver, depositor, refunder, id, token } = stage;
      const refund = receiver.connect(refunder).refundErc20(id, token, AMOUNT);
      await expect(refund)
        .to.emit(receiver, "RefundForwarded")
        .withArgs(id, depositor.address, await token.getAddress(), AMOUNT);
      await expect(refund).to.changeTokenBalances(
        ethers,
        token,
        [refunder, receiver, depositor],
        [-AMOUNT, 0n, AMOUNT],
      );
    });

    it("a refund for an unknown id or of nothing is rejected by name, and the refunder keeps its money", async () => {
      const { receiver, refunder, id, token } = await networkHelpers.loadFixture(withToken);
      const asRefunder = receiver.connect(refunder);
      await expect(refunder.sendTransaction({ to: receiver, value: AMOUNT, data: unknownId }))
        .to.be.revertedWithCustomError(receiver, "RequestNotConsumed")
        .withArgs(unknownId);
      await expect(asRefunder.refundErc20(unknownId, token, AMOUNT))
        .to.be.revertedWithCustomError(receiver, "RequestNotConsumed")
        .withArgs(unknownId);
      for (const nothing of [
        refunder.sendTransaction({ to: receiver, data: id }),
        asRefunder.refundErc20(id, token, 0n),
      ]) {
        await expect(nothing).to.be.revertedWithCustomError(receiver, "AmountIsZero");
      }
      expect(await token.balanceOf(refunder)).to.equal(AMOUNT);
      expect(await ethers.provider.getBalance(receiver)).to.equal(0n);
    });

    it("calldata that is neither a call nor 32 bytes is rejected with its length", async () => {
      const { receiver, refunder } = await networkHelpers.loadFixture(stageOnly);
      for (const length of [1, 3, 31, 33, 64]) {
        const data = `0x${"fe".repeat(length)}`;
        await expect(refunder.sendTransaction({ to: receiver, value: AMOUNT, data }))
          .to.be.revertedWithCustomError(receiver, "CalldataNotUnderstood")
          .withArgs(length);
      }
    });

    it("an id that begins with the selector of any function reverts, and the refunder keeps its money", async () => {
      const { receiver, refunder } = await networkHelpers.loadFixture(stageOnly);
      const factory = await ethers.getContractFactory(name as "PinnedReceiver");
      const functions: FunctionFragment[] = [];
      factory.interface.forEachFunction((each) => functions.push(each));
      expect(functions).to.have.length.above(9);
      for (const { selector } of functions) {
        const data = concat([selector, hexlify(randomBytes(28))]);
        await expect(refunder.sendTransaction({ to: receiver, value: AMOUNT, data })).to.revert(ethers);
      }
      expect(await ethers.provider.getBalance(receiver)).to.equal(0n);
    });

    it("a refund by the depositor itself passes native money through and is refused in tokens", async () => {
      const stage = await networkHelpers.loadFixture(withToken);
      const { receiver, depositor, id, token } = stage;
      await expect(
        depositor.sendTransaction({ to: receiver, value: AMOUNT, data: id }),
      ).to.changeEtherBalances(ethers, [depositor, receiver], [0n, 0n]);
      await token.mint(depositor, AMOUNT);
      await token.connect(depositor).approve(receiver, AMOUNT);
      await expect(receiver.connect(depositor).refundErc20(id, token, AMOUNT))
        .to.be.revertedWithCustomError(receiver, "ArrivedAmountMismatch")
        .withArgs(await token.getAddress(), AMOUNT, 0n);
    });

    it("money without an id goes to the refund payee by any account's call, in parts, never more than the balance", async () => {
      const { receiver, refunder, token } = await networkHelpers.loadFixture(withToken);
      const before = await ethers.provider.getBalance(refundPayee);
      await expect(refunder.sendTransaction({ to: receiver, value: 5n }))
        .to.emit(receiver, "UnattributedNativeReceived")
        .withArgs(refunder.address, 5n);
      await token.connect(refunder).transfer(receiver, 7n);
      for (const [currency, here] of [
        [ZeroAddress, 5n],
        [await token.getAddress(), 7n],
      ] as const) {
        await expect(receiver.connect(refunder).sweep(here + 1n, currency))
          .to.be.revertedWithCustomError(receiver, "ExceedsUncredited")
          .withArgs(currency, here + 1n, here);
        await expect(receiver.connect(refunder).sweep(2n, currency))
          .to.emit(receiver, "Swept")
          .withArgs(currency, 2n);
        await receiver.connect(refunder).sweep(here - 2n, currency);
        await expect(receiver.connect(refunder).sweep(0n, currency)).to.be.revertedWithCustomError(
          receiver,
          "AmountIsZero",
        );
      }
      expect(await ethers.provider.getBalance(refundPayee)).to.equal(before + 5n);
      expect(await token.balanceOf(refundPayee)).to.equal(7n);
    });

    it("forced ether is swept, too", async () => {
      const { receiver, refunder } = await networkHelpers.loadFixture(stageOnly);
      await networkHelpers.setBalance(await receiver.getAddress(), 9n);
      const payee = await ethers.getImpersonatedSigner(refundPayee);
      await expect(receiver.connect(refunder).sweep(9n, ZeroAddress)).to.changeEtherBalances(
        ethers,
        [receiver, payee],
        [-9n, 9n],
      );
    });

    it("a token hook can neither sweep nor refund tokens during a refund of tokens", async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      const { receiver, depositor, refunder, id } = stage;
      const token = await ethers.deployContract("ReentrantToken");
      const other = await ethers.deployContract("PlainToken");
      await fundRefunder(stage, token, 2n * AMOUNT);
      await other.mint(receiver, AMOUNT);
      const guarded = receiver.interface.encodeErrorResult("Reentrancy", []);
      for (const data of [
        receiver.interface.encodeFunctionData("sweep", [AMOUNT, await other.getAddress()]),
        receiver.interface.encodeFunctionData("refundErc20", [id, await other.getAddress(), 1n]),
      ]) {
        await token.arm(receiver, data);
        await receiver.connect(refunder).refundErc20(id, token, AMOUNT);
        expect(await token.lastReturnData()).to.equal(guarded);
      }
      expect(await token.balanceOf(depositor)).to.equal(2n * AMOUNT);
      expect(await other.balanceOf(receiver)).to.equal(AMOUNT);
    });
  });
}
