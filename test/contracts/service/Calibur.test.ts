import { expect } from "chai";
import { artifacts, network } from "hardhat";
import { type Address, type Hex, type LocalAccount, parseEther } from "viem";
import {
  type BatchCall,
  type BatchChanges,
  calibur,
  caliburAbi,
  signBatch,
  unfundedUser,
} from "../../helpers/quotes/gasless.ts";

// EIP-7702 starts with Prague.
const { ethers, networkHelpers, provider } = await network.create({
  network: "default",
  override: { hardfork: "prague" },
});
const chainId = 31_337;

/** A delegated account with ether, a token with a balance of it, and a relayer. */
async function deployStage() {
  const user: LocalAccount = unfundedUser(1);
  const { deployedBytecode } = await artifacts.readArtifact("Calibur");
  await networkHelpers.setCode(calibur, deployedBytecode);
  await networkHelpers.setCode(user.address, `0xef0100${calibur.slice(2)}`);
  await networkHelpers.setBalance(user.address, parseEther("1"));
  const [relayer, recipient] = await ethers.getSigners();
  if (!relayer || !recipient) throw new Error("The local chain has too few accounts.");
  const token = await ethers.deployContract("PlainToken");
  await token.mint(user.address, 100n);
  const account = await ethers.getContractAt("Calibur", user.address, relayer);
  return { account, recipient, relayer, token, user };
}

type Stage = Awaited<ReturnType<typeof deployStage>>;

function transfer({ recipient, token }: Stage, amount: bigint): BatchCall {
  const data = token.interface.encodeFunctionData("transfer", [recipient.address, amount]) as Hex;
  return { data, to: token.target as Address, value: 0n };
}

async function submit(stage: Stage, calls: readonly BatchCall[], changes: BatchChanges = {}) {
  const data = await signBatch(stage.user, chainId, calls, changes);
  return stage.relayer.sendTransaction({ data, to: stage.user.address });
}

