import { expect } from "chai";
import type { BaseContract } from "ethers";
import { network } from "hardhat";
import { libraryErrors, reentrancyReason } from "../../helpers/contracts/libraryErrors.ts";
import {
  asset,
  bring,
  DEPOSITORY_ID_OFFSET,
  deployProxyStage,
  depositCalldata,
  ENTRIES,
  type Entry,
  entryOf,
  expectNothingLeft,
  type ProxyStage,
  step,
} from "../../helpers/contracts/proxyStage.ts";
import { deployToken, type TestToken, wellPayingTokens } from "../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

const AMOUNT = 1_000_000n;

async function stageOnly() {
  return deployProxyStage(ethers);
}

/** Spends the whole balance of a token, of which the depository takes `taken`. */
async function spendOnDepository(stage: ProxyStage, entry: Entry, token: BaseContract, taken: bigint) {
  const data = await depositCalldata(stage, token, taken);
  return entryOf(stage, entry).spend(
    token,
    0n,
    stage.depository,
    DEPOSITORY_ID_OFFSET,
    data,
    stage.recipient,
  );
}

/** The same through `execute`, which sweeps what is left to the recipient. */
async function executeOnDepository(stage: ProxyStage, entry: Entry, token: BaseContract, taken: bigint) {
  const tokenAddress = await token.getAddress();
  return entryOf(stage, entry).execute(
    [asset(stage, { token: tokenAddress })],
    [
      step({
        target: stage.depository,
        approvedToken: tokenAddress,
        data: await depositCalldata(stage, token, taken),
        splices: [{ offset: DEPOSITORY_ID_OFFSET, token: tokenAddress }],
      }),
    ],
  );
}

const FUNCTIONS = { spend: spendOnDepository, execute: executeOnDepository };
const WAYS = ENTRIES.flatMap((entry) =>
  Object.entries(FUNCTIONS).map(([name, call]) => ({ entry, way: `${name} on the ${entry}`, call })),
);

for (const { entry, way, call } of WAYS) {
  describe(`${way}, with awkward tokens`, () => {
    for (const name of wellPayingTokens) {
      it(`hands ${name} to a target that takes everything, again and again`, async () => {
        const stage = await networkHelpers.loadFixture(stageOnly);
        const token = await deployToken(ethers, name);
        for (const round of [1n, 2n]) {
          await bring(stage, entry, token, AMOUNT);
          await call(stage, entry, token, AMOUNT);
          expect(await token.balanceOf(stage.depository)).to.equal(round * AMOUNT);
          await expectNothingLeft(stage, token);
        }
      });
    }

    for (const name of wellPayingTokens.filter((each) => each !== "RevertsOnZeroToken")) {
      it(`takes the approval of ${name} back from a target that takes a part, and sweeps the rest`, async () => {
        const stage = await networkHelpers.loadFixture(stageOnly);
        const token = await deployToken(ethers, name);
        for (const round of [1n, 2n]) {
          await bring(stage, entry, token, AMOUNT);
          await call(stage, entry, token, AMOUNT / 4n);
          expect(await token.balanceOf(stage.depository)).to.equal((round * AMOUNT) / 4n);
          expect(await token.balanceOf(stage.recipient)).to.equal((round * AMOUNT * 3n) / 4n);
          await expectNothingLeft(stage, token);
        }
      });
    }

    it("refuses a partial spend of a token whose approval cannot be taken back", async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      const token = await deployToken(ethers, "RevertsOnZeroToken");
      await bring(stage, entry, token, AMOUNT);
      await expect(call(stage, entry, token, AMOUNT / 4n)).to.be.revertedWithCustomError(
        libraryErrors,
        "ApproveFailed",
      );
    });

    it("works with what is left of a token that takes a fee", async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      const token = await ethers.deployContract("FeeOnTransferToken", [1_000]);
      await bring(stage, entry, token, AMOUNT);
      const arrived = entry === "proxy" ? (AMOUNT * 9n) / 10n : AMOUNT;
      await expect(call(stage, entry, token, AMOUNT / 2n))
        .to.emit(stage.depository, "RelayErc20Deposit")
        .withArgs(
          stage.recipient.address,
          await token.getAddress(),
          AMOUNT / 2n,
          // The balance as it was written into the calldata.
          ethers.toBeHex(arrived, 32),
        );
      expect(await token.balanceOf(stage.recipient)).to.equal(((arrived - AMOUNT / 2n) * 9n) / 10n);
      await expectNothingLeft(stage, token);
    });

    for (const [refusal, error, refusals] of [
      ["its approval", "ApproveFailed", [false, false, true]],
      ["its sweep", "TransferFailed", [true, false, false]],
    ] as const) {
      it(`refuses a token that returns false for ${refusal}`, async () => {
        const stage = await networkHelpers.loadFixture(stageOnly);
        const token = await ethers.deployContract("ReturnsFalseToken");
        await token.setRefusals(false, false, false);
        await bring(stage, entry, token, AMOUNT);
        await token.setRefusals(...refusals);
        await expect(call(stage, entry, token, AMOUNT / 2n)).to.be.revertedWithCustomError(
          libraryErrors,
          error,
        );
        expect(await token.balanceOf(stage.depository)).to.equal(0n);
      });
    }

    it("moves nothing when the token has blocked whom the rest is swept to", async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      const token = await ethers.deployContract("BlocklistToken");
      await token.setBlocked(stage.recipient, true);
      await bring(stage, entry, token, AMOUNT);
      await expect(call(stage, entry, token, AMOUNT / 2n)).to.be.revertedWithCustomError(
        libraryErrors,
        "TransferFailed",
      );
      expect(await token.balanceOf(entry === "proxy" ? stage.caller : stage.executor)).to.equal(AMOUNT);
    });

    it("refuses a token that calls the executor back from within its sweep", async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      const token = await ethers.deployContract("ReentrantToken");
      await bring(stage, entry, token, AMOUNT);
      const theft = stage.executor.interface.encodeFunctionData("execute", [
        [asset(stage, { token: await token.getAddress(), recipient: stage.stranger.address })],
        [],
      ]);
      // From within transferFrom of the proxy the executor is not at work yet; arm for what comes after.
      await armWhileExecutorWorks(stage, entry, token, theft);

      await call(stage, entry, token, AMOUNT / 2n);

      expect(await token.fired()).to.equal(1n);
      expect(await token.lastSuccess()).to.equal(false);
      expect(await token.lastReturnData()).to.equal(reentrancyReason());
      expect(await token.balanceOf(stage.stranger)).to.equal(0n);
      await expectNothingLeft(stage, token);
    });
  });
}

