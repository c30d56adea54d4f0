import { expect } from "chai";
import { network } from "hardhat";
import { hashWitness, signAuthorization, signPermit2, signPermit2612 } from "./support/proxySignatures.ts";

const { ethers, networkHelpers } = await network.create();

const CALL3VALUE_TYPEHASH = "0xfd3926a097b5d365885a8c0afe16fa80ed4d377e8627017476dfe9729e8a6cde";
const WITNESS_TYPEHASH = "0xe23dc67d94bc5ccc95cdaa7f8c7e41f4c3b78d9d1e7baad8604a2773456e2b3c";

async function deployProxy() {
  const [owner, user, recipient, relayer] = await ethers.getSigners();
  if (!owner || !user || !recipient || !relayer) throw new Error("The local chain has too few accounts.");
  const router = await ethers.deployContract("RelayRouterV2_1");
  const permit2 = await ethers.deployContract("WitnessPermit2");
  const proxy = await ethers.deployContract("RelayApprovalProxyV2_1", [owner, router, permit2]);
  const token = await ethers.deployContract("LocalToken", ["Dollar", "USD", 6, owner.address]);
  const bearer = await ethers.deployContract("AuthorizationToken");
  await token.mint(user, 1_000n);
  await bearer.mint(user, 1_000n);
  const { chainId } = await ethers.provider.getNetwork();
  const deadline = BigInt(await networkHelpers.time.latest()) + 3_600n;
  return { owner, user, recipient, relayer, router, permit2, proxy, token, bearer, chainId, deadline };
}

type Deployment = Awaited<ReturnType<typeof deployProxy>>;

/** Sends 200 of a token from the router to the recipient. */
async function sendTokens(token: Deployment["token"] | Deployment["bearer"], recipient: { address: string }) {
  const callData = token.interface.encodeFunctionData("transfer", [recipient.address, 200n]);
  return [{ target: await token.getAddress(), allowFailure: false, value: 0n, callData }];
}

