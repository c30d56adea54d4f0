import { expect } from "chai";
import { getCreateAddress, ZeroAddress } from "ethers";
import { network } from "hardhat";
import { reentrancyReason } from "../../helpers/contracts/libraryErrors.ts";
import { pay, prepare, receiverKinds } from "../../helpers/contracts/receiverKinds.ts";
import {
  AMOUNT,
  Binding,
  deployPinnedStage,
  deposit,
  paymentOf,
  refundPayee,
  signTerms,
  solver,
} from "../../helpers/contracts/receiverStage.ts";
import { byPermit2 } from "../../helpers/contracts/signedWays.ts";
import type { TestToken } from "../../helpers/contracts/tokens.ts";

const { ethers } = await network.create();
const [pinned] = receiverKinds.filter(({ name }) => name === "PinnedReceiver");
if (pinned === undefined) throw new Error("There is no pinned kind.");

describe("PinnedReceiver, refunds during deposits", () => {
  it("a payee that refunds while it is paid pays the depositor back once, the request stays paid", async () => {
    const payee = await ethers.deployContract("RepayingPayee");
    const stage = await deployPinnedStage(ethers, payee);
    const terms = await signTerms(stage);
    await payee.arm(stage.receiver, terms.record.requestId);
    await expect(deposit(stage, terms)).to.changeEtherBalances(
      ethers,
      [stage.depositor, stage.receiver, payee],
      [0n, 0n, 0n],
    );
    expect(await payee.lastSuccess()).to.equal(true);
    expect(await stage.receiver.depositorOf(terms.record.requestId)).to.equal(stage.depositor.address);
    await expect(deposit(stage, terms)).to.be.revertedWithCustomError(
      stage.receiver,
      "RequestAlreadyConsumed",
    );
  });

  it("a payee that sweeps while it is paid finds none of the deposit", async () => {
    const payee = await ethers.deployContract("ReentrantTarget");
    const stage = await deployPinnedStage(ethers, payee);
    await payee.arm(stage.receiver, stage.receiver.interface.encodeFunctionData("sweep", [1n, ZeroAddress]));
    await expect(deposit(stage, await signTerms(stage))).to.changeEtherBalances(
      ethers,
      [stage.receiver, payee],
      [0n, AMOUNT],
    );
    expect(await payee.lastReturnData()).to.equal(
      stage.receiver.interface.encodeErrorResult("ExceedsUncredited", [ZeroAddress, 1n, 0n]),
    );
  });

  it("a payee that sweeps in the middle of a batch is stopped by the guard", async () => {
    const payee = await ethers.deployContract("ReentrantTarget");
    const stage = await deployPinnedStage(ethers, payee);
    const { receiver } = stage;
    const signed = await Promise.all([1, 2].map((requestNumber) => signTerms(stage, { requestNumber })));
    const data = receiver.interface.encodeFunctionData("sweep", [AMOUNT, ZeroAddress]);
    await payee.arm(receiver, data);
    await expect(
      receiver.connect(stage.depositor).depositAll(signed.map(paymentOf), { value: 2n * AMOUNT }),
    ).to.changeEtherBalances(ethers, [receiver, payee], [0n, 2n * AMOUNT]);
    expect(await payee.lastReturnData()).to.equal(reentrancyReason());
  });

  it("a token hook that sweeps in the middle of a signed pull is stopped by the guard", async () => {
    const token = await ethers.deployContract("ReentrantToken");
    const prepared = await prepare(pinned, ethers, token as unknown as TestToken);
    await byPermit2.approve(prepared);
    const { depositor, stranger } = prepared.stage;
    const receiver = await ethers.getContractAt("PinnedReceiver", prepared.stage.receiver);
    await token.mint(receiver, AMOUNT);
    const sweep = receiver.interface.encodeFunctionData("sweep", [AMOUNT, await token.getAddress()]);
    await token.arm(receiver, sweep);
    await pay(prepared, byPermit2.name, await byPermit2.sign(prepared), { caller: stranger });
    expect(await token.lastReturnData()).to.equal(reentrancyReason());
    expect(await token.balanceOf(receiver)).to.equal(AMOUNT);
    expect(await receiver.depositorOf(prepared.terms.record.requestId)).to.equal(depositor.address);
    await receiver.sweep(AMOUNT, token);
    expect(await token.balanceOf(refundPayee)).to.equal(AMOUNT);
  });
});

describe("PinnedReceiver, refund payee", () => {
  it("bound to callers and without one: plain native money and sweeps are refused, refunds work", async () => {
    const stage = await deployPinnedStage(ethers, solver.address, Binding.Caller);
    const factory = await ethers.getContractFactory("PinnedReceiver");
    const receiver = await factory.deploy(solver.address, solver.address, Binding.Caller, ZeroAddress);
    const bound = { ...stage, receiver };
    const terms = await signTerms(bound);
    await deposit(bound, terms);
    const [refunder] = await ethers.getSigners();
    await expect(refunder?.sendTransaction({ to: receiver, value: 1n })).to.be.revertedWithCustomError(
      receiver,
      "NoRefundPayee",
    );
    await expect(receiver.sweep(1n, ZeroAddress)).to.be.revertedWithCustomError(receiver, "NoRefundPayee");
    await expect(
      refunder?.sendTransaction({ to: receiver, value: AMOUNT, data: terms.record.requestId }),
    ).to.changeEtherBalances(ethers, [stage.depositor], [AMOUNT]);
  });

  it("bound to the receiver: a zero refund payee is refused", async () => {
    const factory = await ethers.getContractFactory("PinnedReceiver");
    await expect(
      factory.deploy(solver.address, solver.address, Binding.Receiver, ZeroAddress),
    ).to.be.revertedWithCustomError(factory, "AddressIsZero");
  });

  it("the receiver itself as refund payee or native payee is refused", async () => {
    const factory = await ethers.getContractFactory("PinnedReceiver");
    const [deployer] = await ethers.getSigners();
    if (!deployer) throw new Error("The local chain has no accounts.");
    for (const isRefundPayee of [true, false]) {
      const self = getCreateAddress({ from: deployer.address, nonce: await deployer.getNonce() });
      const [payee, refunds] = isRefundPayee ? [solver.address, self] : [self, refundPayee];
      await expect(factory.deploy(solver.address, payee, Binding.Receiver, refunds, { gasLimit: 3_000_000n }))
        .to.be.revertedWithCustomError(factory, "RecipientCannotHold")
        .withArgs(self);
    }
  });

  it("one account as solver, depositor and refund payee: deposit, refund and sweep lose nothing", async () => {
    const [, depositor] = await ethers.getSigners();
    if (!depositor) throw new Error("The local chain has too few accounts.");
    const stage = await deployPinnedStage(ethers, depositor.address, Binding.Receiver);
    const factory = await ethers.getContractFactory("PinnedReceiver");
    const all = { ...stage, receiver: await factory.deploy(solver.address, depositor, 0, depositor) };
    const terms = await signTerms(all);
    await expect(deposit(all, terms)).to.changeEtherBalances(ethers, [depositor], [0n]);
    const to = await all.receiver.getAddress();
    await expect(
      depositor.sendTransaction({ to, value: AMOUNT, data: terms.record.requestId }),
    ).to.changeEtherBalances(ethers, [depositor], [0n]);
    await depositor.sendTransaction({ to, value: AMOUNT });
    await expect(all.receiver.connect(depositor).sweep(AMOUNT, ZeroAddress)).to.changeEtherBalances(
      ethers,
      [depositor, all.receiver],
      [AMOUNT, -AMOUNT],
    );
  });
});
