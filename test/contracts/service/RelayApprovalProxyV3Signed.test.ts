import { expect } from "chai";
import { network } from "hardhat";
import { deployApprovalProxyV3, depositCalls } from "./support/approvalProxyV3.ts";
import { hashWitness, signAuthorization, signPermit2 } from "./support/proxySignatures.ts";

const { ethers, networkHelpers } = await network.create();

const METADATA = `0x${"5a".repeat(32)}`;

async function deployProxy() {
  return deployApprovalProxyV3(ethers);
}

describe("RelayApprovalProxyV3.permit2TransferAndMulticall", () => {
  async function setUp() {
    const deployment = await networkHelpers.loadFixture(deployProxy);
    const { token, permit2, proxy, user, recipient, relayer, chainId, deadline } = deployment;
    await token.connect(user).approve(permit2, 300n);
    const permit = {
      permitted: [{ token: await token.getAddress(), amount: 300n }],
      nonce: 5n,
      deadline,
    };
    const witness = {
      relayer: relayer.address,
      refundTo: recipient.address,
      nftRecipient: ethers.ZeroAddress,
      metadata: METADATA,
      call3Values: await depositCalls(deployment),
    };
    const signature = await signPermit2(
      user,
      { name: "Permit2", chainId, verifyingContract: await permit2.getAddress() },
      { ...permit, spender: await proxy.getAddress() },
      witness,
    );
    return { ...deployment, permit, calls: witness.call3Values, signature };
  }

  it("moves what the user signed when the relayer the user named brings it", async () => {
    const { proxy, vault, user, recipient, relayer, permit, calls, signature } = await setUp();
    const running = proxy
      .connect(relayer)
      .permit2TransferAndMulticall(user, permit, calls, recipient, ethers.ZeroAddress, METADATA, signature);
    await expect(running).to.changeTokenBalance(ethers, vault, recipient, 300n);
    await expect(running).to.emit(proxy, "FundsMovement");
  });

  it("refuses any change of relayer, refund address, recipient of tokens, metadata or calls", async () => {
    const { proxy, permit2, user, recipient, relayer, permit, calls, signature } = await setUp();
    const zero = ethers.ZeroAddress;
    const [asRelayer, asOther] = [proxy.connect(relayer), proxy.connect(user)];
    const send = { nothing: calls.slice(1) };
    const attempts = [
      () => asOther.permit2TransferAndMulticall(user, permit, calls, recipient, zero, METADATA, signature),
      () => asRelayer.permit2TransferAndMulticall(user, permit, calls, relayer, zero, METADATA, signature),
      () =>
        asRelayer.permit2TransferAndMulticall(user, permit, calls, recipient, relayer, METADATA, signature),
      () => asRelayer.permit2TransferAndMulticall(user, permit, calls, recipient, zero, "0x", signature),
      () =>
        asRelayer.permit2TransferAndMulticall(
          user,
          permit,
          send.nothing,
          recipient,
          zero,
          METADATA,
          signature,
        ),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).to.be.revertedWithCustomError(permit2, "InvalidSigner");
    }
  });

  it("refuses the same signature a second time", async () => {
    const { proxy, permit2, user, recipient, relayer, permit, calls, signature } = await setUp();
    const run = () =>
      proxy
        .connect(relayer)
        .permit2TransferAndMulticall(user, permit, calls, recipient, ethers.ZeroAddress, METADATA, signature);
    await run();
    await expect(run()).to.be.revertedWithCustomError(permit2, "InvalidNonce");
  });

  it("moves nothing and only makes the calls when the signature is empty", async () => {
    const { proxy, router, token, user, recipient, permit } = await setUp();
    const running = proxy.permit2TransferAndMulticall(
      user,
      permit,
      [],
      recipient,
      ethers.ZeroAddress,
      METADATA,
      "0x",
      { value: 3n },
    );
    await expect(running).to.changeEtherBalance(ethers, recipient, 3n);
    await expect(running).not.to.emit(proxy, "FundsMovement");
    expect(await token.balanceOf(router)).to.equal(0n);
  });
});

describe("RelayApprovalProxyV3.permit3009TransferAndMulticall", () => {
  async function setUp() {
    const deployment = await networkHelpers.loadFixture(deployProxy);
    const { bearer, proxy, user, recipient, relayer, chainId, deadline } = deployment;
    const sweep = bearer.interface.encodeFunctionData("transfer", [recipient.address, 200n]);
    const calls = [{ target: await bearer.getAddress(), allowFailure: false, value: 0n, callData: sweep }];
    const nonce = hashWitness({
      relayer: relayer.address,
      refundTo: recipient.address,
      nftRecipient: ethers.ZeroAddress,
      metadata: METADATA,
      call3Values: calls,
    });
    const terms = { from: user.address, value: 200n, validAfter: 0n, validBefore: deadline };
    const signature = await signAuthorization(
      user,
      { name: "Authorization", version: "1", chainId, verifyingContract: await bearer.getAddress() },
      { ...terms, to: await proxy.getAddress(), nonce },
    );
    const { v, r, s } = ethers.Signature.from(signature);
    return {
      ...deployment,
      tokens: [await bearer.getAddress()],
      calls,
      permits: [{ ...terms, v, r, s }],
      nonce,
    };
  }

  it("takes an authorization whose nonce is the witness hash", async () => {
    const { proxy, router, bearer, user, recipient, relayer, tokens, calls, permits, nonce } = await setUp();
    const running = proxy
      .connect(relayer)
      .permit3009TransferAndMulticall(permits, tokens, calls, recipient, ethers.ZeroAddress, METADATA);
    await expect(running).to.changeTokenBalances(
      ethers,
      bearer,
      [user, proxy, router, recipient],
      [-200n, 0n, 0n, 200n],
    );
    await expect(running)
      .to.emit(proxy, "FundsMovement")
      .withArgs(user.address, await router.getAddress(), tokens[0], 200n, METADATA);
    expect(await bearer.authorizationState(user, nonce)).to.equal(true);
  });

  it("refuses changed calls or another relayer, for the nonce is then another", async () => {
    const { proxy, bearer, recipient, relayer, user, tokens, calls, permits } = await setUp();
    const zero = ethers.ZeroAddress;
    const attempts = [
      () =>
        proxy.connect(relayer).permit3009TransferAndMulticall(permits, tokens, [], recipient, zero, METADATA),
      () =>
        proxy.connect(relayer).permit3009TransferAndMulticall(permits, tokens, calls, recipient, zero, "0x"),
      () =>
        proxy.connect(user).permit3009TransferAndMulticall(permits, tokens, calls, recipient, zero, METADATA),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).to.be.revertedWithCustomError(bearer, "ERC3009InvalidSignature");
    }
  });

  it("reverts with ArrayLengthsMismatch before it looks at the refund address", async () => {
    const { proxy, permits } = await setUp();
    const zero = ethers.ZeroAddress;
    await expect(
      proxy.permit3009TransferAndMulticall(permits, [], [], zero, zero, "0x"),
    ).to.be.revertedWithCustomError(proxy, "ArrayLengthsMismatch");
  });
});
