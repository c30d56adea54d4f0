import { expect } from "chai";
import type { BaseContract } from "ethers";
import { network } from "hardhat";
import { libraryErrors, reentrancyReason } from "../../helpers/contracts/libraryErrors.ts";
import {
  deployOrderStage,
  depositErc20,
  type OrderStage,
  orderOf,
  solver,
} from "../../helpers/contracts/orderStage.ts";
import { ORDER_AMOUNT as AMOUNT, balances, fund, orderIn } from "../../helpers/contracts/orderTokens.ts";
import { orderIdOf, orderStruct, signOrder } from "../../helpers/contracts/signedOrder.ts";

const { ethers, networkHelpers } = await network.create();

async function stageOnly() {
  return deployOrderStage(ethers);
}

describe("OrderReceiver.depositErc20 among adversaries", () => {
  describe("with a token that does not pay", () => {
    /** Expects `error` of the receiver or a library of it, and nothing to have happened. */
    async function expectRefusal(
      stage: OrderStage,
      token: BaseContract,
      error: string,
      args?: readonly unknown[],
    ): Promise<void> {
      const order = await orderIn(stage, token);
      const before = await balances(stage, token);
      const declaredBy = stage.receiver.interface.getError(error) === null ? libraryErrors : stage.receiver;
      const refused = expect(depositErc20(stage, order, token, AMOUNT)).to.be.revertedWithCustomError(
        declaredBy,
        error,
      );
      await (args === undefined ? refused : refused.withArgs(...args));
      expect(await balances(stage, token)).to.deep.equal(before);
      expect(await stage.receiver.isConsumed(orderIdOf(order))).to.equal(false);
    }

    async function fundedStage<Token extends BaseContract>(token: Token) {
      const stage = await deployOrderStage(ethers);
      await fund(stage, token);
      return { address: await token.getAddress(), stage, token };
    }

    it("refuses one that takes a fee, and does not consume the order", async () => {
      const fee = await ethers.deployContract("FeeOnTransferToken", [100]);
      const { address, stage, token } = await fundedStage(fee);
      const args = [address, AMOUNT, (AMOUNT * 99n) / 100n];
      await expectRefusal(stage, token, "ArrivedAmountMismatch", args);
    });

    it("refuses one that takes a fee even where stray tokens could make up for it", async () => {
      const fee = await ethers.deployContract("FeeOnTransferToken", [100]);
      const { address, stage, token } = await fundedStage(fee);
      await fee.mint(stage.receiver, AMOUNT);
      const args = [address, AMOUNT, (AMOUNT * 99n) / 100n];
      await expectRefusal(stage, token, "ArrivedAmountMismatch", args);
    });

    it("refuses one whose transferFrom returns false, with what it returned", async () => {
      const refusing = await ethers.deployContract("ReturnsFalseToken");
      await refusing.setRefusals(true, true, false);
      const { address, stage, token } = await fundedStage(refusing);
      await expectRefusal(stage, token, "TokenTransferFailed", [address, ethers.ZeroHash]);
    });

    it("refuses one whose approve returns false", async () => {
      const refusing = await ethers.deployContract("ReturnsFalseToken");
      await refusing.setRefusals(true, false, false);
      const { stage, token } = await fundedStage(refusing);
      await refusing.setRefusals(true, false, true);
      await expectRefusal(stage, token, "ApproveFailed");
    });

    it("refuses one that has blocked the receiver, with the token's own reason", async () => {
      const { address, stage, token } = await fundedStage(await ethers.deployContract("BlocklistToken"));
      await token.setBlocked(stage.receiver, true);
      const reason = token.interface.encodeErrorResult("AccountBlocked", [await stage.receiver.getAddress()]);
      await expectRefusal(stage, token, "TokenTransferFailed", [address, reason]);
    });

    it("refuses one that has blocked the depository, and accepts the order once it has not", async () => {
      const { stage, token } = await fundedStage(await ethers.deployContract("BlocklistToken"));
      await token.setBlocked(stage.depository, true);
      const depository = await stage.depository.getAddress();
      // The stand-in's own library gives no reason.
      const reason = libraryErrors.interface.encodeErrorResult("TransferFromFailed", []);
      await expectRefusal(stage, token, "DepositoryRejected", [depository, reason]);

      await token.setBlocked(stage.depository, false);
      await depositErc20(stage, await orderIn(stage, token), token, AMOUNT);
      expect(await balances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    });

    it("refuses an account without code, and a contract that accepts every call but moves nothing", async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      const account = orderOf(stage, AMOUNT, stage.stranger.address.toLowerCase());
      await expect(depositErc20(stage, account, stage.stranger, AMOUNT))
        .to.be.revertedWithCustomError(stage.receiver, "TokenHasNoCode")
        .withArgs(stage.stranger.address);
      const burner = await ethers.deployContract("GasBurningRecipient", [1_000n]);
      await expect(depositErc20(stage, await orderIn(stage, burner), burner, AMOUNT))
        .to.be.revertedWithCustomError(stage.receiver, "TokenReadFailed")
        .withArgs(await burner.getAddress());
    });

    it("does not copy the answer of one that returns a huge buffer", async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      const bomb = await ethers.deployContract("ReturndataBomb", [200_000n, false]);
      await expect(depositErc20(stage, await orderIn(stage, bomb), bomb, AMOUNT))
        .to.be.revertedWithCustomError(stage.receiver, "TokenTransferFailed")
        .withArgs(await bomb.getAddress(), ethers.hexlify(new Uint8Array(1_024)));
    });
  });

  it("refuses a depository that accepts the call but takes nothing", async () => {
    const idle = await ethers.deployContract("GasBurningRecipient", [1_000n]);
    const stage = await deployOrderStage(ethers, ethers.ZeroHash, idle);
    const token = await ethers.deployContract("PlainToken");
    await fund(stage, token);
    await expect(depositErc20(stage, await orderIn(stage, token), token, AMOUNT))
      .to.be.revertedWithCustomError(stage.receiver, "ArrivedAmountMismatch")
      .withArgs(await token.getAddress(), AMOUNT, 0n);
  });

  it("refuses a depository that gets its amount from elsewhere and leaves this one here", async () => {
    const odd = await ethers.deployContract("ReentrantTarget");
    const stage = await deployOrderStage(ethers, ethers.ZeroHash, odd);
    const token = await ethers.deployContract("PlainToken");
    await fund(stage, token);
    await odd.arm(token, token.interface.encodeFunctionData("mint", [await odd.getAddress(), AMOUNT]));
    await expect(depositErc20(stage, await orderIn(stage, token), token, AMOUNT))
      .to.be.revertedWithCustomError(stage.receiver, "TokenBalanceChanged")
      .withArgs(await token.getAddress(), AMOUNT, 0n);
  });

  describe("with a token that calls back", () => {
    async function reentrantStage() {
      const stage = await deployOrderStage(ethers);
      const token = await ethers.deployContract("ReentrantToken");
      await fund(stage, token);
      return { stage, token };
    }

    for (const [what, salt] of [
      ["the same order", 1n],
      ["another order", 2n],
    ] as const) {
      it(`refuses a deposit for ${what} from within a transfer, and counts the outer one once`, async () => {
        const { stage, token } = await networkHelpers.loadFixture(reentrantStage);
        const outer = await orderIn(stage, token);
        const nested = await orderIn(stage, token, salt);
        // The token is the nested depositor: nothing but the guard stands in its way.
        await token.mint(await token.getAddress(), AMOUNT);
        const data = stage.receiver.interface.encodeFunctionData("depositErc20", [
          await token.getAddress(),
          AMOUNT,
          orderStruct(nested),
          0,
          [],
          signOrder(solver, nested),
        ]);
        await token.arm(stage.receiver, data);

        await depositErc20(stage, outer, token, AMOUNT);

        expect(await token.fired()).to.equal(1n);
        expect(await token.lastReturnData()).to.equal(reentrancyReason());
        expect(await balances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
        expect(await stage.receiver.isConsumed(orderIdOf(outer))).to.equal(true);
        if (salt === 2n) expect(await stage.receiver.isConsumed(orderIdOf(nested))).to.equal(false);
      });
    }

    it("refuses a deposit during whose transfer the receiver gets something else as well", async () => {
      const { stage, token } = await networkHelpers.loadFixture(reentrantStage);
      await token.mint(await token.getAddress(), 5n);
      await token.arm(token, token.interface.encodeFunctionData("transfer", [stage.receiver.target, 5n]));
      await expect(depositErc20(stage, await orderIn(stage, token), token, AMOUNT))
        .to.be.revertedWithCustomError(stage.receiver, "ArrivedAmountMismatch")
        .withArgs(await token.getAddress(), AMOUNT, AMOUNT + 5n);
    });
  });
});
