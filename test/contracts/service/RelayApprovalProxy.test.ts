import { expect } from "chai";
import type { ContractTransactionResponse } from "ethers";
import { network } from "hardhat";
import {
  AMOUNT,
  type ApprovalProxy,
  deployApprovalProxy,
  PROXY_VERSIONS,
  run,
  signBatchTransfer,
  signBearer,
  signProxyPermit,
  type Terms,
  termsOf,
} from "./support/approvalProxies.ts";
import { METADATA } from "./support/routers.ts";

const { ethers, networkHelpers } = await network.create();
const ZERO = ethers.ZeroAddress;

for (const version of PROXY_VERSIONS) {
  const isV3 = version === "RelayApprovalProxyV3";

  async function deploy() {
    return deployApprovalProxy(ethers, version);
  }
  const load = () => networkHelpers.loadFixture(deploy);

  /** Expects the token's transfers, and their events, which only version 3 has. */
  async function expectMoved(
    all: ApprovalProxy,
    running: Promise<ContractTransactionResponse>,
    of: "token" | "bearer" = "token",
  ) {
    const { proxy, router, user, recipient, addresses } = all;
    const holders = [user, proxy, router, recipient];
    await expect(running).to.changeTokenBalances(ethers, all[of], holders, [-AMOUNT, 0n, 0n, AMOUNT]);
    const receipt = await (await running).wait();
    const logs = receipt?.logs.filter(({ address }) => address === proxy.target) ?? [];
    const moved = [user.address, addresses.router, addresses[of], AMOUNT, METADATA];
    expect(logs.map((log) => proxy.interface.parseLog(log)?.args.toArray())).to.deep.equal(
      isV3 ? [moved] : [],
    );
  }

  describe(`${version}`, () => {
    it("a zero refund address reverts with RefundToCannotBeZeroAddress on every path", async () => {
      const all = await load();
      const terms = { calls: [], refundTo: ZERO, nftRecipient: ZERO, metadata: "0x" };
      const permit = { permitted: [], nonce: 0n, deadline: 0n };
      for (const attempt of [
        run(all, "transferAndMulticall", [[], []], terms),
        run(all, "permitTransferAndMulticall", [[]], terms),
        run(all, "permit2TransferAndMulticall", [ZERO, permit], terms, { signature: "0x" }),
        run(all, "permit3009TransferAndMulticall", [[], []], terms),
      ]) {
        await expect(attempt).to.be.revertedWithCustomError(all.proxy, "RefundToCannotBeZeroAddress");
      }
    });

    it("arrays of unequal length revert with ArrayLengthsMismatch, in production's order with the refund address", async () => {
      const all = await load();
      const terms = { calls: [], refundTo: all.user, nftRecipient: ZERO, metadata: "0x" };
      for (const [name, isFirst] of [
        ["transferAndMulticall", true],
        ["permit3009TransferAndMulticall", isV3],
      ] as const) {
        const lengths = name === "transferAndMulticall" ? [[all.token], []] : [[], [all.token]];
        const mismatched = run(all, name, lengths, terms);
        await expect(mismatched).to.be.revertedWithCustomError(all.proxy, "ArrayLengthsMismatch");
        await expect(run(all, name, lengths, { ...terms, refundTo: ZERO })).to.be.revertedWithCustomError(
          all.proxy,
          isFirst ? "ArrayLengthsMismatch" : "RefundToCannotBeZeroAddress",
        );
      }
    });
  });

  describe(`${version}.transferAndMulticall`, () => {
    it("moves approved tokens to the router, which makes the calls with the value", async () => {
      const all = await load();
      const { proxy, token, user, recipient, addresses } = all;
      await token.connect(user).approve(proxy, AMOUNT);
      const running = run(
        all,
        "transferAndMulticall",
        [[addresses.token], [AMOUNT]],
        await termsOf(all, "token"),
        { caller: user, overrides: { value: 9n } },
      );
      await expectMoved(all, running);
      await expect(running).to.changeEtherBalances(ethers, [user, recipient], [-9n, 9n]);
    });

    it("weakness: tokens that the calls leave stay on the router, where any account takes them", async () => {
      const all = await load();
      const { proxy, router, token, user, relayer, addresses } = all;
      await token.connect(user).approve(proxy, AMOUNT);
      const terms = { ...(await termsOf(all, "token")), calls: [] };
      await run(all, "transferAndMulticall", [[addresses.token], [AMOUNT]], terms, { caller: user });
      const data = all.encode("cleanupErc20s", [[addresses.token], [relayer.address], [0n]]);
      await expect(relayer.sendTransaction({ to: router, data })).to.changeTokenBalance(
        ethers,
        token,
        relayer,
        AMOUNT,
      );
    });

    if (!isV3) return;
  });

  describe(`${version}.permitTransferAndMulticall`, () => {
    async function setUp() {
      const all = await load();
      const [permit, terms] = [await signProxyPermit(all), await termsOf(all, "token")];
      const bring = (caller = all.user, changes: Partial<typeof permit> = {}) =>
        run(all, "permitTransferAndMulticall", [[{ ...permit, ...changes }]], terms, { caller });
      return { all, permit, bring };
    }

    it("uses the caller's permit, and reverts with Unauthorized for another caller", async () => {
      const { all, bring } = await setUp();
      await expect(bring(all.relayer)).to.be.revertedWithCustomError(all.proxy, "Unauthorized");
      await expectMoved(all, bring());
    });
  });

  describe(`${version}.permit2TransferAndMulticall`, () => {
    async function setUp() {
      const all = await load();
      await all.token.connect(all.user).approve(all.permit2, AMOUNT);
      const terms = await termsOf(all, "token");
      const { permit, signature } = await signBatchTransfer(all, terms);
      const bring = (changes: Partial<Terms> = {}, options = {}) =>
        run(
          all,
          "permit2TransferAndMulticall",
          [all.user, permit],
          { ...terms, ...changes },
          {
            ...{ caller: all.relayer, signature },
            ...options,
          },
        );
      return { all, bring };
    }

    it("moves the signed tokens when the named relayer submits them, and rejects a second time", async () => {
      const { all, bring } = await setUp();
      await expectMoved(all, bring());
      await expect(bring()).to.be.revertedWithCustomError(all.permit2, "InvalidNonce");
    });

    it("rejects any change of relayer, refund address, recipient of tokens, calls or metadata", async () => {
      const { all, bring } = await setUp();
      for (const attempt of [
        bring({}, { caller: all.user }),
        bring({ refundTo: all.relayer }),
        bring({ nftRecipient: all.relayer }),
        bring({ calls: [] }),
        ...(isV3 ? [bring({ metadata: "0x" })] : []),
      ]) {
        await expect(attempt).to.be.revertedWithCustomError(all.permit2, "InvalidSigner");
      }
    });
  });

  describe(`${version}.permit3009TransferAndMulticall`, () => {
    async function setUp() {
      const all = await load();
      const terms = await termsOf(all, "bearer");
      const { permits, nonce } = await signBearer(all, terms);
      const payment = [permits, [all.addresses.bearer]];
      const bring = (changes: Partial<Terms> = {}, caller = all.relayer) =>
        run(all, "permit3009TransferAndMulticall", payment, { ...terms, ...changes }, { caller });
      return { all, bring, nonce };
    }

    it("accepts an authorization whose nonce is the witness hash", async () => {
      const { all, bring, nonce } = await setUp();
      await expectMoved(all, bring(), "bearer");
      expect(await all.bearer.authorizationState(all.user, nonce)).to.equal(true);
    });

    it("rejects changed calls, metadata or another relayer, because the nonce is then another", async () => {
      const { all, bring } = await setUp();
      for (const attempt of [
        bring({ calls: [] }),
        bring({}, all.user),
        ...(isV3 ? [bring({ metadata: "0x" })] : []),
      ]) {
        await expect(attempt).to.be.revertedWithCustomError(all.bearer, "ERC3009InvalidSignature");
      }
    });
  });

  describe(`${version}.withdraw`, () => {
    const nativeOf = (all: ApprovalProxy, owner: typeof all.owner) =>
      all.proxy.connect(owner).getFunction("withdraw")(...(isV3 ? [ZERO] : []));

    it("pays stuck native currency to the owner alone", async () => {
      const all = await load();
      await all.user.sendTransaction({ to: all.proxy, value: 50n });
      await expect(nativeOf(all, all.user)).to.be.revertedWithCustomError(all.proxy, "Unauthorized");
      await expect(nativeOf(all, all.owner)).to.changeEtherBalance(ethers, all.owner, 50n);
    });
  });
}

describe("RelayApprovalProxyV2_1 and its owner", () => {
  async function deployV2() {
    const all = await deployApprovalProxy(ethers, "RelayApprovalProxyV2_1");
    return { ...all, proxy: await ethers.getContractAt("RelayApprovalProxyV2_1", all.proxy) };
  }

  it("weakness: the owner can redirect approved tokens to an address of its choice", async () => {
    const all = await networkHelpers.loadFixture(deployV2);
    const { proxy, token, owner, user, addresses } = all;
    // A router that does nothing: 64 zero bytes are an empty list of results.
    const impostor = await ethers.deployContract("ReturndataBomb", [64, false]);
    await token.connect(user).approve(proxy, AMOUNT);
    await proxy.connect(owner).setRouter(impostor);
    const terms = { ...(await termsOf(all, "token")), calls: [] };
    await run(all, "transferAndMulticall", [[addresses.token], [AMOUNT]], terms, { caller: user });
    expect(await token.balanceOf(impostor)).to.equal(AMOUNT);
  });
});
