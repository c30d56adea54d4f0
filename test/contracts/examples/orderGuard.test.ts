import { expect } from "chai";
import { AbiCoder, concat, type ParamType, ZeroAddress } from "ethers";
import { network } from "hardhat";
import type { Order } from "../../../src/records/Order.ts";
import { deployFacet, facetOrder, facetSolver, fixedTerms } from "../../helpers/contracts/facetStage.ts";
import { orderIdOf, orderStruct, signOrder } from "../../helpers/contracts/signedOrder.ts";

const { ethers, networkHelpers } = await network.create();
const AMOUNT = 1_000_000n;
const RATE = 990_000_000_000_000_000n;
const CALL = 0;
const DELEGATECALL = 1;

async function deployGuard() {
  const stage = await deployFacet(ethers);
  const guard = await ethers.deployContract("OrderGuard", [stage.depository]);
  const [, , , , safe] = await ethers.getSigners();
  if (safe === undefined) throw new Error("The chain is too small.");
  const policy = {
    depositor: stage.user.address,
    longestFill: 14n * 86_400n,
    minimumRate: RATE,
    terms: fixedTerms(stage),
  };
  await guard.connect(safe).setPolicy(policy);

  const checked = (to: string, value: bigint, data: string, operation = CALL, from = safe) =>
    guard
      .connect(from)
      .checkTransaction(to, value, data, operation, 0, 0, 0, ZeroAddress, ZeroAddress, "0x", ZeroAddress);
  /** The depository's call with the order behind it. */
  const depositData = (order: Order, id = orderIdOf(order), depositor = stage.user.address) => {
    const [orderType] = stage.facet.interface.getFunction("deposit").inputs.slice(1) as [ParamType];
    return concat([
      stage.depository.interface.encodeFunctionData("depositNative", [depositor, id]),
      AbiCoder.defaultAbiCoder().encode(
        [orderType, "bytes"],
        [orderStruct(order), signOrder(facetSolver, order)],
      ),
    ]);
  };
  const depository = await stage.depository.getAddress();
  return { checked, depositData, depository, guard, policy, safe, stage };
}

const load = () => networkHelpers.loadFixture(deployGuard);

describe("OrderGuard", () => {
  it("passes a deposit that carries an order within the Safe's terms, which the depository accepts as sent", async () => {
    const { checked, depositData, depository, safe, stage } = await load();
    const order = facetOrder(stage, AMOUNT);
    await checked(depository, AMOUNT, depositData(order));
    await expect(safe.sendTransaction({ to: depository, value: AMOUNT, data: depositData(order) }))
      .to.emit(stage.depository, "RelayNativeDeposit")
      .withArgs(stage.user.address, AMOUNT, orderIdOf(order));
  });

  it("passes a token deposit within the terms of that token, and refuses one of another token", async () => {
    const { checked, depositData, depository, guard, policy, safe, stage } = await load();
    const asset = `0x${"77".repeat(20)}`;
    await guard.connect(safe).setPolicy({ ...policy, terms: { ...policy.terms, currency: asset } });
    const data = (token: string) => {
      const order = facetOrder(stage, AMOUNT, token);
      const call = stage.depository.interface.encodeFunctionData(
        "depositErc20(address,address,uint256,bytes32)",
        [stage.user.address, token, AMOUNT, orderIdOf(order)],
      );
      return concat([call, `0x${depositData(order).slice(2 + 2 * 68)}`]);
    };
    await checked(depository, 0n, data(asset));
    await expect(checked(depository, 0n, data(`0x${"78".repeat(20)}`))).to.be.revertedWithCustomError(
      guard,
      "CurrencyDiffers",
    );
  });

  it("refuses a deposit without an order, under another id, of another amount or for another depositor", async () => {
    const { checked, depositData, depository, guard, safe, stage } = await load();
    const library = await ethers.getContractAt("OrderTerms", guard);
    const order = facetOrder(stage, AMOUNT);
    const bare = depositData(order).slice(0, 2 + 2 * 68);
    await expect(checked(depository, AMOUNT, bare)).to.be.revertedWithCustomError(library, "VersionDiffers");
    await expect(
      checked(depository, AMOUNT, depositData(order, `0x${"11".repeat(32)}`)),
    ).to.be.revertedWithCustomError(guard, "OrderIdDiffers");
    await expect(checked(depository, AMOUNT - 1n, depositData(order))).to.be.revertedWithCustomError(
      library,
      "InputAmountDiffers",
    );
    await expect(
      checked(depository, AMOUNT, depositData(order, undefined, safe.address)),
    ).to.be.revertedWithCustomError(guard, "DepositorDiffers");
  });

  it("refuses every deposit of a Safe without a policy", async () => {
    const { checked, depositData, depository, guard, stage } = await load();
    const data = depositData(facetOrder(stage, AMOUNT), undefined, ZeroAddress);
    await expect(checked(depository, AMOUNT, data, CALL, stage.user)).to.be.revertedWithCustomError(
      guard,
      "DepositorDiffers",
    );
  });

  it("refuses delegatecalls and other functions of the depository, and passes other calls", async () => {
    const { checked, depository, guard, stage } = await load();
    const other = stage.refundTo.address;
    await expect(checked(other, 0n, "0x", DELEGATECALL)).to.be.revertedWithCustomError(
      guard,
      "DelegatecallRefused",
    );
    const whole = stage.depository.interface.encodeFunctionData("depositErc20(address,address,bytes32)", [
      other,
      other,
      ethers.ZeroHash,
    ]);
    for (const data of [whole, "0x", "0x12"]) {
      await expect(checked(depository, 0n, data)).to.be.revertedWithCustomError(
        guard,
        "DepositorySelectorRefused",
      );
    }
    await checked(other, 1n, "0x12345678");
  });

  it("refuses a policy whose depositor is zero or the Safe, and announces Safe's interface of guards", async () => {
    const { guard, policy, safe } = await load();
    const library = await ethers.getContractAt("OrderTerms", guard);
    for (const depositor of [ZeroAddress, safe.address]) {
      await expect(guard.connect(safe).setPolicy({ ...policy, depositor })).to.be.revertedWithCustomError(
        library,
        "DepositorInvalid",
      );
    }
    // ERC-165, and the id that Safe 1.4 and 1.5 ask a transaction guard for.
    expect(await guard.supportsInterface("0x01ffc9a7")).to.equal(true);
    expect(await guard.supportsInterface("0xe6d7a83a")).to.equal(true);
    expect(await guard.supportsInterface("0xffffffff")).to.equal(false);
  });
});
