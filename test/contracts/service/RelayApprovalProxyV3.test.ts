import { expect } from "chai";
import { network } from "hardhat";
import { type ApprovalProxyV3, deployApprovalProxyV3, depositCalls } from "./support/approvalProxyV3.ts";
import { signPermit2612 } from "./support/proxySignatures.ts";

const { ethers, networkHelpers } = await network.create();

const METADATA = `0x${"5a".repeat(32)}`;
const CALL3VALUE_TYPEHASH = "0xfd3926a097b5d365885a8c0afe16fa80ed4d377e8627017476dfe9729e8a6cde";
const WITNESS_TYPEHASH = "0x4b21a98ca11613e848d71d25db5eb5a6ee6e910560d8f8eebeff8ea5168af917";

async function deployProxy() {
  return deployApprovalProxyV3(ethers);
}

async function permitFor({ token, user, proxy, chainId, deadline }: ApprovalProxyV3, value: bigint) {
  const verifyingContract = await token.getAddress();
  const permit = { owner: user.address, spender: await proxy.getAddress(), value, nonce: 0n, deadline };
  const domain = { name: "Dollar", version: "1", chainId, verifyingContract };
  const { v, r, s } = ethers.Signature.from(await signPermit2612(user, domain, permit));
  return { token: verifyingContract, owner: user.address, value, nonce: 0n, deadline, v, r, s };
}

describe("RelayApprovalProxyV3", () => {
  it("has production's type hashes", async () => {
    const { proxy } = await networkHelpers.loadFixture(deployProxy);
    expect(await proxy._CALL3VALUE_TYPEHASH()).to.equal(CALL3VALUE_TYPEHASH);
    expect(await proxy._RELAYER_WITNESS_TYPEHASH()).to.equal(WITNESS_TYPEHASH);
  });

  describe("transferAndMulticall", () => {
    it("moves approved tokens to the router, has it make the calls and passes the value on", async () => {
      const deployment = await networkHelpers.loadFixture(deployProxy);
      const { proxy, router, token, vault, user, recipient } = deployment;
      await token.connect(user).approve(proxy, 300n);
      const tokens = [await token.getAddress()];
      const running = proxy
        .connect(user)
        .transferAndMulticall(
          tokens,
          [300n],
          await depositCalls(deployment),
          recipient,
          ethers.ZeroAddress,
          METADATA,
          { value: 9n },
        );
      const [from, to] = [user.address, await router.getAddress()];
      await expect(running).to.emit(proxy, "FundsMovement").withArgs(from, to, tokens[0], 300n, METADATA);
      await expect(running).to.changeTokenBalance(ethers, vault, recipient, 300n);
      await expect(running).to.changeEtherBalances(ethers, [user, recipient], [-9n, 9n]);
    });

    it("reverts with ArrayLengthsMismatch before it looks at the refund address", async () => {
      const { proxy, token, user } = await networkHelpers.loadFixture(deployProxy);
      const tokens = [await token.getAddress()];
      await expect(
        proxy.connect(user).transferAndMulticall(tokens, [], [], ethers.ZeroAddress, user, "0x"),
      ).to.be.revertedWithCustomError(proxy, "ArrayLengthsMismatch");
    });

    it("reverts when a token returns false", async () => {
      const { proxy, user } = await networkHelpers.loadFixture(deployProxy);
      const lying = await ethers.deployContract("ReturnsFalseToken");
      await expect(
        proxy
          .connect(user)
          .transferAndMulticall([lying.getAddress()], [1n], [], user, ethers.ZeroAddress, "0x"),
      )
        .to.be.revertedWithCustomError(proxy, "SafeERC20FailedOperation")
        .withArgs(await lying.getAddress());
    });
  });

  it("reverts with RefundToCannotBeZeroAddress on every path", async () => {
    const { proxy } = await networkHelpers.loadFixture(deployProxy);
    const zero = ethers.ZeroAddress;
    const permit = { permitted: [], nonce: 0n, deadline: 0n };
    const attempts = [
      () => proxy.transferAndMulticall([], [], [], zero, zero, "0x"),
      () => proxy.permitTransferAndMulticall([], [], zero, zero, "0x"),
      () => proxy.permit2TransferAndMulticall(zero, permit, [], zero, zero, "0x", "0x"),
      () => proxy.permit3009TransferAndMulticall([], [], [], zero, zero, "0x"),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).to.be.revertedWithCustomError(proxy, "RefundToCannotBeZeroAddress");
    }
  });

  describe("permitTransferAndMulticall", () => {
    it("uses the caller's permit", async () => {
      const deployment = await networkHelpers.loadFixture(deployProxy);
      const { proxy, vault, user, recipient } = deployment;
      const permit = await permitFor(deployment, 300n);
      const running = proxy
        .connect(user)
        .permitTransferAndMulticall(
          [permit],
          await depositCalls(deployment),
          recipient,
          ethers.ZeroAddress,
          METADATA,
        );
      await expect(running).to.changeTokenBalance(ethers, vault, recipient, 300n);
      await expect(running).to.emit(proxy, "FundsMovement");
    });

    it("reverts with Unauthorized when someone else brings the permit", async () => {
      const deployment = await networkHelpers.loadFixture(deployProxy);
      const { proxy, relayer } = deployment;
      const permit = await permitFor(deployment, 300n);
      await expect(
        proxy
          .connect(relayer)
          .permitTransferAndMulticall([permit], [], relayer, ethers.ZeroAddress, METADATA),
      ).to.be.revertedWithCustomError(proxy, "Unauthorized");
    });

    it("goes on when the permit was brought to the token before", async () => {
      const deployment = await networkHelpers.loadFixture(deployProxy);
      const { proxy, token, vault, user, recipient, relayer, deadline } = deployment;
      const permit = await permitFor(deployment, 300n);
      await token.connect(relayer).permit(user, proxy, 300n, deadline, permit.v, permit.r, permit.s);
      await expect(
        proxy
          .connect(user)
          .permitTransferAndMulticall(
            [permit],
            await depositCalls(deployment),
            recipient,
            ethers.ZeroAddress,
            METADATA,
          ),
      ).to.changeTokenBalance(ethers, vault, recipient, 300n);
    });

    it("reverts with the string Permit failure when the permit is wrong and there is no allowance", async () => {
      const deployment = await networkHelpers.loadFixture(deployProxy);
      const { proxy, user } = deployment;
      const permit = { ...(await permitFor(deployment, 300n)), value: 301n };
      await expect(
        proxy.connect(user).permitTransferAndMulticall([permit], [], user, ethers.ZeroAddress, METADATA),
      ).to.be.revertedWith("Permit failure");
    });
  });

  describe("withdraw", () => {
    it("gives the owner what is stuck, tokens or native currency", async () => {
      const { proxy, token, owner, user } = await networkHelpers.loadFixture(deployProxy);
      await token.connect(user).transfer(proxy, 40n);
      await user.sendTransaction({ to: proxy, value: 50n });
      await expect(proxy.connect(owner).withdraw(token)).to.changeTokenBalance(ethers, token, owner, 40n);
      await expect(proxy.connect(owner).withdraw(ethers.ZeroAddress)).to.changeEtherBalance(
        ethers,
        owner,
        50n,
      );
    });

    it("reverts with Unauthorized for anyone else", async () => {
      const { proxy, user } = await networkHelpers.loadFixture(deployProxy);
      await expect(proxy.connect(user).withdraw(ethers.ZeroAddress)).to.be.revertedWithCustomError(
        proxy,
        "Unauthorized",
      );
    });

    it("reverts with NativeTransferFailed when the owner refuses native currency", async () => {
      const { router, permit2, user } = await networkHelpers.loadFixture(deployProxy);
      const rejecting = await ethers.deployContract("RejectingRecipient");
      const proxy = await ethers.deployContract("RelayApprovalProxyV3", [rejecting, router, permit2]);
      await user.sendTransaction({ to: proxy, value: 1n });
      const owner = await ethers.getImpersonatedSigner(await rejecting.getAddress());
      await networkHelpers.setBalance(owner.address, 10n ** 18n);
      await expect(proxy.connect(owner).withdraw(ethers.ZeroAddress)).to.be.revertedWithCustomError(
        proxy,
        "NativeTransferFailed",
      );
    });
  });
});

