import { expect } from "chai";
import { id, MaxUint256 } from "ethers";
import { network } from "hardhat";
import { PERMIT2_ADDRESS, placePermit2 } from "../../helpers/contracts/permit2.ts";
import {
  asset,
  bring,
  deployProxyStage,
  ENTRIES,
  type Entry,
  entryOf,
  type ProxyStage,
  step,
} from "../../helpers/contracts/proxyStage.ts";
import type { TestToken } from "../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

const AMOUNT = 1_000n;
const TAKEN = 400n;
const REGISTRY = "0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24";
const MAX_UINT160 = 2n ** 160n - 1n;
const MAX_UINT48 = 2n ** 48n - 1n;

const permit2 = new ethers.Interface([
  "function approve(address token, address spender, uint160 amount, uint48 expiration)",
  "function transferFrom(address from, address to, uint160 amount, address token)",
]);

/** The victim's target is honest: it pulls its part by the approval, and pays a payee of the attacker's choice. */
async function partiesOf(stage: ProxyStage) {
  return {
    stage,
    paying: await ethers.deployContract("PayingTarget"),
    payee: await ethers.deployContract("ReentrantTarget"),
  };
}

async function permit2Stage() {
  const parties = await partiesOf(await deployProxyStage(ethers));
  await placePermit2(ethers);
  const token = (await ethers.deployContract("SoladyToken")) as unknown as TestToken;
  const planting = permit2.encodeFunctionData("approve", [
    await token.getAddress(),
    await parties.payee.getAddress(),
    MAX_UINT160,
    MAX_UINT48,
  ]);
  return { ...parties, planting, token };
}

async function registryStage() {
  const stage = await deployProxyStage(ethers);
  const deployed = await ethers.deployContract("HookRegistry");
  await ethers.provider.send("hardhat_setCode", [REGISTRY, await ethers.provider.getCode(deployed)]);
  const registry = await ethers.getContractAt("HookRegistry", REGISTRY);
  const token = (await ethers.deployContract("HookedToken")) as unknown as TestToken;
  const implementer = await ethers.deployContract("ReentrantTarget");
  return { implementer, registry, stage, token };
}

type Victim = Awaited<ReturnType<typeof permit2Stage>>;

/** The victim's call, without any minimum. */
async function victimsCall({ paying, payee, stage, token }: Victim, entry: Entry, name: "spend" | "execute") {
  await bring(stage, entry, token, AMOUNT);
  const address = await token.getAddress();
  const data = paying.interface.encodeFunctionData("takeAndPay", [
    0n,
    address,
    TAKEN,
    await payee.getAddress(),
  ]);
  const contract = entryOf(stage, entry);
  return name === "spend"
    ? contract.spend(address, 0n, paying, 4n, data, stage.recipient)
    : contract.execute(
        [asset(stage, { token: address })],
        [step({ target: paying, approvedToken: address, data, splices: [{ offset: 4n, token: address }] })],
      );
}

