import { expect } from "chai";
import { type BaseContract, MaxUint256 } from "ethers";
import { network } from "hardhat";
import type { Order } from "../../../src/records/Order.ts";
import { flattenCalls, onlyCallTo, traceCalls } from "../../helpers/contracts/callTrace.ts";
import {
  deployOrderStage,
  depositErc20,
  inputOf,
  type OrderStage,
  orderOf,
} from "../../helpers/contracts/orderStage.ts";
import { ORDER_AMOUNT as AMOUNT, balances, fund, orderIn } from "../../helpers/contracts/orderTokens.ts";
import { orderIdOf } from "../../helpers/contracts/signedOrder.ts";
import type { TestToken } from "../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

async function stageOnly() {
  return deployOrderStage(ethers);
}

/** Funds the depositor with a token and gives the receiver an infinite allowance. */
async function fundedStage() {
  const stage = await stageOnly();
  const token = await ethers.deployContract("NoReturnToken");
  await fund(stage, token);
  return { order: await orderIn(stage, token), stage, token };
}

async function expectNothingKept(stage: OrderStage, token: BaseContract): Promise<void> {
  const { depository, receiver } = stage;
  expect(await (token as TestToken).balanceOf(receiver)).to.equal(0n);
  expect(await (token as TestToken).allowance(receiver, depository)).to.equal(0n);
}