describe("the production weaknesses RelayApprovalProxyV3 keeps", () => {
  it("weakness: what the calls do not use stays on the router for a stranger", async () => {
    const { proxy, router, token, user, relayer } = await networkHelpers.loadFixture(deployProxy);
    await token.connect(user).approve(proxy, 300n);
    const tokens = [await token.getAddress()];
    await proxy.connect(user).transferAndMulticall(tokens, [300n], [], user, ethers.ZeroAddress, METADATA);
    await expect(router.connect(relayer).cleanupErc20s(tokens, [relayer], [0n], "0x")).to.changeTokenBalance(
      ethers,
      token,
      relayer,
      300n,
    );
  });

  it("weakness: the movement logged for a fee token is more than the router received", async () => {
    const { proxy, router, user } = await networkHelpers.loadFixture(deployProxy);
    const token = await ethers.deployContract("FeeOnTransferToken", [100n]);
    await token.mint(user, 1_000n);
    await token.connect(user).approve(proxy, 1_000n);
    const tokens = [await token.getAddress()];
    await expect(
      proxy.connect(user).transferAndMulticall(tokens, [1_000n], [], user, ethers.ZeroAddress, METADATA),
    )
      .to.emit(proxy, "FundsMovement")
      .withArgs(user.address, await router.getAddress(), tokens[0], 1_000n, METADATA);
    expect(await token.balanceOf(router)).to.equal(990n);
  });
});
