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

async function deployStage() {
  return deployProxyStage(ethers);
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

describe("an open router that pays by the proxy", () => {
  for (const [minimumReceived, stolen] of [
    [0n, AMOUNT],
    [AMOUNT - 1n, 1n],
  ] as const) {
    it(`audit A1: a hook that the router was made to register cannot take ${stolen} between two pulls, with a minimum of ${minimumReceived}`, async () => {
      const { implementer, registry, stage, token: hooked } = await networkHelpers.loadFixture(registryStage);
      const router = await ethers.deployContract("Multicall3");
      const prey = await ethers.deployContract("GrantingToken");
      const call = (target: string, callData: string) => ({ target, allowFailure: false, callData });
      const grant = prey.interface.encodeFunctionData("grant", [await implementer.getAddress()]);
      await stage.executor.connect(stage.stranger).execute([], [step({ target: prey, data: grant })]);
      const hook = [
        await router.getAddress(),
        id("ERC777TokensSender"),
        await implementer.getAddress(),
      ] as const;
      const register = registry.interface.encodeFunctionData("setInterfaceImplementer", [...hook]);
      await router.connect(stage.stranger).aggregate3([call(REGISTRY, register)]);
      await implementer.arm(
        prey,
        prey.interface.encodeFunctionData("take", [
          await stage.executor.getAddress(),
          stage.stranger.address,
          stolen,
        ]),
      );

      await prey.mint(router, AMOUNT);
      await hooked.mint(router, AMOUNT);
      const tokens = [await prey.getAddress(), await hooked.getAddress()];
      const approve = hooked.interface.encodeFunctionData("approve", [
        await stage.proxy.getAddress(),
        MaxUint256,
      ]);
      const pay = stage.proxy.interface.encodeFunctionData("execute", [
        tokens.map((token) => asset(stage, { token, minimumReceived })),
        [],
      ]);
      const plan = [
        ...tokens.map((token) => call(token, approve)),
        call(await stage.proxy.getAddress(), pay),
      ];
      const reason = stage.proxy.interface.encodeErrorResult("ReceivedTooLittle", [
        tokens[0] as string,
        AMOUNT - stolen,
        AMOUNT,
      ]);
      const [, , paying] = await router.aggregate3.staticCall(
        plan.map((each) => ({ ...each, allowFailure: true })),
      );
      expect([paying?.success, paying?.returnData]).to.deep.equal([false, reason]);
      await expect(router.aggregate3(plan)).to.revert(ethers);
      expect(await prey.balanceOf(stage.stranger)).to.equal(0n);
      expect(await prey.balanceOf(router)).to.equal(AMOUNT);
    });
  }
});

describe("what a step brings in", () => {
  it("audit A10: an approval that no list names takes it within the step, and only minimumOutput reverts that", async () => {
    const stage = await networkHelpers.loadFixture(deployStage);
    const token = await ethers.deployContract("GrantingToken");
    const payee = await ethers.deployContract("ReentrantTarget");
    const grant = token.interface.encodeFunctionData("grant", [await payee.getAddress()]);
    const executor = await stage.executor.getAddress();
    // Mints to the executor, then pays the payee: one target stands for a swap that pays a referrer.
    const swap = await ethers.deployContract("Multicall3");
    const mint = token.interface.encodeFunctionData("mint", [executor, AMOUNT]);
    const data = swap.interface.encodeFunctionData("aggregate3", [
      [
        { target: await token.getAddress(), allowFailure: false, callData: mint },
        { target: await payee.getAddress(), allowFailure: false, callData: "0x" },
      ],
    ]);
    const steps = [step({ target: swap, data })];
    const theft = token.interface.encodeFunctionData("take", [executor, stage.stranger.address, AMOUNT]);
    await stage.executor.connect(stage.stranger).execute([], [step({ target: token, data: grant })]);
    const bought = asset(stage, { token: await token.getAddress() });

    await payee.arm(token, theft);
    await expect(entryOf(stage, "executor").execute([{ ...bought, minimumOutput: 1n }], steps))
      .to.be.revertedWithCustomError(stage.executor, "OutputTooLow")
      .withArgs(await token.getAddress(), 0n, 1n);
    await entryOf(stage, "executor").execute([bought], steps);
    expect(await token.balanceOf(stage.stranger)).to.equal(AMOUNT);
  });
});