// Awkward tokens and depositories are tested in `adversaries.test.ts`.
describe("OrderReceiver.depositErc20", () => {
  it("deposits tokens at the depository under the orderId, twice, and keeps nothing", async () => {
    const { stage, token } = await networkHelpers.loadFixture(fundedStage);
    const address = await token.getAddress();
    for (const salt of [1n, 2n]) {
      const order = await orderIn(stage, token, salt);
      const orderId = orderIdOf(order);
      await expect(depositErc20(stage, order, token, AMOUNT))
        .to.emit(stage.receiver, "OrderDeposited")
        .withArgs(orderId, stage.depositor.address, 0n, address, AMOUNT)
        .and.to.emit(stage.depository, "RelayErc20Deposit")
        .withArgs(stage.depositor.address, address, AMOUNT, orderId);
      expect(await stage.receiver.depositorOf(orderId)).to.equal(stage.depositor.address);
      await expectNothingKept(stage, token);
    }
    expect(await balances(stage, token)).to.deep.equal([0n, 2n * AMOUNT, 0n]);
  });

  it("uses the allowance for exactly the amount", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const token = await ethers.deployContract("NoReturnToken");
    await token.mint(stage.depositor.address, 2n * AMOUNT);
    await token.connect(stage.depositor).approve(stage.receiver, AMOUNT);
    const order = await orderIn(stage, token);
    await depositErc20(stage, order, token, AMOUNT);
    expect(await token.allowance(stage.depositor, stage.receiver)).to.equal(0n);
    const next = await orderIn(stage, token, 2n);
    await expect(depositErc20(stage, next, token, AMOUNT)).to.be.revertedWithCustomError(
      stage.receiver,
      "TokenTransferFailed",
    );
  });

  it("passes the amount to the depository, whose other function takes whole allowances", async () => {
    const { order, stage, token } = await networkHelpers.loadFixture(fundedStage);
    const { hash } = await depositErc20(stage, order, token, AMOUNT);
    const trace = await traceCalls(ethers, hash);
    const { input } = onlyCallTo(trace, "CALL", await stage.depository.getAddress());
    expect(input.slice(0, 10)).to.equal("0xe8017952");
    const words = ethers.AbiCoder.defaultAbiCoder().decode(
      ["address", "address", "uint256", "bytes32"],
      ethers.dataSlice(input, 4),
    );
    expect(words).to.deep.equal([
      stage.depositor.address,
      await token.getAddress(),
      AMOUNT,
      orderIdOf(order),
    ]);
  });

  it("appends the orderId to the arguments of the transfer to the receiver", async () => {
    const { order, stage, token } = await networkHelpers.loadFixture(fundedStage);
    const { hash } = await depositErc20(stage, order, token, AMOUNT);
    const receiver = await stage.receiver.getAddress();
    const standard = token.interface.encodeFunctionData("transferFrom", [
      stage.depositor.address,
      receiver,
      AMOUNT,
    ]);
    const inputs = flattenCalls(await traceCalls(ethers, hash)).map(({ input }) => input);
    expect(inputs).to.include(ethers.concat([standard, orderIdOf(order)]));
  });

  it("revokes an approval that a token does not reduce", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const token = await ethers.deployContract("PlainToken");
    await token.mint(stage.depositor.address, MaxUint256);
    await token.connect(stage.depositor).approve(stage.receiver, MaxUint256);
    const order = orderOf(stage, MaxUint256, (await token.getAddress()).toLowerCase());
    await depositErc20(stage, order, token, MaxUint256);
    expect(await balances(stage, token)).to.deep.equal([0n, MaxUint256, 0n]);
    await expectNothingKept(stage, token);
  });

  it("leaves earlier tokens of the receiver untouched", async () => {
    const { order, stage, token } = await networkHelpers.loadFixture(fundedStage);
    await token.mint(stage.receiver, 5n);
    await depositErc20(stage, order, token, AMOUNT);
    expect(await balances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 5n]);
  });

  it("rejects another token than the order's, even one that the depositor approved", async () => {
    const { order, stage, token } = await networkHelpers.loadFixture(fundedStage);
    const other = await ethers.deployContract("PlainToken");
    await fund(stage, other);
    await expect(depositErc20(stage, order, other, AMOUNT))
      .to.be.revertedWithCustomError(stage.receiver, "InputCurrencyMismatch")
      .withArgs((await token.getAddress()).toLowerCase(), await other.getAddress());
  });

  it("rejects a native order as a deposit of the token at the zero address", async () => {
    const { stage } = await networkHelpers.loadFixture(fundedStage);
    await expect(depositErc20(stage, orderOf(stage, AMOUNT), ethers.ZeroAddress, AMOUNT))
      .to.be.revertedWithCustomError(stage.receiver, "TokenHasNoCode")
      .withArgs(ethers.ZeroAddress);
  });

  it("pays the named input of an order that has an input in another currency too", async () => {
    const { order: paid, stage, token } = await networkHelpers.loadFixture(fundedStage);
    const order: Order = { ...paid, inputs: [inputOf(stage, 7n), ...paid.inputs] };
    await depositErc20(stage, order, token, AMOUNT, { inputIndex: 1 });
    expect(await balances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
  });

  it("rejects a token that takes a fee even where stray tokens could cover it", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const token = await ethers.deployContract("FeeOnTransferToken", [100]);
    await fund(stage, token);
    await token.mint(stage.receiver, AMOUNT);
    const order = await orderIn(stage, token);
    await expect(depositErc20(stage, order, token, AMOUNT))
      .to.be.revertedWithCustomError(stage.receiver, "ArrivedAmountMismatch")
      .withArgs(await token.getAddress(), AMOUNT, (AMOUNT * 99n) / 100n);
    expect(await stage.receiver.depositorOf(orderIdOf(order))).to.equal(ethers.ZeroAddress);
  });

  it("rejects a depository that takes its amount from elsewhere and leaves the deposit here", async () => {
    const odd = await ethers.deployContract("ReentrantTarget");
    const stage = await deployOrderStage(ethers, odd);
    const token = await ethers.deployContract("PlainToken");
    await fund(stage, token);
    await odd.arm(token, token.interface.encodeFunctionData("mint", [await odd.getAddress(), AMOUNT]));
    await expect(depositErc20(stage, await orderIn(stage, token), token, AMOUNT))
      .to.be.revertedWithCustomError(stage.receiver, "TokenBalanceChanged")
      .withArgs(await token.getAddress(), AMOUNT, 0n);
  });

  it("rejects a deposit during whose transfer the receiver gets other tokens as well", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const token = await ethers.deployContract("ReentrantToken");
    await fund(stage, token);
    await token.mint(token, 5n);
    await token.arm(token, token.interface.encodeFunctionData("transfer", [stage.receiver.target, 5n]));
    await expect(depositErc20(stage, await orderIn(stage, token), token, AMOUNT))
      .to.be.revertedWithCustomError(stage.receiver, "ArrivedAmountMismatch")
      .withArgs(await token.getAddress(), AMOUNT, AMOUNT + 5n);
  });
});
