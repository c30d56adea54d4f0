import { expect } from "chai";
import { MaxUint256, ZeroAddress } from "ethers";
import { network } from "hardhat";
import type { Order } from "../../../src/records/Order.ts";
import {
  bridgeOf,
  deployFacet,
  type FacetStage,
  facetOrder,
  facetSolver,
} from "../../helpers/contracts/facetStage.ts";
import { orderIdOf, orderStruct, signOrder } from "../../helpers/contracts/signedOrder.ts";

const { ethers, networkHelpers } = await network.create();
const AMOUNT = 1_000_000n;

const stageOf = async () => deployFacet(ethers);
const load = () => networkHelpers.loadFixture(stageOf);
type Bridge = ReturnType<typeof bridgeOf>;

function deposit(stage: FacetStage, bridge: Bridge, order: Order, value = 0n) {
  return stage.facet
    .connect(stage.user)
    .deposit(bridge, orderStruct(order), signOrder(facetSolver, order), { value });
}

async function deployToken(stage: FacetStage, name: "PlainToken" | "FeeOnTransferToken" = "PlainToken") {
  const token = await ethers.deployContract(
    name as "PlainToken",
    (name === "PlainToken" ? [] : [100n]) as [],
  );
  await token.mint(stage.user, 10n * AMOUNT);
  await token.connect(stage.user).approve(stage.facet, MaxUint256);
  return token;
}

/** Pays native currency for tokens that the router mints. */
async function swapOf(stage: FacetStage, token: string, sold: bigint, bought: bigint) {
  return {
    soldAsset: ZeroAddress,
    soldAmount: sold,
    boughtAsset: token,
    data: stage.router.interface.encodeFunctionData("sell", [token, bought]),
  };
}

function swapAndDeposit(
  stage: FacetStage,
  bridge: Bridge,
  swap: Awaited<ReturnType<typeof swapOf>>,
  order: Order,
  value: bigint,
) {
  return stage.facet
    .connect(stage.user)
    .swapAndDeposit(bridge, swap, orderStruct(order), signOrder(facetSolver, order), { value });
}

