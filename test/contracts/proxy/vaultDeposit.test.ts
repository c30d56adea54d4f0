import { expect } from "chai";
import { type BaseContract, hexlify } from "ethers";
import { network } from "hardhat";
import { ownGas, traceLatest } from "../../helpers/contracts/callTrace.ts";
import { libraryErrors, reentrancyReason } from "../../helpers/contracts/libraryErrors.ts";
import {
  asset,
  bring,
  deployProxyStage,
  expectNothingLeft,
  step,
} from "../../helpers/contracts/proxyStage.ts";
import { deployToken, type TestToken, wellPayingTokens } from "../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

const AMOUNT = 1_000_000n;
const MAX_REASON_BYTES = 1024;

async function vaultStage() {
  return deployProxyStage(ethers);
}

/** A vault that takes a part of a token, in percent, and reports one share. */
async function oddVault(token: BaseContract, percent: bigint) {
  const vault = await ethers.deployContract("OddVault", [token]);
  await vault.set(percent, 1n, 32n);
  return vault;
}

async function load() {
  const stage = await networkHelpers.loadFixture(vaultStage);
  const deposit = (token: BaseContract, vault: BaseContract | string, minimum = 0n) =>
    stage.proxy
      .connect(stage.caller)
      .depositErc4626(vault, token, minimum, stage.recipient, { gasLimit: 3_000_000n });
  const depositData = async (token: BaseContract, vault: BaseContract, receiver: string) =>
    stage.proxy.interface.encodeFunctionData("depositErc4626", [
      await vault.getAddress(),
      await token.getAddress(),
      0n,
      receiver,
    ]);
  return { deposit, depositData, stage };
}

describe("depositErc4626, with awkward tokens", () => {
  for (const name of [...wellPayingTokens, "SoladyToken"] as const) {
    it(`deposits all of ${name} into the vault and mints the shares to the receiver, on each repetition`, async () => {
      const { deposit, stage } = await load();
      const token =
        name === "SoladyToken"
          ? ((await ethers.deployContract(name)) as unknown as TestToken)
          : await deployToken(ethers, name);
      const vault = await ethers.deployContract("LocalVault", [token, "Vault", "vLUSD"]);
      for (const round of [1n, 2n]) {
        await bring(stage, "proxy", token, AMOUNT);
        await deposit(token, vault);
        expect(await vault.balanceOf(stage.recipient)).to.equal(round * AMOUNT);
        expect(await token.balanceOf(vault)).to.equal(round * AMOUNT);
        expect(await vault.balanceOf(stage.proxy)).to.equal(0n);
        await expectNothingLeft(stage, token, vault);
      }
    });
  }

  for (const name of wellPayingTokens.filter((each) => each !== "RevertsOnZeroToken")) {
    it(`revokes the approval of ${name} from a vault that takes a part, and sweeps the rest`, async () => {
      const { deposit, stage } = await load();
      const token = await deployToken(ethers, name);
      const vault = await oddVault(token, 25n);
      for (const round of [1n, 2n]) {
        await bring(stage, "proxy", token, AMOUNT);
        await deposit(token, vault);
        expect(await token.balanceOf(vault)).to.equal((round * AMOUNT) / 4n);
        expect(await token.balanceOf(stage.recipient)).to.equal((round * AMOUNT * 3n) / 4n);
        await expectNothingLeft(stage, token, vault);
      }
    });
  }

  it("rejects a partial deposit of a token whose approval cannot be revoked", async () => {
    const { deposit, stage } = await load();
    const token = await deployToken(ethers, "RevertsOnZeroToken");
    await bring(stage, "proxy", token, AMOUNT);
    await expect(deposit(token, await oddVault(token, 25n))).to.be.revertedWithCustomError(
      libraryErrors,
      "ApproveFailed",
    );
    expect(await token.balanceOf(stage.caller)).to.equal(AMOUNT);
  });

  it("deposits the rest of a token that takes a fee, if the minimum allows for the fee", async () => {
    const { deposit, stage } = await load();
    const token = await ethers.deployContract("FeeOnTransferToken", [1_000]);
    const vault = await oddVault(token, 100n);
    await bring(stage, "proxy", token, AMOUNT);
    const rest = (AMOUNT * 9n) / 10n;
    await expect(deposit(token, vault))
      .to.be.revertedWithCustomError(stage.proxy, "ReceivedTooLittle")
      .withArgs(await token.getAddress(), rest, AMOUNT);
    await deposit(token, vault, rest);
    expect(await vault.lastAllowance()).to.equal(rest);
    await expectNothingLeft(stage, token, vault);
  });

  for (const [refusal, error, refusals] of [
    ["its pull", "TransferFromFailed", [false, true, false]],
    ["its approval", "ApproveFailed", [false, false, true]],
    ["its sweep", "TransferFailed", [true, false, false]],
  ] as const) {
    it(`rejects a token that returns false for ${refusal}`, async () => {
      const { deposit, stage } = await load();
      const token = await ethers.deployContract("ReturnsFalseToken");
      await token.setRefusals(false, false, false);
      await bring(stage, "proxy", token, AMOUNT);
      await token.setRefusals(...refusals);
      await expect(deposit(token, await oddVault(token, 25n))).to.be.revertedWithCustomError(
        libraryErrors,
        error,
      );
      expect(await token.balanceOf(stage.caller)).to.equal(AMOUNT);
    });
  }

  it("moves nothing when the token has blocked the receiver of the rest", async () => {
    const { deposit, stage } = await load();
    const token = await ethers.deployContract("BlocklistToken");
    await token.setBlocked(stage.recipient, true);
    await bring(stage, "proxy", token, AMOUNT);
    await expect(deposit(token, await oddVault(token, 25n))).to.be.revertedWithCustomError(
      libraryErrors,
      "TransferFailed",
    );
    expect(await token.balanceOf(stage.caller)).to.equal(AMOUNT);
  });

  it("rejects a deposit in which the token shrinks otherwise than by the approval", async () => {
    const { deposit, stage } = await load();
    const token = await ethers.deployContract("RebasingToken");
    const vault = await oddVault(token, 0n);
    await vault.arm(token, token.interface.encodeFunctionData("rebase", [1n, 2n]));
    await bring(stage, "proxy", token, AMOUNT);
    await expect(deposit(token, vault))
      .to.be.revertedWithCustomError(stage.proxy, "UnapprovedOutflow")
      .withArgs(0n, await token.getAddress(), AMOUNT / 2n, AMOUNT);
  });
});

