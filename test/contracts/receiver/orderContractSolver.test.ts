import { expect } from "chai";
import { concat } from "ethers";
import { network } from "hardhat";
import type { Order } from "../../../src/records/Order.ts";
import {
  deployOrderStage,
  depositNative,
  forger,
  orderOf,
  solver,
} from "../../helpers/contracts/orderStage.ts";
import { orderIdOf, signOrder } from "../../helpers/contracts/signedOrder.ts";

const { ethers, networkHelpers } = await network.create();
const AMOUNT = 700_000n;

async function contractStage() {
  const wallet = await ethers.deployContract("ContractSigner", [solver.address]);
  const address = await wallet.getAddress();
  const stage = await deployOrderStage(ethers, undefined, undefined, { contractSolver: address });
  const order: Order = { ...orderOf(stage, AMOUNT), solver: address as `0x${string}` };
  return { stage, wallet, address, order };
}

describe("OrderReceiver with a contract solver", () => {
  it("the contract's address and a signature it accepts pay the order", async () => {
    const { stage, address, order } = await networkHelpers.loadFixture(contractStage);
    expect(await stage.receiver.usesErc1271()).to.equal(true);
    const signature = concat([address, signOrder(solver, order)]);
    await expect(depositNative(stage, order, AMOUNT, { signature })).to.changeEtherBalances(
      ethers,
      [stage.receiver, stage.depository],
      [0n, AMOUNT],
    );
    expect(await stage.receiver.isConsumed(orderIdOf(order))).to.equal(true);
  });

  it("a signature the contract refuses is refused with its answer", async () => {
    const { stage, wallet, address, order } = await networkHelpers.loadFixture(contractStage);
    const refused = concat([address, signOrder(forger, order)]);
    await expect(depositNative(stage, order, AMOUNT, { signature: refused }))
      .to.be.revertedWithCustomError(stage.receiver, "ContractSignatureRefused")
      .withArgs(address, `0xffffffff${"00".repeat(28)}`);
    await wallet.setMode(2);
    const signature = concat([address, signOrder(solver, order)]);
    await expect(depositNative(stage, order, AMOUNT, { signature }))
      .to.be.revertedWithCustomError(stage.receiver, "ContractSignatureRefused")
      .withArgs(address, wallet.interface.encodeErrorResult("WalletReverts", []));
    expect(await stage.receiver.isConsumed(orderIdOf(order))).to.equal(false);
  });

  it("another contract that accepts everything, a key's signature and a short one are refused by name", async () => {
    const { stage, address, order } = await networkHelpers.loadFixture(contractStage);
    const other = await ethers.deployContract("ContractSigner", [forger.address]);
    await other.setMode(1);
    const named = concat([await other.getAddress(), signOrder(solver, order)]);
    await expect(depositNative(stage, order, AMOUNT, { signature: named }))
      .to.be.revertedWithCustomError(stage.receiver, "OrderNotSignedBySolver")
      .withArgs(await other.getAddress(), address);
    await expect(depositNative(stage, order, AMOUNT, { signature: signOrder(solver, order) }))
      .to.be.revertedWithCustomError(stage.receiver, "OrderNotSignedBySolver")
      .withArgs(solver.address, address);
    await expect(depositNative(stage, order, AMOUNT, { signature: `0x${"11".repeat(19)}` }))
      .to.be.revertedWithCustomError(stage.receiver, "SignatureLengthInvalid")
      .withArgs(19n);
  });

  it("a key solver set to ERC-1271 is refused as such, also with its own signature", async () => {
    const stage = await deployOrderStage(ethers, undefined, undefined, { contractSolver: solver.address });
    const order = orderOf(stage, AMOUNT);
    await expect(depositNative(stage, order, AMOUNT, { signature: signOrder(solver, order) }))
      .to.be.revertedWithCustomError(stage.receiver, "SolverUsesErc1271")
      .withArgs(solver.address);
    const asContract = concat([solver.address, signOrder(solver, order)]);
    await expect(depositNative(stage, order, AMOUNT, { signature: asContract }))
      .to.be.revertedWithCustomError(stage.receiver, "ContractSignatureRefused")
      .withArgs(solver.address, "0x");
  });

  it("without ERC-1271 a contract's form of signature is refused by its length", async () => {
    const stage = await deployOrderStage(ethers);
    const wallet = await ethers.deployContract("ContractSigner", [solver.address]);
    const order = orderOf(stage, AMOUNT);
    const signature = concat([await wallet.getAddress(), signOrder(solver, order)]);
    await expect(depositNative(stage, order, AMOUNT, { signature }))
      .to.be.revertedWithCustomError(stage.receiver, "SignatureLengthInvalid")
      .withArgs(85n);
  });
});
