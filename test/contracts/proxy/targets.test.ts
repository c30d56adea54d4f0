import { expect } from "chai";
import type { BaseContract } from "ethers";
import { network } from "hardhat";
import { ownGas, traceLatest } from "../../helpers/contracts/callTrace.ts";
import { libraryErrors, reentrancyReason } from "../../helpers/contracts/libraryErrors.ts";
import {
  asset,
  bring,
  deployProxyStage,
  ENTRIES,
  entryOf,
  type ProxyStage,
  step,
} from "../../helpers/contracts/proxyStage.ts";
import { deployToken } from "../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

const AMOUNT = 1_000_000n;
const MAX_REASON_BYTES = 1024;
const BOMB_BYTES = 200_000n;
/** No known function, and a word for the balance. */
const ANY_CALL = `0xdeadbeef${"00".repeat(32)}`;

async function tokenStage() {
  const stage = await deployProxyStage(ethers);
  return { stage, token: await deployToken(ethers, "LocalToken") };
}

/** The calldata of a call that would sweep the executor's token to a stranger. */
async function theftOf(stage: ProxyStage, token: BaseContract): Promise<string> {
  return stage.executor.interface.encodeFunctionData("execute", [
    [asset(stage, { token: await token.getAddress(), recipient: stage.stranger.address })],
    [],
  ]);
}