describe("depositErc4626, called back", () => {
  it("rejects a second deposit from within the vault, which would take the first one's money", async () => {
    const { deposit, depositData, stage } = await load();
    const token = await deployToken(ethers, "LocalToken");
    const outer = await oddVault(token, 0n);
    const inner = await oddVault(token, 100n);
    await outer.arm(stage.proxy, await depositData(token, inner, stage.stranger.address));
    await bring(stage, "proxy", token, AMOUNT);
    await deposit(token, outer);
    expect([await outer.lastSuccess(), await outer.lastReturnData()]).to.deep.equal([
      false,
      reentrancyReason(),
    ]);
    expect(await token.balanceOf(stage.recipient)).to.equal(AMOUNT);
  });

  it("rejects a second deposit from within the token's transfer", async () => {
    const { deposit, depositData, stage } = await load();
    const token = await ethers.deployContract("ReentrantToken");
    const vault = await oddVault(token, 100n);
    await bring(stage, "proxy", token, AMOUNT);
    await token.arm(stage.proxy, await depositData(token, vault, stage.stranger.address));
    await deposit(token, vault);
    expect(await token.fired()).to.equal(1n);
    expect(await token.lastReturnData()).to.equal(reentrancyReason());
    await expectNothingLeft(stage, token, vault);
  });

  for (const name of ["execute", "executeWithNftRecipient"] as const) {
    for (const whom of ["proxy", "executor"] as const) {
      it(`a vault that calls ${name} of the ${whom} gains nothing of the deposit`, async () => {
        const { deposit, stage } = await load();
        const token = await deployToken(ethers, "LocalToken");
        const vault = await oddVault(token, 0n);
        const loot = asset(stage, {
          recipient: stage.stranger.address,
          token: await token.getAddress(),
        });
        // Forwards an NFT, without which the call would fail.
        const nft = await ethers.deployContract("MintableNft");
        const data = nft.interface.encodeFunctionData("mint", [await stage.executor.getAddress(), 1n]);
        const mint = { ...step({ target: nft, data }), target: await nft.getAddress() };
        const theft =
          name === "execute"
            ? stage.executor.interface.encodeFunctionData(name, [[loot], []])
            : stage.executor.interface.encodeFunctionData(name, [
                { assets: [loot], nftRecipient: stage.stranger.address, steps: [mint] },
              ]);
        await vault.arm(stage[whom], theft);
        await bring(stage, "proxy", token, AMOUNT);
        await deposit(token, vault);
        expect(await vault.lastSuccess()).to.equal(true);
        expect(await token.balanceOf(stage.stranger)).to.equal(0n);
        expect(await token.balanceOf(stage.recipient)).to.equal(AMOUNT);
      });
    }
  }

  it("pulls from the executor alone when a step of the executor calls the deposit", async () => {
    const { depositData, stage } = await load();
    const token = await deployToken(ethers, "LocalToken");
    const vault = await ethers.deployContract("LocalVault", [token, "Vault", "vLUSD"]);
    await bring(stage, "executor", token, AMOUNT);
    const data = await depositData(token, vault, stage.recipient.address);
    await stage.executor.execute(
      [asset(stage, { token })],
      [step({ target: stage.proxy, approvedToken: token, data })],
    );
    expect(await vault.balanceOf(stage.recipient)).to.equal(AMOUNT);
    await expectNothingLeft(stage, token, stage.proxy);
  });

  it("leaves a vault nothing to take after the call", async () => {
    const { deposit, stage } = await load();
    const token = await deployToken(ethers, "LocalToken");
    const vault = await oddVault(token, 0n);
    await bring(stage, "proxy", token, AMOUNT);
    await deposit(token, vault);
    // The same holds for tokens sent to the proxy by mistake.
    await token.mint(stage.proxy, AMOUNT);
    await vault.set(100n, 1n, 32n);
    expect(await token.allowance(stage.proxy, vault)).to.equal(0n);
    await expect(vault.deposit(AMOUNT, stage.stranger)).to.be.revert(ethers);
  });
});

