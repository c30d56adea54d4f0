import { expect } from "chai";
import { network } from "hardhat";

const { ethers, networkHelpers } = await network.create();

const REQUEST_ID = `0x${"ab".repeat(32)}`;

async function deployReceiver() {
  const [solver, depositor] = await ethers.getSigners();
  if (!solver || !depositor) throw new Error("The local chain has too few accounts.");
  const receiver = await ethers.deployContract("RelayReceiver", [solver.address]);
  return { receiver, solver, depositor };
}

async function deployReceiverFor(solver: string) {
  return ethers.deployContract("RelayReceiver", [solver]);
}

describe("RelayReceiver", () => {
  it("forwards the value to the solver and logs the raw calldata", async () => {
    const { receiver, solver, depositor } = await networkHelpers.loadFixture(deployReceiver);
    const sending = depositor.sendTransaction({ to: receiver, value: 700n, data: REQUEST_ID });
    await expect(sending).to.emit(receiver, "FundsForwardedWithData").withArgs(REQUEST_ID);
    await expect(sending).to.changeEtherBalances(ethers, [depositor, receiver, solver], [-700n, 0n, 700n]);
  });

  it("accepts a plain transfer and logs empty data", async () => {
    const { receiver, solver, depositor } = await networkHelpers.loadFixture(deployReceiver);
    const sending = depositor.sendTransaction({ to: receiver, value: 5n });
    await expect(sending).to.emit(receiver, "FundsForwardedWithData").withArgs("0x");
    await expect(sending).to.changeEtherBalance(ethers, solver, 5n);
  });

  it("forward logs its argument, not the calldata", async () => {
    const { receiver, solver, depositor } = await networkHelpers.loadFixture(deployReceiver);
    const sending = receiver.connect(depositor).forward(REQUEST_ID, { value: 3n });
    await expect(sending).to.emit(receiver, "FundsForwardedWithData").withArgs(REQUEST_ID);
    await expect(sending).to.changeEtherBalance(ethers, solver, 3n);
  });

  it("a solver that rejects the value reverts with NativeTransferFailed", async () => {
    const receiver = await deployReceiverFor(
      await (await ethers.deployContract("RejectingRecipient")).getAddress(),
    );
    await expect(receiver.forward(REQUEST_ID, { value: 1n })).to.be.revertedWithCustomError(
      receiver,
      "NativeTransferFailed",
    );
    const [sender] = await ethers.getSigners();
    await expect(
      sender?.sendTransaction({ to: receiver, value: 1n, data: REQUEST_ID }),
    ).to.be.revertedWithCustomError(receiver, "NativeTransferFailed");
  });

  describe("makeCalls", () => {
    it("makeCalls from any account but the solver reverts with Unauthorized", async () => {
      const { receiver, depositor } = await networkHelpers.loadFixture(deployReceiver);
      await expect(receiver.connect(depositor).makeCalls([])).to.be.revertedWithCustomError(
        receiver,
        "Unauthorized",
      );
    });
  });
});