describe("Calibur", () => {
  it("a signed batch from any caller: makes the calls from the account, in order, with its ether", async () => {
    const stage = await networkHelpers.loadFixture(deployStage);
    const { account, recipient, token, user } = stage;
    const pay: BatchCall = { data: "0x", to: recipient.address as Address, value: 7n };
    const sending = submit(stage, [transfer(stage, 60n), pay]);
    await expect(sending).to.changeTokenBalances(ethers, token, [user.address, recipient], [-60n, 60n]);
    await expect(sending).to.changeEtherBalances(ethers, [user.address, recipient], [-7n, 7n]);
    expect(await account.getSeq(0n)).to.equal(1n);
  });

  it("a batch submitted twice: reverts with InvalidNonce the second time", async () => {
    const stage = await networkHelpers.loadFixture(deployStage);
    await submit(stage, [transfer(stage, 60n)]);
    await expect(submit(stage, [transfer(stage, 60n)])).to.be.revertedWithCustomError(
      stage.account,
      "InvalidNonce",
    );
  });

  it("a sequence of its own: counts apart from the others, and accepts only its next number", async () => {
    const stage = await networkHelpers.loadFixture(deployStage);
    const { account } = stage;
    const key = 5n << 64n;
    await submit(stage, [transfer(stage, 1n)], { nonce: key });
    await submit(stage, [transfer(stage, 1n)], { nonce: key + 1n });
    expect([await account.getSeq(0n), await account.getSeq(5n)]).to.deep.equal([0n, 2n]);
    for (const nonce of [key + 1n, key + 3n]) {
      const sending = submit(stage, [transfer(stage, 1n)], { nonce });
      await expect(sending).to.be.revertedWithCustomError(account, "InvalidNonce");
    }
  });

  for (const [what, changes] of [
    ["another chain", { chainId: 1 }],
    ["another account", { account: calibur }],
  ] as const satisfies readonly (readonly [string, BatchChanges])[]) {
    it(`a batch signed for ${what}: reverts with InvalidSignature`, async () => {
      const stage = await networkHelpers.loadFixture(deployStage);
      const sending = submit(stage, [transfer(stage, 1n)], changes);
      await expect(sending).to.be.revertedWithCustomError(stage.account, "InvalidSignature");
    });
  }

  it("a batch signed by another account: reverts with InvalidSignature", async () => {
    const stage = await networkHelpers.loadFixture(deployStage);
    const changes = { account: stage.user.address };
    const data = await signBatch(unfundedUser(2), chainId, [transfer(stage, 1n)], changes);
    const sending = stage.relayer.sendTransaction({ data, to: stage.user.address });
    await expect(sending).to.be.revertedWithCustomError(stage.account, "InvalidSignature");
  });

  it("a registered key: reverts with KeyDoesNotExist", async () => {
    const stage = await networkHelpers.loadFixture(deployStage);
    const sending = submit(stage, [transfer(stage, 1n)], { keyHash: `0x${"01".padStart(64, "0")}` });
    await expect(sending).to.be.revertedWithCustomError(stage.account, "KeyDoesNotExist");
  });

  it("a deadline: is valid in its second, and reverts with SignatureExpired after it", async () => {
    const stage = await networkHelpers.loadFixture(deployStage);
    const deadline = BigInt((await networkHelpers.time.latest()) + 100);
    await networkHelpers.time.setNextBlockTimestamp(deadline);
    await submit(stage, [transfer(stage, 1n)], { deadline });
    const sending = submit(stage, [transfer(stage, 1n)], { deadline, nonce: 1n });
    await expect(sending).to.be.revertedWithCustomError(stage.account, "SignatureExpired");
  });

  it("a named executor: submits the batch, and any other caller reverts with Unauthorized", async () => {
    const stage = await networkHelpers.loadFixture(deployStage);
    const { account, recipient, relayer } = stage;
    const foreign = submit(stage, [transfer(stage, 1n)], { executor: recipient.address as Address });
    await expect(foreign).to.be.revertedWithCustomError(account, "Unauthorized");
    await submit(stage, [transfer(stage, 1n)], { executor: relayer.address as Address });
    expect(await account.getSeq(0n)).to.equal(1n);
  });

  it("a call that fails: reverts the batch with the call's reason, and leaves the nonce unused", async () => {
    const stage = await networkHelpers.loadFixture(deployStage);
    const { account, recipient, token, user } = stage;
    const reason = token.interface.encodeErrorResult("ERC20InsufficientBalance", [user.address, 40n, 41n]);
    const sending = submit(stage, [transfer(stage, 60n), transfer(stage, 41n)]);
    await expect(sending).to.be.revertedWithCustomError(account, "CallFailed").withArgs(reason);
    expect(await token.balanceOf(recipient.address)).to.equal(0n);
    expect(await account.getSeq(0n)).to.equal(0n);
  });

  it("a call that fails without revertOnFailure: is skipped, and the next one is made", async () => {
    const stage = await networkHelpers.loadFixture(deployStage);
    const sending = submit(stage, [transfer(stage, 101n), transfer(stage, 60n)], { revertOnFailure: false });
    await expect(sending).to.changeTokenBalance(ethers, stage.token, stage.recipient, 60n);
  });

  it("a batch changed after its signature: reverts with InvalidSignature", async () => {
    const stage = await networkHelpers.loadFixture(deployStage);
    const data = await signBatch(stage.user, chainId, [transfer(stage, 60n)]);
    const word = (amount: bigint) => amount.toString(16).padStart(64, "0");
    const changed = data.replace(word(60n), word(61n));
    expect(changed).to.not.equal(data);
    const sending = stage.relayer.sendTransaction({ data: changed, to: stage.user.address });
    await expect(sending).to.be.revertedWithCustomError(stage.account, "InvalidSignature");
  });

  it("ether with a requestId or without data: reaches the delegated account", async () => {
    const { relayer, user } = await networkHelpers.loadFixture(deployStage);
    for (const data of ["0x", `0x${"ab".repeat(32)}`]) {
      const sending = relayer.sendTransaction({ data, to: user.address, value: 5n });
      await expect(sending).to.changeEtherBalance(ethers, user.address, 5n);
    }
  });

  it("has the functions that the official client calls", async () => {
    const { abi } = await artifacts.readArtifact("Calibur");
    const own = new ethers.Interface(abi);
    for (const item of caliburAbi) {
      if (item.type !== "function") continue;
      const selector = new ethers.Interface([item as never]).getFunction(item.name)?.selector;
      expect(own.getFunction(item.name)?.selector, item.name).to.equal(selector);
    }
  });

  it("keeps its sequences in a slot of its own, so that they outlast another delegation", async () => {
    const stage = await networkHelpers.loadFixture(deployStage);
    await submit(stage, [transfer(stage, 1n)]);
    const base = ethers.toBeHex(
      BigInt(
        ethers.keccak256(
          ethers.AbiCoder.defaultAbiCoder().encode(["uint256"], [BigInt(ethers.id("waybill.Calibur")) - 1n]),
        ),
      ) & ~0xffn,
      32,
    );
    const slot = ethers.keccak256(
      ethers.AbiCoder.defaultAbiCoder().encode(["uint256", "bytes32"], [0n, base]),
    );
    expect(
      BigInt(
        (await provider.request({
          method: "eth_getStorageAt",
          params: [stage.user.address, slot, "latest"],
        })) as string,
      ),
    ).to.equal(1n);
  });
});
