import { expect } from "chai";
import { ZeroAddress } from "ethers";
import { network } from "hardhat";
import type { Order } from "../../../src/records/Order.ts";
import { deployFacet, facetOrder, facetSolver, fixedTerms } from "../../helpers/contracts/facetStage.ts";
import { orderIdOf, orderStruct, signOrder } from "../../helpers/contracts/signedOrder.ts";

const { ethers, networkHelpers } = await network.create();
const AMOUNT = 1_000_000n;
/** 99 % of the deposit. */
const RATE = 990_000_000_000_000_000n;

async function deployVault(currency?: string) {
  const stage = await deployFacet(ethers);
  const vault = await ethers.deployContract("OrderVault", [
    stage.depository,
    stage.user.address,
    RATE,
    fixedTerms(stage, currency),
  ]);
  await stage.user.sendTransaction({ to: vault, value: 2n * AMOUNT });
  const [, , , , keeper] = await ethers.getSigners();
  if (keeper === undefined) throw new Error("The chain is too small.");
  const send = (amount: bigint, order: Order) =>
    vault.connect(keeper).send(amount, orderStruct(order), signOrder(facetSolver, order));
  return { stage, vault, send };
}

const deployNative = async () => deployVault();

describe("OrderVault", () => {
  it("pays any keeper's order that satisfies the vault's terms, once", async () => {
    const { stage, vault, send } = await networkHelpers.loadFixture(deployNative);
    const order = facetOrder(stage, AMOUNT);
    await expect(send(AMOUNT, order))
      .to.emit(stage.depository, "RelayNativeDeposit")
      .withArgs(stage.user.address, AMOUNT, orderIdOf(order));
    expect(await vault.isPaid(orderIdOf(order))).to.equal(true);
    await expect(send(AMOUNT, order))
      .to.be.revertedWithCustomError(vault, "OrderPaidBefore")
      .withArgs(orderIdOf(order));
  });

  it("pays an order in its token and leaves no allowance", async () => {
    const token = await ethers.deployContract("PlainToken");
    const asset = await token.getAddress();
    const { stage, vault, send } = await deployVault(asset);
    await token.mint(vault, AMOUNT);
    await send(AMOUNT, facetOrder(stage, AMOUNT, asset));
    expect(await token.balanceOf(stage.depository)).to.equal(AMOUNT);
    expect(await token.allowance(vault, stage.depository)).to.equal(0n);
  });

  it("refuses an order below the rate, to another receiver, or of another amount", async () => {
    const { stage, vault, send } = await networkHelpers.loadFixture(deployNative);
    const library = await ethers.getContractAt("OrderTerms", vault);
    const order = facetOrder(stage, AMOUNT);
    const [payment] = order.output.payments;
    if (payment === undefined) throw new Error("The order has no payment.");
    const paying = (changes: Partial<typeof payment>): Order => ({
      ...order,
      output: { ...order.output, payments: [{ ...payment, ...changes }] },
    });
    await expect(send(AMOUNT, paying({ minimumAmount: payment.minimumAmount - 1n })))
      .to.be.revertedWithCustomError(library, "MinimumTooLow")
      .withArgs(payment.minimumAmount - 1n, payment.minimumAmount);
    await expect(send(AMOUNT, paying({ recipient: `0x${"99".repeat(20)}` }))).to.be.revertedWithCustomError(
      library,
      "RecipientDiffers",
    );
    await expect(send(AMOUNT - 1n, order)).to.be.revertedWithCustomError(library, "InputAmountDiffers");
  });

  it("refuses an order that a keeper kept until no solver has ten minutes to fill it", async () => {
    const { stage, send } = await networkHelpers.loadFixture(deployNative);
    const library = await ethers.getContractAt("OrderTerms", stage.facet);
    const order = facetOrder(stage, AMOUNT);
    const snapshot = await networkHelpers.takeSnapshot();
    await networkHelpers.time.setNextBlockTimestamp(stage.deadline - 599);
    await expect(send(AMOUNT, order))
      .to.be.revertedWithCustomError(library, "DeadlineOutsideWindow")
      .withArgs(stage.deadline, stage.deadline + 1, stage.deadline - 599 + 14 * 86_400);
    await snapshot.restore();
    await networkHelpers.time.setNextBlockTimestamp(stage.deadline - 600);
    await expect(send(AMOUNT, order)).to.emit(stage.depository, "RelayNativeDeposit");
  });

  it("refuses itself and zero as depositor at deployment", async () => {
    const { stage, vault } = await networkHelpers.loadFixture(deployNative);
    const library = await ethers.getContractAt("OrderTerms", vault);
    await expect(
      ethers.deployContract("OrderVault", [stage.depository, ZeroAddress, RATE, fixedTerms(stage)]),
    ).to.be.revertedWithCustomError(library, "DepositorInvalid");
  });
});