describe("RelayApprovalProxyV2_1", () => {
  it("has production's type hashes", async () => {
    const { proxy } = await networkHelpers.loadFixture(deployProxy);
    expect(await proxy._CALL3VALUE_TYPEHASH()).to.equal(CALL3VALUE_TYPEHASH);
    expect(await proxy._RELAYER_WITNESS_TYPEHASH()).to.equal(WITNESS_TYPEHASH);
  });

  it("moves approved tokens to the router, has it make the calls and passes the value on", async () => {
    const { proxy, token, user, recipient } = await networkHelpers.loadFixture(deployProxy);
    await token.connect(user).approve(proxy, 200n);
    const calls = await sendTokens(token, recipient);
    const running = proxy
      .connect(user)
      .transferAndMulticall([token.getAddress()], [200n], calls, recipient, ethers.ZeroAddress, {
        value: 9n,
      });
    await expect(running).to.changeTokenBalances(ethers, token, [user, recipient], [-200n, 200n]);
    await expect(running).to.changeEtherBalance(ethers, recipient, 9n);
    expect((await (await running).wait())?.logs.filter((log) => log.address === proxy.target)).to.deep.equal(
      [],
    );
  });

  it("uses the caller's permit and refuses anyone else's", async () => {
    const { proxy, token, user, recipient, relayer, chainId, deadline } =
      await networkHelpers.loadFixture(deployProxy);
    const signed = await signPermit2612(
      user,
      { name: "Dollar", version: "1", chainId, verifyingContract: await token.getAddress() },
      { owner: user.address, spender: await proxy.getAddress(), value: 200n, nonce: 0n, deadline },
    );
    const { v, r, s } = ethers.Signature.from(signed);
    const terms = { token, owner: user, value: 200n, nonce: 0n, deadline };
    const calls = await sendTokens(token, recipient);
    await expect(
      proxy
        .connect(relayer)
        .permitTransferAndMulticall([{ ...terms, v, r, s }], calls, recipient, ethers.ZeroAddress),
    ).to.be.revertedWithCustomError(proxy, "Unauthorized");
    await expect(
      proxy
        .connect(user)
        .permitTransferAndMulticall([{ ...terms, v, r, s }], calls, recipient, ethers.ZeroAddress),
    ).to.changeTokenBalance(ethers, token, recipient, 200n);
  });

  it("moves what the user signed with Permit2, for the signed calls only", async () => {
    const { proxy, permit2, token, user, recipient, relayer, chainId, deadline } =
      await networkHelpers.loadFixture(deployProxy);
    await token.connect(user).approve(permit2, 200n);
    const calls = await sendTokens(token, recipient);
    const permit = { permitted: [{ token: await token.getAddress(), amount: 200n }], nonce: 256n, deadline };
    const signature = await signPermit2(
      user,
      { name: "Permit2", chainId, verifyingContract: await permit2.getAddress() },
      { ...permit, spender: await proxy.getAddress() },
      {
        relayer: relayer.address,
        refundTo: recipient.address,
        nftRecipient: ethers.ZeroAddress,
        call3Values: calls,
      },
    );
    const asRelayer = proxy.connect(relayer);
    await expect(
      asRelayer.permit2TransferAndMulticall(user, permit, [], recipient, ethers.ZeroAddress, signature),
    ).to.be.revertedWithCustomError(permit2, "InvalidSigner");
    await expect(
      asRelayer.permit2TransferAndMulticall(user, permit, calls, recipient, ethers.ZeroAddress, signature),
    ).to.changeTokenBalance(ethers, token, recipient, 200n);
  });

  it("takes an ERC-3009 authorization whose nonce is the witness hash", async () => {
    const { proxy, bearer, user, recipient, relayer, chainId, deadline } =
      await networkHelpers.loadFixture(deployProxy);
    const calls = await sendTokens(bearer, recipient);
    const nonce = hashWitness({
      relayer: relayer.address,
      refundTo: recipient.address,
      nftRecipient: ethers.ZeroAddress,
      call3Values: calls,
    });
    const terms = { from: user.address, value: 200n, validAfter: 0n, validBefore: deadline };
    const signed = await signAuthorization(
      user,
      { name: "Authorization", version: "1", chainId, verifyingContract: await bearer.getAddress() },
      { ...terms, to: await proxy.getAddress(), nonce },
    );
    const { v, r, s } = ethers.Signature.from(signed);
    const tokens = [await bearer.getAddress()];
    await expect(
      proxy
        .connect(relayer)
        .permit3009TransferAndMulticall(
          [{ ...terms, v, r, s }],
          tokens,
          calls,
          recipient,
          ethers.ZeroAddress,
        ),
    ).to.changeTokenBalances(ethers, bearer, [user, proxy, recipient], [-200n, 0n, 200n]);
  });

  it("reverts with RefundToCannotBeZeroAddress on every path", async () => {
    const { proxy } = await networkHelpers.loadFixture(deployProxy);
    const zero = ethers.ZeroAddress;
    const permit = { permitted: [], nonce: 0n, deadline: 0n };
    const attempts = [
      () => proxy.transferAndMulticall([], [], [], zero, zero),
      () => proxy.permitTransferAndMulticall([], [], zero, zero),
      () => proxy.permit2TransferAndMulticall(zero, permit, [], zero, zero, "0x"),
      // Unlike version 3, this one looks at the refund address before the lengths.
      () => proxy.permit3009TransferAndMulticall([], [zero], [], zero, zero),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).to.be.revertedWithCustomError(proxy, "RefundToCannotBeZeroAddress");
    }
  });

  it("reverts with ArrayLengthsMismatch when the arrays differ in length", async () => {
    const { proxy, user } = await networkHelpers.loadFixture(deployProxy);
    const zero = ethers.ZeroAddress;
    await expect(proxy.transferAndMulticall([zero], [], [], user, zero)).to.be.revertedWithCustomError(
      proxy,
      "ArrayLengthsMismatch",
    );
    await expect(
      proxy.permit3009TransferAndMulticall([], [zero], [], user, zero),
    ).to.be.revertedWithCustomError(proxy, "ArrayLengthsMismatch");
  });

  it("gives the owner the native currency that is stuck", async () => {
    const { proxy, owner, user } = await networkHelpers.loadFixture(deployProxy);
    await user.sendTransaction({ to: proxy, value: 50n });
    await expect(proxy.connect(user).withdraw()).to.be.revertedWithCustomError(proxy, "Unauthorized");
    await expect(proxy.connect(owner).withdraw()).to.changeEtherBalance(ethers, owner, 50n);
  });

  it("lets the owner alone replace router and Permit2", async () => {
    const { proxy, owner, user } = await networkHelpers.loadFixture(deployProxy);
    for (const attempt of [
      () => proxy.connect(user).setRouter(user),
      () => proxy.connect(user).setPermit2(user),
    ]) {
      await expect(attempt()).to.be.revertedWithCustomError(proxy, "Unauthorized");
    }
    await expect(proxy.connect(owner).setPermit2(user))
      .to.emit(proxy, "Permit2Updated")
      .withArgs(user.address);
    await expect(proxy.connect(owner).setRouter(user)).to.emit(proxy, "RouterUpdated").withArgs(user.address);
    expect(await proxy.router()).to.equal(user.address);
  });

  it("weakness: the owner can redirect approved tokens to an address of its choice", async () => {
    const { proxy, token, owner, user } = await networkHelpers.loadFixture(deployProxy);
    // A router that does nothing: 64 zero bytes are an empty list of results.
    const impostor = await ethers.deployContract("ReturndataBomb", [64, false]);
    await token.connect(user).approve(proxy, 200n);
    await proxy.connect(owner).setRouter(impostor);
    await proxy
      .connect(user)
      .transferAndMulticall([token.getAddress()], [200n], [], user, ethers.ZeroAddress);
    expect(await token.balanceOf(impostor)).to.equal(200n);
  });
});