describe("depositErc4626, with adversarial vaults", () => {
  it("a vault that reverts: reports target and reason, and moves nothing", async () => {
    const { deposit, stage } = await load();
    const token = await deployToken(ethers, "LocalToken");
    const other = await deployToken(ethers, "LocalToken");
    const vault = await ethers.deployContract("LocalVault", [other, "Vault", "vLUSD"]);
    await bring(stage, "proxy", token, AMOUNT);
    const reason = other.interface.encodeErrorResult("ERC20InsufficientAllowance", [
      await vault.getAddress(),
      0n,
      AMOUNT,
    ]);
    await expect(deposit(token, vault))
      .to.be.revertedWithCustomError(stage.proxy, "StepFailed")
      .withArgs(0n, await vault.getAddress(), reason);
    expect(await token.balanceOf(stage.caller)).to.equal(AMOUNT);
  });

  for (const reverts of [true, false]) {
    it(`does not copy the return data of a vault that ${reverts ? "reverts" : "returns"} with a huge buffer`, async () => {
      const { deposit, stage } = await load();
      const token = await deployToken(ethers, "LocalToken");
      const bomb = await ethers.deployContract("ReturndataBomb", [200_000n, reverts]);
      await bring(stage, "proxy", token, AMOUNT);
      const refusal = expect(deposit(token, bomb)).to.be.revertedWithCustomError(
        stage.proxy,
        reverts ? "StepFailed" : "SharesMissing",
      );
      await (reverts
        ? refusal.withArgs(0n, await bomb.getAddress(), hexlify(new Uint8Array(MAX_REASON_BYTES)))
        : refusal.withArgs(await bomb.getAddress(), AMOUNT));
      const trace = await traceLatest(ethers, await stage.proxy.getAddress());
      expect(Number(ownGas(trace))).to.be.below(40_000);
    });
  }
});