/** Sends ahead what the proxy would pull, so that the first transfer of the call is one the executor makes. */
async function armWhileExecutorWorks(
  stage: ProxyStage,
  entry: Entry,
  token: BaseContract & { arm(target: BaseContract, data: string): Promise<unknown> },
  data: string,
) {
  const asToken = token as BaseContract as TestToken;
  if (entry === "proxy") {
    await asToken.connect(stage.caller).approve(stage.proxy, 0n);
    await asToken.mint(stage.executor, AMOUNT);
  }
  await token.arm(stage.executor, data);
}

describe("the proxy's pull, with awkward tokens", () => {
  it("refuses a token that returns false", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const token = await ethers.deployContract("ReturnsFalseToken");
    await token.setRefusals(false, true, false);
    await bring(stage, "proxy", token, AMOUNT);
    for (const call of Object.values(FUNCTIONS)) {
      await expect(call(stage, "proxy", token, AMOUNT)).to.be.revertedWithCustomError(
        libraryErrors,
        "TransferFromFailed",
      );
    }
    expect(await token.balanceOf(stage.caller)).to.equal(AMOUNT);
  });

  it("refuses a token that has blocked the caller", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const token = await ethers.deployContract("BlocklistToken");
    await bring(stage, "proxy", token, AMOUNT);
    await token.setBlocked(stage.caller, true);
    await expect(spendOnDepository(stage, "proxy", token, AMOUNT)).to.be.revertedWithCustomError(
      libraryErrors,
      "TransferFromFailed",
    );
  });

  it("skips a token that is not there, which reverts when zero is moved", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const token = await deployToken(ethers, "RevertsOnZeroToken");
    await stage.proxy.connect(stage.caller).execute([asset(stage, { token })], []);
    await expectNothingLeft(stage, token);
  });

  it("refuses an account without code that is named as a token", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    for (const entry of ENTRIES) {
      await expect(
        entryOf(stage, entry).spend(stage.stranger, 7n, stage.depository, 4n, "0x", stage.recipient),
      )
        .to.be.revertedWithCustomError(stage.executor, "TokenHasNoCode")
        .withArgs(stage.stranger.address);
    }
  });

  it("lets no account act on an arrived token while a later, hostile one is pulled", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const token = await deployToken(ethers, "LocalToken");
    const hostile = await ethers.deployContract("ReentrantToken");
    await bring(stage, "proxy", token, AMOUNT);
    await bring(stage, "proxy", hostile, AMOUNT);
    const theft = stage.executor.interface.encodeFunctionData("execute", [
      [asset(stage, { token: await token.getAddress(), recipient: stage.stranger.address })],
      [],
    ]);
    await hostile.arm(stage.executor, theft);

    // Without a minimum, so that nothing but the hold stands in the way.
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