describe("OrderFacet", () => {
  it("deposits native currency for an order that pays what the user asks for, under the order's id", async () => {
    const stage = await load();
    const order = facetOrder(stage, AMOUNT);
    await expect(deposit(stage, bridgeOf(stage, AMOUNT), order, AMOUNT))
      .to.emit(stage.depository, "RelayNativeDeposit")
      .withArgs(stage.user.address, AMOUNT, orderIdOf(order));
    expect(await ethers.provider.getBalance(stage.facet)).to.equal(0n);
  });

  it("deposits a token for such an order and leaves no token and no allowance", async () => {
    const stage = await load();
    const token = await deployToken(stage);
    const asset = await token.getAddress();
    const order = facetOrder(stage, AMOUNT, asset);
    await expect(deposit(stage, bridgeOf(stage, AMOUNT, asset), order))
      .to.emit(stage.depository, "RelayErc20Deposit")
      .withArgs(stage.user.address, asset, AMOUNT, orderIdOf(order));
    expect(await token.balanceOf(stage.facet)).to.equal(0n);
    expect(await token.allowance(stage.facet, stage.depository)).to.equal(0n);
  });

  it("refuses an order that differs from each field of what the user signed", async () => {
    const stage = await load();
    const library = await ethers.getContractAt("OrderTerms", stage.facet);
    const order = facetOrder(stage, AMOUNT);
    const other = `0x${"99".repeat(20)}`;
    const wishes: [Partial<Record<keyof Bridge, unknown>>, string][] = [
      [{ asset: other }, "InputCurrencyDiffers"],
      [{ minAmount: AMOUNT + 1n }, "InputAmountDiffers"],
      [{ destinationChainId: 10n }, "RefundChainDiffers"],
      [{ destinationChainId: 424_242n }, "RefundChainDiffers"],
      [{ receiver: other }, "RecipientDiffers"],
      [{ receiver: stage.facet.target, refundTo: other }, "RefundRecipientDiffers"],
      [{ outputAsset: other }, "OutputCurrencyDiffers"],
      [{ minOutput: AMOUNT }, "MinimumTooLow"],
      [{ minOutput: 0n }, "MinimumIsZero"],
      [{ refundTo: other }, "RefundRecipientDiffers"],
      [{ depositor: ZeroAddress }, "DepositorInvalid"],
      [{ depositor: await stage.facet.getAddress() }, "DepositorInvalid"],
    ];
    for (const [wish, error] of wishes) {
      const bridge = { ...bridgeOf(stage, AMOUNT), ...wish } as Bridge;
      await expect(deposit(stage, bridge, order, AMOUNT), error).to.be.revertedWithCustomError(
        library,
        error,
      );
    }
  });

  it("refuses an order of another signer, and a deadline after fourteen days", async () => {
    const stage = await load();
    const library = await ethers.getContractAt("OrderTerms", stage.facet);
    const order = facetOrder(stage, AMOUNT);
    const forged = stage.facet
      .connect(stage.user)
      .deposit(bridgeOf(stage, AMOUNT), orderStruct(order), signOrder(facetSolver, { ...order, salt: 7n }), {
        value: AMOUNT,
      });
    await expect(forged).to.be.revertedWithCustomError(library, "SignerDiffers");
    const late = facetOrder({ ...stage, deadline: stage.deadline + 8 * 86_400 }, AMOUNT);
    await expect(deposit(stage, bridgeOf(stage, AMOUNT), late, AMOUNT)).to.be.revertedWithCustomError(
      library,
      "DeadlineOutsideWindow",
    );
  });

  it("refuses more or less native currency than the order's amount, and any beside a token", async () => {
    const stage = await load();
    const order = facetOrder(stage, AMOUNT);
    for (const value of [AMOUNT - 1n, AMOUNT + 1n]) {
      await expect(deposit(stage, bridgeOf(stage, AMOUNT), order, value))
        .to.be.revertedWithCustomError(stage.facet, "ValueDiffers")
        .withArgs(value, AMOUNT);
    }
    const asset = await (await deployToken(stage)).getAddress();
    await expect(deposit(stage, bridgeOf(stage, AMOUNT, asset), facetOrder(stage, AMOUNT, asset), 1n))
      .to.be.revertedWithCustomError(stage.facet, "ValueDiffers")
      .withArgs(1n, 0n);
  });

  it("refuses a token that keeps a fee, even if the facet holds enough of it", async () => {
    const stage = await load();
    const token = await deployToken(stage, "FeeOnTransferToken");
    const asset = await token.getAddress();
    await token.mint(stage.facet, AMOUNT);
    await expect(
      deposit(stage, bridgeOf(stage, AMOUNT, asset), facetOrder(stage, AMOUNT, asset)),
    ).to.be.revertedWithCustomError(stage.facet, "AmountTooLow");
  });

  it("deposits exactly the order's amount after a swap and sends the rest to the recipient of refunds", async () => {
    const stage = await load();
    const token = await deployToken(stage);
    const asset = await token.getAddress();
    const before = await token.balanceOf(stage.user);
    const order = facetOrder(stage, AMOUNT, asset);
    const swap = await swapOf(stage, asset, 500n, AMOUNT + 77n);
    await swapAndDeposit(stage, bridgeOf(stage, AMOUNT, asset), swap, order, 500n);
    expect(await token.balanceOf(stage.depository)).to.equal(AMOUNT);
    expect(await token.balanceOf(stage.refundTo)).to.equal(77n);
    expect(await token.balanceOf(stage.user), "the caller").to.equal(before);
    expect(await token.balanceOf(stage.facet)).to.equal(0n);
  });

  it("swaps a token for native currency and returns both rests to the recipient of refunds", async () => {
    const stage = await load();
    const token = await deployToken(stage);
    const asset = await token.getAddress();
    await stage.user.sendTransaction({ to: stage.router, value: AMOUNT + 5n });
    const order = facetOrder(stage, AMOUNT);
    const data = stage.router.interface.encodeFunctionData("take", [0n, asset, 900n, AMOUNT + 5n]);
    const swap = { soldAsset: asset, soldAmount: 1_000n, boughtAsset: ZeroAddress, data };
    await expect(swapAndDeposit(stage, bridgeOf(stage, AMOUNT), swap, order, 0n)).to.changeEtherBalances(
      ethers,
      [stage.depository, stage.refundTo],
      [AMOUNT, 5n],
    );
    expect(await token.balanceOf(stage.refundTo)).to.equal(100n);
    expect(await token.allowance(stage.facet, stage.router)).to.equal(0n);
  });

  it("refuses a swap that yields less, buys another asset, sells the deposit's asset, or fails", async () => {
    const stage = await load();
    const token = await deployToken(stage);
    const asset = await token.getAddress();
    const order = facetOrder(stage, AMOUNT, asset);
    const bridge = bridgeOf(stage, AMOUNT, asset);
    const swap = await swapOf(stage, asset, 500n, AMOUNT);
    await token.mint(stage.facet, AMOUNT);
    await expect(swapAndDeposit(stage, bridge, await swapOf(stage, asset, 500n, AMOUNT - 1n), order, 500n))
      .to.be.revertedWithCustomError(stage.facet, "AmountTooLow")
      .withArgs(AMOUNT - 1n, AMOUNT);
    await expect(
      swapAndDeposit(stage, bridge, { ...swap, boughtAsset: ZeroAddress }, order, 500n),
    ).to.be.revertedWithCustomError(stage.facet, "BoughtAssetDiffers");
    await expect(
      swapAndDeposit(stage, bridge, { ...swap, soldAsset: asset }, order, 0n),
    ).to.be.revertedWithCustomError(stage.facet, "SwapWithinAsset");
    await expect(
      swapAndDeposit(stage, bridge, { ...swap, data: "0x12345678" }, order, 500n),
    ).to.be.revertedWithCustomError(stage.facet, "SwapFailed");
    await expect(swapAndDeposit(stage, bridge, swap, order, 499n))
      .to.be.revertedWithCustomError(stage.facet, "ValueDiffers")
      .withArgs(499n, 500n);
  });

  it("refuses native currency of any account but the router", async () => {
    const stage = await load();
    await expect(stage.user.sendTransaction({ to: stage.facet, value: 1n })).to.be.revertedWithCustomError(
      stage.facet,
      "ValueDiffers",
    );
  });
});