describe("a stranger's approval of the executor's tokens at Permit2", () => {
  it("a step cannot plant an approval of the executor's tokens at Permit2", async () => {
    const { planting, stage } = await networkHelpers.loadFixture(permit2Stage);
    const steps = [step({ target: PERMIT2_ADDRESS, data: planting })];
    for (const entry of ENTRIES) {
      await expect(entryOf(stage, entry).execute([], steps))
        .to.be.revertedWithCustomError(stage.executor, "StandingApprovalRefused")
        .withArgs(0n, "0x87517c45");
    }
  });

  for (const entry of ENTRIES) {
    for (const name of ["spend", "execute"] as const) {
      it(`an approval planted at Permit2 takes nothing in ${name} by the ${entry}, which has no minimum`, async () => {
        const victim = await networkHelpers.loadFixture(permit2Stage);
        const { payee, planting, stage, token } = victim;
        // Stands for an approving function that no list contains.
        await networkHelpers.impersonateAccount(await stage.executor.getAddress());
        await networkHelpers.setBalance(await stage.executor.getAddress(), 10n ** 18n);
        const executor = await ethers.getSigner(await stage.executor.getAddress());
        await executor.sendTransaction({ to: PERMIT2_ADDRESS, data: planting });
        expect(await token.allowance(stage.executor, PERMIT2_ADDRESS)).to.equal(MaxUint256);
        const theft = (amount: bigint) =>
          permit2.encodeFunctionData("transferFrom", [
            executor.address,
            stage.stranger.address,
            amount,
            token.target,
          ]);

        await payee.arm(PERMIT2_ADDRESS, theft(AMOUNT - TAKEN));
        await expect(victimsCall(victim, entry, name))
          .to.be.revertedWithCustomError(stage.executor, "UnapprovedOutflow")
          .withArgs(0n, await token.getAddress(), 0n, AMOUNT - TAKEN);
        expect(await token.balanceOf(stage.stranger)).to.equal(0n);
        expect(await token.balanceOf(entry === "proxy" ? stage.caller : stage.executor)).to.equal(AMOUNT);
      });
    }
  }
});

describe("the registry of ERC-1820", () => {
  it("every function of the ERC-1820 registry is rejected as a target, so that no hook and no manager is registered", async () => {
    const { implementer, registry, stage } = await networkHelpers.loadFixture(registryStage);
    const executor = await stage.executor.getAddress();
    const hook = [executor, id("ERC777TokensRecipient"), await implementer.getAddress()] as const;
    const calls = [
      registry.interface.encodeFunctionData("setInterfaceImplementer", [...hook]),
      registry.interface.encodeFunctionData("setManager", [executor, stage.stranger.address]),
    ];
    for (const entry of ENTRIES) {
      const contract = entryOf(stage, entry);
      for (const data of calls) {
        const execution = {
          assets: [],
          nftRecipient: stage.recipient.address,
          steps: [step({ target: REGISTRY, data })],
        };
        const token = await ethers.deployContract("PlainToken");
        await bring(stage, entry, token, AMOUNT);
        // The balance is written into a word after the arguments.
        const offset = BigInt(ethers.dataLength(data));
        const longer = `${data}${"00".repeat(32)}`;
        for (const call of [
          contract.execute([], execution.steps),
          contract.executeWithNftRecipient(execution),
          contract.spend(token, 0n, REGISTRY, offset, longer, stage.recipient),
        ]) {
          await expect(call)
            .to.be.revertedWithCustomError(stage.executor, "RegistryRefused")
            .withArgs(0n, REGISTRY);
        }
      }
    }
    expect(await registry.getManager(executor)).to.equal(executor);
    expect(await registry.getInterfaceImplementer(executor, hook[1])).to.equal(ethers.ZeroAddress);
  });

  it("the registry holds no hook of the executor, so that a token with hooks passes both entries whole", async () => {
    const { implementer, registry, stage, token } = await networkHelpers.loadFixture(registryStage);
    const executor = await stage.executor.getAddress();
    const plant = registry.interface.encodeFunctionData("setInterfaceImplementer", [
      executor,
      id("ERC777TokensRecipient"),
      await implementer.getAddress(),
    ]);
    const planting = [step({ target: REGISTRY, data: plant })];
    await stage.executor
      .connect(stage.stranger)
      .execute([], planting)
      .catch(() => undefined);
    const loot = asset(stage, { token: await token.getAddress(), recipient: stage.stranger.address });
    await implementer.arm(
      stage.executor,
      stage.executor.interface.encodeFunctionData("execute", [[loot], []]),
    );
    for (const entry of ENTRIES) {
      await bring(stage, entry, token, AMOUNT);
      await entryOf(stage, entry).execute([asset(stage, { token })], []);
    }
    expect(await implementer.fired()).to.equal(0n);
    expect(await token.balanceOf(stage.stranger)).to.equal(0n);
    expect(await token.balanceOf(stage.recipient)).to.equal(2n * AMOUNT);
  });
});
