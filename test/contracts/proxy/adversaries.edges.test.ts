import { expect } from "chai";
import { getCreate2Address, keccak256, ZeroHash } from "ethers";
import { network } from "hardhat";
import { libraryErrors, reentrancyReason } from "../../helpers/contracts/libraryErrors.ts";
import {
  asset,
  bring,
  ENTRIES,
  entryOf,
  expectNothingLeft,
  step,
} from "../../helpers/contracts/proxyStage.ts";
import { deployToken } from "../../helpers/contracts/tokens.ts";
import { bringMoney, makeCall, PATHS } from "./support/matrixPaths.ts";
import { AMOUNT, balancesOf, deployMatrixStage, peacefulScene } from "./support/matrixScene.ts";

const { ethers, networkHelpers } = await network.create();

const VALUE = 1_000n;
const ANY_CALL = "0xdeadbeef";

async function matrixStage() {
  return deployMatrixStage(ethers);
}

describe("a rebasing token that leaves a part of a unit", () => {
  it("a rebasing token's fraction of a unit cannot be moved, and reaches the next caller once it is a unit", async () => {
    const stage = await networkHelpers.loadFixture(matrixStage);
    const token = await ethers.deployContract("RebasingToken");
    await bring(stage, "executor", token, AMOUNT);
    await token.rebase(1n, 2n);
    const sweep = (recipient: string) =>
      stage.executor.execute([asset(stage, { token, recipient, minimumOutput: 1n })], []);
    await sweep(stage.recipient.address);
    expect(await token.balanceOf(stage.recipient)).to.equal(AMOUNT / 2n);
    await expectNothingLeft(stage, token);

    await token.rebase(2n, 1n);
    expect(await token.balanceOf(stage.executor)).to.equal(1n);
    await sweep(stage.stranger.address);
    expect(await token.balanceOf(stage.stranger)).to.equal(1n);
    await expectNothingLeft(stage, token);
  });

  it("a rebase that shrinks the recipient's balance counts against the minimum output", async () => {
    const stage = await networkHelpers.loadFixture(matrixStage);
    const token = await ethers.deployContract("RebasingToken");
    await token.mint(stage.recipient, AMOUNT);
    await bring(stage, "executor", token, 2n);
    const halve = step({ target: token, data: token.interface.encodeFunctionData("rebase", [1n, 2n]) });
    await expect(stage.executor.execute([asset(stage, { token, minimumOutput: 1n })], [halve]))
      .to.be.revertedWithCustomError(stage.executor, "OutputTooLow")
      .withArgs(await token.getAddress(), 0n, 1n);
  });
});

describe("the proxy's pull of tokens", () => {
  it("skips a token without a balance that reverts on transfers of zero", async () => {
    const stage = await networkHelpers.loadFixture(matrixStage);
    const token = await deployToken(ethers, "RevertsOnZeroToken");
    await stage.proxy.connect(stage.caller).execute([asset(stage, { token })], []);
    await expectNothingLeft(stage, token);
  });

  it("pulling a later, hostile token lets no account act on a token that has arrived", async () => {
    const stage = await networkHelpers.loadFixture(matrixStage);
    const token = await deployToken(ethers, "LocalToken");
    const hostile = await ethers.deployContract("ReentrantToken");
    await bring(stage, "proxy", token, AMOUNT);
    await bring(stage, "proxy", hostile, AMOUNT);
    const theft = stage.executor.interface.encodeFunctionData("execute", [
      [asset(stage, { token: await token.getAddress(), recipient: stage.stranger.address })],
      [],
    ]);
    await hostile.arm(stage.executor, theft);

    // Without a minimum, so that only the lock prevents the theft.
    await stage.proxy
      .connect(stage.caller)
      .execute([asset(stage, { token, minimumReceived: 0n }), asset(stage, { token: hostile })], []);
    expect([await hostile.lastSuccess(), await hostile.lastReturnData()]).to.deep.equal([
      false,
      reentrancyReason(),
    ]);
    expect(await token.balanceOf(stage.stranger)).to.equal(0n);
    expect(await token.balanceOf(stage.recipient)).to.equal(AMOUNT);
  });
});

