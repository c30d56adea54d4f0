import { expect } from "chai";
import { network } from "hardhat";

const { ethers, networkHelpers } = await network.create();

async function deployMulticall() {
  const [caller, recipient] = await ethers.getSigners();
  if (!caller || !recipient) throw new Error("The local chain has too few accounts.");
  const multicall = await ethers.deployContract("Multicall3");
  const token = await ethers.deployContract("LocalToken", ["Dollar", "USD", 6, caller.address]);
  const rejecting = await ethers.deployContract("RejectingRecipient");
  const good = {
    target: await token.getAddress(),
    callData: token.interface.encodeFunctionData("decimals"),
  };
  const bad = { target: await rejecting.getAddress(), callData: "0x" };
  const six = ethers.AbiCoder.defaultAbiCoder().encode(["uint8"], [6]);
  const rejected = (value: bigint) => rejecting.interface.encodeErrorResult("Rejected", [value]);
  return { multicall, good, bad, six, rejected, caller, recipient };
}

function pairs(results: readonly { success: boolean; returnData: string }[]): [boolean, string][] {
  return results.map((each) => [each.success, each.returnData]);
}

describe("Multicall3", () => {
  it("aggregate returns the block number and each call's return data", async () => {
    const { multicall, good, six } = await networkHelpers.loadFixture(deployMulticall);
    const [blockNumber, returnData] = await multicall.aggregate.staticCall([good, good]);
    expect(blockNumber).to.equal(BigInt(await ethers.provider.getBlockNumber()));
    expect([...returnData]).to.deep.equal([six, six]);
  });

  it("aggregate reverts when a call fails", async () => {
    const { multicall, good, bad } = await networkHelpers.loadFixture(deployMulticall);
    await expect(multicall.aggregate([good, bad])).to.be.revertedWith("Multicall3: call failed");
  });

  it("tryAggregate tolerates a failure unless `requireSuccess` is set", async () => {
    const { multicall, good, bad, six, rejected } = await networkHelpers.loadFixture(deployMulticall);
    expect(pairs(await multicall.tryAggregate.staticCall(false, [bad, good]))).to.deep.equal([
      [false, rejected(0n)],
      [true, six],
    ]);
    await expect(multicall.tryAggregate(true, [bad, good])).to.be.revertedWith("Multicall3: call failed");
  });

  it("tryBlockAndAggregate and blockAndAggregate return the block too", async () => {
    const { multicall, good, bad, six, rejected } = await networkHelpers.loadFixture(deployMulticall);
    const tolerant = await multicall.tryBlockAndAggregate.staticCall(false, [bad]);
    expect([tolerant.blockHash, pairs(tolerant.returnData)]).to.deep.equal([
      ethers.ZeroHash,
      [[false, rejected(0n)]],
    ]);
    const strict = await multicall.blockAndAggregate.staticCall([good]);
    expect(strict.blockNumber).to.equal(BigInt(await ethers.provider.getBlockNumber()));
    expect(pairs(strict.returnData)).to.deep.equal([[true, six]]);
    await expect(multicall.blockAndAggregate([bad])).to.be.revertedWith("Multicall3: call failed");
  });

  it("aggregate3 tolerates the allowed failures", async () => {
    const { multicall, good, bad, six, rejected } = await networkHelpers.loadFixture(deployMulticall);
    const tolerated = { ...bad, allowFailure: true };
    expect(
      pairs(await multicall.aggregate3.staticCall([tolerated, { ...good, allowFailure: false }])),
    ).to.deep.equal([
      [false, rejected(0n)],
      [true, six],
    ]);
    await expect(multicall.aggregate3([{ ...bad, allowFailure: false }])).to.be.revertedWith(
      "Multicall3: call failed",
    );
  });

  it("aggregate3Value sends the value of each call", async () => {
    const { multicall, caller, recipient } = await networkHelpers.loadFixture(deployMulticall);
    const call = { target: recipient.address, allowFailure: false, value: 4n, callData: "0x" };
    await expect(multicall.aggregate3Value([call, call], { value: 8n })).to.changeEtherBalances(
      ethers,
      [caller, recipient],
      [-8n, 8n],
    );
  });

  it("aggregate3Value reverts when the values do not sum to the sent value", async () => {
    const { multicall, recipient } = await networkHelpers.loadFixture(deployMulticall);
    const call = { target: recipient.address, allowFailure: false, value: 4n, callData: "0x" };
    await expect(multicall.aggregate3Value([call], { value: 5n })).to.be.revertedWith(
      "Multicall3: value mismatch",
    );
  });

  it("aggregate3Value rejects values whose sum wraps around to the sent value", async () => {
    const { multicall, recipient } = await networkHelpers.loadFixture(deployMulticall);
    const huge = { target: recipient.address, allowFailure: true, value: 2n ** 256n - 4n, callData: "0x" };
    const small = { ...huge, value: 9n };
    await networkHelpers.setBalance(await multicall.getAddress(), 0n);
    // 2^256 - 4 + 9 wraps to 5, which matches the value; the call with too high a value still fails.
    const results = await multicall.aggregate3Value.staticCall([huge, small], { value: 5n });
    expect(results.map((each) => each.success)).to.deep.equal([false, false]);
  });

  it("returns block, chain id and balance", async () => {
    const { multicall, caller } = await networkHelpers.loadFixture(deployMulticall);
    const number = await ethers.provider.getBlockNumber();
    const block = await ethers.provider.getBlock(number);
    const parent = await ethers.provider.getBlock(number - 1);
    if (!block || !parent) throw new Error("The local chain lost a block.");
    const at = { blockTag: number };
    expect(await multicall.getBlockNumber(at)).to.equal(BigInt(number));
    expect(await multicall.getBlockHash(number - 1, at)).to.equal(parent.hash);
    expect(await multicall.getLastBlockHash(at)).to.equal(parent.hash);
    expect(await multicall.getCurrentBlockTimestamp(at)).to.equal(BigInt(block.timestamp));
    expect(await multicall.getCurrentBlockGasLimit(at)).to.equal(block.gasLimit);
    expect(await multicall.getCurrentBlockCoinbase(at)).to.equal(block.miner);
    const raw: { mixHash: string } = await ethers.provider.send("eth_getBlockByNumber", [
      ethers.toQuantity(number),
      false,
    ]);
    expect(await multicall.getCurrentBlockDifficulty(at)).to.equal(BigInt(raw.mixHash));
    expect(await multicall.getChainId()).to.equal((await ethers.provider.getNetwork()).chainId);
    expect(await multicall.getEthBalance(caller)).to.equal(await ethers.provider.getBalance(caller));
  });

  it("returns the base fee of a transaction's block", async () => {
    const { multicall, caller } = await networkHelpers.loadFixture(deployMulticall);
    // Local calls run without a base fee, so a contract reads it in a transaction and stores it.
    const recorder = await ethers.deployContract("ReentrantTarget");
    await recorder.arm(multicall, multicall.interface.encodeFunctionData("getBasefee"));
    const receipt = await (await caller.sendTransaction({ to: recorder, gasLimit: 300_000n })).wait();
    const block = await receipt?.getBlock();
    expect(BigInt(await recorder.lastReturnData())).to.equal(block?.baseFeePerGas);
    expect(block?.baseFeePerGas).to.be.greaterThan(0n);
  });
});
