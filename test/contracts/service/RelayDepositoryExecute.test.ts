import { expect } from "chai";
import type { Signer } from "ethers";
import { network } from "hardhat";

const { ethers, networkHelpers } = await network.create();

const CALL_TYPEHASH = "0xd5395b56326912498477b4b3e987bcd306e0ea8d9f9e41e3563c6176a7bc2f65";
const CALL_REQUEST_TYPEHASH = "0x1dcae8e357e31cf00a7777284e6f769bb6d19654688c9665de5fea6f35f5357c";
const RELAY_CALL_EXECUTED = "0x4be109453ef7e895dc7215c929fff9b76b51483d56a4d04548b4866e9aa7c5ea";

const TYPES = {
  CallRequest: [
    { name: "calls", type: "Call[]" },
    { name: "nonce", type: "uint256" },
    { name: "expiration", type: "uint256" },
  ],
  Call: [
    { name: "to", type: "address" },
    { name: "data", type: "bytes" },
    { name: "value", type: "uint256" },
    { name: "allowFailure", type: "bool" },
  ],
};

interface Call {
  to: string;
  data: string;
  value: bigint;
  allowFailure: boolean;
}

interface CallRequest {
  calls: Call[];
  nonce: bigint;
  expiration: bigint;
}

async function deployFunded() {
  const [owner, allocator, recipient, bystander] = await ethers.getSigners();
  if (!owner || !allocator || !recipient || !bystander) {
    throw new Error("The local chain has too few accounts.");
  }
  const depository = await ethers.deployContract("RelayDepository", [owner.address, allocator.address]);
  await depository.depositNative(owner, ethers.ZeroHash, { value: 1_000n });
  const rejecting = await ethers.deployContract("RejectingRecipient");
  return { depository, rejecting, owner, allocator, recipient, bystander };
}

async function sign(signer: Signer, verifyingContract: string, request: CallRequest): Promise<string> {
  const { chainId } = await ethers.provider.getNetwork();
  const domain = { name: "RelayDepository", version: "1", chainId, verifyingContract };
  return signer.signTypedData(domain, TYPES, request);
}

function hashRequest(request: CallRequest): string {
  return ethers.TypedDataEncoder.from(TYPES).hash(request);
}

async function inOneMinute(): Promise<bigint> {
  return BigInt(await networkHelpers.time.latest()) + 60n;
}

function pay(to: string, value: bigint, allowFailure = false): Call {
  return { to, data: "0x", value, allowFailure };
}