for (const entry of ENTRIES) {
  describe(`the ${entry}, with adversarial targets`, () => {
    async function spendOn(stage: ProxyStage, token: BaseContract, target: BaseContract | string) {
      await bring(stage, entry, token, AMOUNT);
      return entryOf(stage, entry).spend(token, AMOUNT, target, 4n, ANY_CALL, stage.recipient, {
        gasLimit: 3_000_000n,
      });
    }

    it("refuses a target without code, naming the step and the target", async () => {
      const { stage, token } = await networkHelpers.loadFixture(tokenStage);
      await expect(spendOn(stage, token, stage.stranger.address))
        .to.be.revertedWithCustomError(stage.executor, "TargetHasNoCode")
        .withArgs(0n, stage.stranger.address);
      await expect(
        entryOf(stage, entry).execute(
          [],
          [
            step({ target: await token.getAddress(), data: token.interface.encodeFunctionData("symbol") }),
            step({ target: stage.stranger.address }),
          ],
        ),
      )
        .to.be.revertedWithCustomError(stage.executor, "TargetHasNoCode")
        .withArgs(1n, stage.stranger.address);
    });

    it("keeps index, target and inner reason of a step that fails", async () => {
      const { stage, token } = await networkHelpers.loadFixture(tokenStage);
      const target = await ethers.deployContract("RejectingRecipient");
      const reason = target.interface.encodeErrorResult("Rejected", [0n]);
      await expect(spendOn(stage, token, target))
        .to.be.revertedWithCustomError(stage.executor, "StepFailed")
        .withArgs(0n, await target.getAddress(), reason);
      expect(await token.balanceOf(entry === "proxy" ? stage.caller : stage.executor)).to.equal(AMOUNT);
    });

    it("refuses a target that calls the executor back for the money it holds", async () => {
      const { stage, token } = await networkHelpers.loadFixture(tokenStage);
      const target = await ethers.deployContract("ReentrantTarget");
      await target.arm(stage.executor, await theftOf(stage, token));

      await spendOn(stage, token, target);

      expect(await target.fired()).to.equal(1n);
      expect(await target.lastSuccess()).to.equal(false);
      expect(await target.lastReturnData()).to.equal(reentrancyReason());
      expect(await token.balanceOf(stage.recipient)).to.equal(AMOUNT);
      expect(await token.balanceOf(stage.stranger)).to.equal(0n);
    });

    it("refuses a target that calls the executor back through the proxy", async () => {
      const { stage, token } = await networkHelpers.loadFixture(tokenStage);
      const target = await ethers.deployContract("ReentrantTarget");
      await target.arm(stage.proxy, await theftOf(stage, token));
      await spendOn(stage, token, target);
      expect(await target.lastSuccess()).to.equal(false);
      expect(await target.lastReturnData()).to.equal(reentrancyReason());
      expect(await token.balanceOf(stage.recipient)).to.equal(AMOUNT);
    });

    it("fails a step that targets the executor itself, with Reentrancy as the inner reason", async () => {
      const { stage, token } = await networkHelpers.loadFixture(tokenStage);
      const target = await stage.executor.getAddress();
      await expect(entryOf(stage, entry).execute([], [step({ target, data: await theftOf(stage, token) })]))
        .to.be.revertedWithCustomError(stage.executor, "StepFailed")
        .withArgs(0n, target, reentrancyReason());
    });

    it("can be used again in the same block after a call that failed", async () => {
      const { stage, token } = await networkHelpers.loadFixture(tokenStage);
      const rejecting = await ethers.deployContract("RejectingRecipient");
      const willing = await ethers.deployContract("ReentrantTarget");
      await spendOn(stage, token, rejecting).catch(() => undefined);
      await spendOn(stage, token, willing);
      expect(await token.balanceOf(stage.executor)).to.equal(0n);
    });

    it("cuts the reason of a target that reverts with a huge buffer", async () => {
      const { stage, token } = await networkHelpers.loadFixture(tokenStage);
      const bomb = await ethers.deployContract("ReturndataBomb", [BOMB_BYTES, true]);
      await expect(spendOn(stage, token, bomb))
        .to.be.revertedWithCustomError(stage.executor, "StepFailed")
        .withArgs(0n, await bomb.getAddress(), ethers.hexlify(new Uint8Array(MAX_REASON_BYTES)));
    });

    for (const reverts of [true, false]) {
      it(`does not pay for the answer of a target that ${reverts ? "reverts" : "returns"} with a huge buffer`, async () => {
        const { stage, token } = await networkHelpers.loadFixture(tokenStage);
        const bomb = await ethers.deployContract("ReturndataBomb", [BOMB_BYTES, reverts]);
        await spendOn(stage, token, bomb).catch(() => undefined);
        const called = entry === "proxy" ? stage.proxy : stage.executor;
        const trace = await traceLatest(ethers, await called.getAddress());
        const executorCall =
          entry === "proxy" ? trace.calls?.find(({ to }) => to === executorOf(stage)) : trace;
        if (executorCall === undefined) throw new Error("The executor was not called.");
        // Copying the bomb would alone cost 113,000; the executor's own work is below 40,000.
        expect(Number(ownGas(executorCall))).to.be.below(40_000);
        expect(await token.balanceOf(stage.recipient)).to.equal(reverts ? 0n : AMOUNT);
      });
    }

    it("gives a gas-hungry target all it needs and fails by name when there is too little", async () => {
      const { stage, token } = await networkHelpers.loadFixture(tokenStage);
      const burner = await ethers.deployContract("GasBurningRecipient", [1_000_000n]);
      await spendOn(stage, token, burner);
      expect(await token.balanceOf(stage.recipient)).to.equal(AMOUNT);

      const greedy = await ethers.deployContract("GasBurningRecipient", [5_000_000n]);
      await expect(spendOn(stage, token, greedy))
        .to.be.revertedWithCustomError(stage.executor, "StepFailed")
        .withArgs(0n, await greedy.getAddress(), "0x");
    });

    it("moves nothing when the recipient of native currency rejects it", async () => {
      const stage = await networkHelpers.loadFixture(async function bare() {
        return deployProxyStage(ethers);
      });
      const recipient = await ethers.deployContract("RejectingRecipient");
      await expect(
        entryOf(stage, entry).execute([asset(stage, { recipient: await recipient.getAddress() })], [], {
          value: 5n,
        }),
      ).to.be.revertedWithCustomError(libraryErrors, "ETHTransferFailed");
    });

    it("refuses a recipient that calls back from within the sweep", async () => {
      const { stage, token } = await networkHelpers.loadFixture(tokenStage);
      const recipient = await ethers.deployContract("ReentrantTarget");
      await bring(stage, entry, token, AMOUNT);
      await recipient.arm(stage.executor, await theftOf(stage, token));
      await entryOf(stage, entry).execute(
        // Native currency is swept first, while the token is still there to be stolen.
        [asset(stage, { recipient: await recipient.getAddress() }), asset(stage, { token })],
        [],
        { value: 5n },
      );
      expect(await recipient.lastReturnData()).to.equal(reentrancyReason());
      expect(await token.balanceOf(stage.recipient)).to.equal(AMOUNT);
      expect(await ethers.provider.getBalance(recipient)).to.equal(5n);
    });
  });
}

function executorOf(stage: ProxyStage): string {
  return (stage.executor.target as string).toLowerCase();
}