for (const entry of ENTRIES) {
  describe(`steps of the ${entry} that target the executor`, () => {
    it(`a step of the ${entry} that targets the executor fails with Reentrancy as the inner reason`, async () => {
      const stage = await networkHelpers.loadFixture(matrixStage);
      const loot = asset(stage, { recipient: stage.stranger.address });
      const target = await stage.executor.getAddress();
      const data = stage.executor.interface.encodeFunctionData("execute", [[loot], []]);
      await expect(entryOf(stage, entry).execute([], [step({ target, data })]))
        .to.be.revertedWithCustomError(stage.executor, "StepFailed")
        .withArgs(0n, target, reentrancyReason());
    });
  });
}

describe("a token that has blocked the executor", () => {
  for (const [name, path] of Object.entries(PATHS)) {
    if (path.supply !== "pulled by the proxy") continue;
    it(`a token that has blocked the executor is not pulled, by ${name}`, async () => {
      const stage = await networkHelpers.loadFixture(matrixStage);
      const token = await ethers.deployContract("BlocklistToken");
      const scene = await peacefulScene(stage, token);
      await bringMoney(stage, path, scene);
      await token.setBlocked(stage.executor, true);
      const before = await balancesOf(stage, scene);
      await expect(makeCall(stage, path, scene, 1n, false)).to.be.revertedWithCustomError(
        libraryErrors,
        "TransferFromFailed",
      );
      expect(await balancesOf(stage, scene)).to.deep.equal(before);
    });
  }

  it("audit A5: a token that has blocked one proxy's executor works by another proxy", async () => {
    const stage = await networkHelpers.loadFixture(matrixStage);
    const token = await ethers.deployContract("BlocklistToken");
    await token.setBlocked(stage.executor, true);
    const proxy = await ethers.deployContract("BalanceProxy");
    await token.mint(stage.caller, AMOUNT);
    await token.connect(stage.caller).approve(proxy, AMOUNT);
    await proxy.connect(stage.caller).execute([asset(stage, { token })], []);
    expect(await token.balanceOf(stage.recipient)).to.equal(AMOUNT);
  });

  it("funds sent ahead in a token that has blocked the executor stay there until it is unblocked", async () => {
    const stage = await networkHelpers.loadFixture(matrixStage);
    const token = await ethers.deployContract("BlocklistToken");
    await bring(stage, "executor", token, AMOUNT);
    await token.setBlocked(stage.executor, true);
    const sweep = () => stage.executor.execute([asset(stage, { token })], []);
    await expect(sweep()).to.be.revertedWithCustomError(libraryErrors, "TransferFailed");
    await token.setBlocked(stage.executor, false);
    await sweep();
    expect(await token.balanceOf(stage.recipient)).to.equal(AMOUNT);
  });
});

for (const entry of ENTRIES) {
  describe(`targets that destroy themselves, by the ${entry}`, () => {
    it(`the ${entry} calls a target that destroys itself; in the next call the target has no code`, async () => {
      const stage = await networkHelpers.loadFixture(matrixStage);
      const maker = await ethers.deployContract("BriefTargets");
      const { bytecode } = await ethers.getContractFactory("SelfDestructingTarget");
      const target = getCreate2Address(await maker.getAddress(), ZeroHash, keccak256(bytecode));
      const make = step({
        target: maker,
        value: VALUE,
        data: maker.interface.encodeFunctionData("make", [ZeroHash]),
      });
      const call = step({ target, data: ANY_CALL });
      const native = [asset(stage, { minimumOutput: VALUE })];

      await expect(
        entryOf(stage, entry).execute(native, [make, call], { value: VALUE }),
      ).to.changeEtherBalances(ethers, [stage.recipient, stage.executor, stage.proxy], [VALUE, 0n, 0n]);
      expect(await ethers.provider.getCode(target)).to.equal("0x");
      await expect(entryOf(stage, entry).execute([], [call]))
        .to.be.revertedWithCustomError(stage.executor, "TargetHasNoCode")
        .withArgs(0n, target);
    });

    it(`a target that destroys itself cannot leave native currency that no asset names, by the ${entry}`, async () => {
      const stage = await networkHelpers.loadFixture(matrixStage);
      const target = await ethers.deployContract("SelfDestructingTarget", { value: VALUE });
      const call = step({ target, data: ANY_CALL });
      await expect(entryOf(stage, entry).execute([], [call, call]))
        .to.be.revertedWithCustomError(stage.executor, "NativeLeftBehind")
        .withArgs(VALUE);
      await expect(entryOf(stage, entry).execute([asset(stage, {})], [call, call])).to.changeEtherBalances(
        ethers,
        [stage.recipient, stage.executor],
        [VALUE, 0n],
      );
    });
  });
}