describe("RelayDepository.execute", () => {
  it("type hashes and domain equal production's", async () => {
    const { depository } = await networkHelpers.loadFixture(deployFunded);
    expect(await depository._CALL_TYPEHASH()).to.equal(CALL_TYPEHASH);
    expect(await depository._CALL_REQUEST_TYPEHASH()).to.equal(CALL_REQUEST_TYPEHASH);
    const domain = await depository.eip712Domain();
    expect([domain.name, domain.version, domain.verifyingContract]).to.deep.equal([
      "RelayDepository",
      "1",
      await depository.getAddress(),
    ]);
  });

  it("makes the calls that the allocator signed, from any sender, and logs each", async () => {
    const { depository, allocator, recipient, bystander } = await networkHelpers.loadFixture(deployFunded);
    const calls = [pay(recipient.address, 300n), pay(bystander.address, 200n)];
    const request = { calls, nonce: 1n, expiration: await inOneMinute() };
    const signature = await sign(allocator, await depository.getAddress(), request);

    const executing = depository.connect(recipient).execute(request, signature);

    await expect(executing).to.changeEtherBalances(
      ethers,
      [depository, recipient, bystander],
      [-500n, 300n, 200n],
    );
    const id = hashRequest(request);
    const receipt = await (await executing).wait();
    expect(receipt?.logs.map((log) => log.topics)).to.deep.equal([
      [RELAY_CALL_EXECUTED],
      [RELAY_CALL_EXECUTED],
    ]);
    expect(receipt?.logs.map((log) => depository.interface.parseLog(log)?.args.toArray())).to.deep.equal(
      calls.map((call) => [id, [call.to, call.data, call.value, call.allowFailure]]),
    );
    expect(await depository.callRequests(id)).to.equal(true);
  });

  it("returns each call's return data", async () => {
    const { depository, allocator, owner } = await networkHelpers.loadFixture(deployFunded);
    const token = await ethers.deployContract("LocalToken", ["Dollar", "USD", 6, owner.address]);
    const call = {
      to: await token.getAddress(),
      data: token.interface.encodeFunctionData("decimals"),
      value: 0n,
      allowFailure: false,
    };
    const request = { calls: [call], nonce: 2n, expiration: await inOneMinute() };
    const signature = await sign(allocator, await depository.getAddress(), request);
    const results = await depository.execute.staticCall(request, signature);
    expect(results.map((each) => [each.success, each.returnData])).to.deep.equal([
      [true, ethers.AbiCoder.defaultAbiCoder().encode(["uint8"], [6])],
    ]);
  });

  it("continues after a call with allowFailure and logs only successful calls", async () => {
    const { depository, rejecting, allocator, recipient } = await networkHelpers.loadFixture(deployFunded);
    const calls = [pay(await rejecting.getAddress(), 1n, true), pay(recipient.address, 5n)];
    const request = { calls, nonce: 3n, expiration: await inOneMinute() };
    const signature = await sign(allocator, await depository.getAddress(), request);

    const results = await depository.execute.staticCall(request, signature);
    const reason = rejecting.interface.encodeErrorResult("Rejected", [1n]);
    expect(results.map((each) => [each.success, each.returnData])).to.deep.equal([
      [false, reason],
      [true, "0x"],
    ]);

    const executing = depository.execute(request, signature);
    await expect(executing).to.changeEtherBalances(ethers, [depository, recipient], [-5n, 5n]);
    expect((await (await executing).wait())?.logs.length).to.equal(1);
  });

  it("a failed call without allowFailure reverts with CallFailed and the reason", async () => {
    const { depository, rejecting, allocator, recipient } = await networkHelpers.loadFixture(deployFunded);
    const calls = [pay(recipient.address, 5n), pay(await rejecting.getAddress(), 1n)];
    const request = { calls, nonce: 4n, expiration: await inOneMinute() };
    const signature = await sign(allocator, await depository.getAddress(), request);
    await expect(depository.execute(request, signature))
      .to.be.revertedWithCustomError(depository, "CallFailed")
      .withArgs(rejecting.interface.encodeErrorResult("Rejected", [1n]));
    expect(await depository.callRequests(hashRequest(request))).to.equal(false);
  });

  it("a second execution of a request reverts with CallRequestAlreadyUsed", async () => {
    const { depository, allocator, recipient } = await networkHelpers.loadFixture(deployFunded);
    const request = { calls: [pay(recipient.address, 5n)], nonce: 5n, expiration: await inOneMinute() };
    const signature = await sign(allocator, await depository.getAddress(), request);
    await depository.execute(request, signature);
    await expect(depository.execute(request, signature)).to.be.revertedWithCustomError(
      depository,
      "CallRequestAlreadyUsed",
    );
  });

  it("a request is identified by its content, so the signature's short form does not replay it", async () => {
    const { depository, allocator, recipient } = await networkHelpers.loadFixture(deployFunded);
    const request = { calls: [pay(recipient.address, 5n)], nonce: 6n, expiration: await inOneMinute() };
    const signature = await sign(allocator, await depository.getAddress(), request);
    await depository.execute(request, signature);
    const short = ethers.Signature.from(signature).compactSerialized;
    await expect(depository.execute(request, short)).to.be.revertedWithCustomError(
      depository,
      "CallRequestAlreadyUsed",
    );
  });

  it("accepts a request in the last second of its time and rejects it in the next", async () => {
    const { depository, allocator, recipient } = await networkHelpers.loadFixture(deployFunded);
    const expiration = await inOneMinute();
    const first = { calls: [pay(recipient.address, 1n)], nonce: 7n, expiration };
    const second = { ...first, nonce: 8n };
    const address = await depository.getAddress();
    const [signature, late] = [await sign(allocator, address, first), await sign(allocator, address, second)];

    await networkHelpers.time.setNextBlockTimestamp(expiration);
    await expect(depository.execute(first, signature)).to.changeEtherBalance(ethers, recipient, 1n);
    await networkHelpers.time.setNextBlockTimestamp(expiration + 1n);
    await expect(depository.execute(second, late)).to.be.revertedWithCustomError(
      depository,
      "CallRequestExpired",
    );
  });

  it("any other signer, request, chain or contract reverts with InvalidSignature", async () => {
    const { depository, allocator, recipient, bystander } = await networkHelpers.loadFixture(deployFunded);
    const request = { calls: [pay(recipient.address, 5n)], nonce: 9n, expiration: await inOneMinute() };
    const address = await depository.getAddress();
    const domain = { name: "RelayDepository", version: "1", chainId: 1n, verifyingContract: address };
    const forged = [
      await sign(bystander, address, request),
      await sign(allocator, address, { ...request, nonce: 10n }),
      await sign(allocator, recipient.address, request),
      await allocator.signTypedData(domain, TYPES, request),
      "0x",
    ];
    for (const signature of forged) {
      await expect(depository.execute(request, signature)).to.be.revertedWithCustomError(
        depository,
        "InvalidSignature",
      );
    }
  });

  it("an expired and forged request reports the expiry", async () => {
    const { depository, recipient } = await networkHelpers.loadFixture(deployFunded);
    const request = { calls: [pay(recipient.address, 5n)], nonce: 11n, expiration: 1n };
    await expect(depository.execute(request, "0x")).to.be.revertedWithCustomError(
      depository,
      "CallRequestExpired",
    );
  });

  it("accepts the signature of a contract allocator", async () => {
    const { depository, owner, bystander, recipient } = await networkHelpers.loadFixture(deployFunded);
    const wallet = await ethers.deployContract("ContractSigner", [bystander.address]);
    await depository.connect(owner).setAllocator(wallet);
    const request = { calls: [pay(recipient.address, 5n)], nonce: 12n, expiration: await inOneMinute() };
    const signature = await sign(bystander, await depository.getAddress(), request);
    await expect(depository.execute(request, signature)).to.changeEtherBalance(ethers, recipient, 5n);

    await wallet.setMode(2);
    await expect(depository.execute({ ...request, nonce: 13n }, signature)).to.be.revertedWithCustomError(
      depository,
      "InvalidSignature",
    );
  });
});
