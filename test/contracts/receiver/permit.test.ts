import { expect } from "chai";
import { network } from "hardhat";
import { onlyCallTo, ownGas, traceCalls, traceLatest } from "../../helpers/contracts/callTrace.ts";
import { reentrancyReason } from "../../helpers/contracts/libraryErrors.ts";
import {
  type Account,
  deployPermitStage,
  inAnHour,
  type PermitStage,
  signPermit,
  tokenBalances,
} from "../../helpers/contracts/permitStage.ts";
import {
  Binding,
  DESTINATION_CHAIN_ID,
  type SignedTerms,
  signTerms,
  solver,
} from "../../helpers/contracts/receiverStage.ts";
import { deployToken, type TestToken } from "../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

const AMOUNT = 1_000_000n;
const TOKEN_NAME = "Local Dollar";

type Permit = Awaited<ReturnType<typeof signPermit>>;

const permitErrors = {
  interface: new ethers.Interface([
    "error ERC2612ExpiredSignature(uint256 deadline)",
    "error ERC2612InvalidSigner(address signer, address owner)",
  ]),
};

async function permitStage(binding: number = Binding.Receiver) {
  const stage = await deployPermitStage(ethers, solver.address, binding);
  const token = await deployToken(ethers, "LocalToken");
  await token.mint(stage.depositor.address, 2n * AMOUNT);
  return { stage, token, terms: await signTerms(stage, AMOUNT, token) };
}

async function boundToReceiver() {
  return permitStage();
}

async function boundToCaller() {
  return permitStage(Binding.Caller);
}

/** The depositor's permit of a token for the receiver, unless something else is asked for. */
async function permitOf(
  stage: PermitStage,
  token: TestToken,
  changes: { owner?: Account; spender?: string; value?: bigint; deadline?: bigint } = {},
): Promise<Permit> {
  const owner = changes.owner ?? stage.depositor;
  const asToken = await ethers.getContractAt("LocalToken", token);
  return signPermit(
    ethers,
    owner,
    { address: await token.getAddress(), name: TOKEN_NAME },
    {
      owner: owner.address,
      spender: changes.spender ?? (await stage.receiver.getAddress()),
      value: changes.value ?? AMOUNT,
      nonce: await asToken.nonces(owner.address),
      deadline: changes.deadline ?? (await inAnHour(ethers)),
    },
  );
}

function deposit(
  stage: PermitStage,
  token: TestToken,
  terms: SignedTerms,
  permit: Permit,
  caller: Account = stage.depositor,
  gasLimit?: bigint,
) {
  return stage.receiver
    .connect(caller)
    .depositErc20WithPermit(
      token,
      AMOUNT,
      terms.requestId,
      DESTINATION_CHAIN_ID,
      terms.destinationUser,
      terms.signature,
      permit,
      gasLimit === undefined ? {} : { gasLimit },
    );
}

/** What anybody who sees the permit in the mempool can do with it. */
async function bringToToken(stage: PermitStage, token: TestToken, permit: Permit): Promise<void> {
  const asToken = await ethers.getContractAt("LocalToken", token);
  const { value, deadline, v, r, s } = permit;
  await asToken
    .connect(stage.stranger)
    .permit(stage.depositor.address, stage.receiver, value, deadline, v, r, s);
}

describe("PinnedReceiverPermits.depositErc20WithPermit", () => {
  for (const [what, fixture] of [
    ["itself", boundToReceiver],
    ["the caller", boundToCaller],
  ] as const) {
    it(`pays the solver from the caller without an approval, when bound to ${what}`, async () => {
      const { stage, token, terms } = await networkHelpers.loadFixture(fixture);
      await expect(deposit(stage, token, terms, await permitOf(stage, token)))
        .to.emit(stage.receiver, "Erc20Deposited")
        .withArgs(terms.requestId, stage.depositor.address);
      expect(await tokenBalances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
      expect(await stage.receiver.isConsumed(terms.requestId)).to.equal(true);
      expect(await token.allowance(stage.depositor.address, stage.receiver)).to.equal(0n);
    });
  }

  it("moves the tokens once, straight to the solver, with the requestId behind the arguments", async () => {
    const { stage, token, terms } = await networkHelpers.loadFixture(boundToReceiver);
    const { hash } = await deposit(stage, token, terms, await permitOf(stage, token));
    const trace = await traceCalls(ethers, hash);
    const transfers = (trace.calls ?? []).filter(({ input }) => input.startsWith("0x23b872dd"));
    const [transfer] = transfers;
    expect(transfers).to.have.lengthOf(1);
    expect(transfer?.input).to.equal(
      ethers.concat([
        token.interface.encodeFunctionData("transferFrom", [stage.depositor.address, solver.address, AMOUNT]),
        terms.requestId,
      ]),
    );
    expect(onlyCallTo(trace, "CALL", await stage.receiver.getAddress()).input).to.equal(trace.input);
  });

  it("takes only the signed payment of a larger permit", async () => {
    const { stage, token, terms } = await networkHelpers.loadFixture(boundToReceiver);
    await deposit(stage, token, terms, await permitOf(stage, token, { value: 2n * AMOUNT }));
    expect(await tokenBalances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    expect(await token.allowance(stage.depositor.address, stage.receiver)).to.equal(AMOUNT);
  });

  it("goes on when somebody else has brought the permit to the token before", async () => {
    const { stage, token, terms } = await networkHelpers.loadFixture(boundToReceiver);
    const permit = await permitOf(stage, token);
    await bringToToken(stage, token, permit);
    await deposit(stage, token, terms, permit);
    expect(await tokenBalances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
  });

  it("goes on with an allowance given earlier when the permit is expired", async () => {
    const { stage, token, terms } = await networkHelpers.loadFixture(boundToReceiver);
    await token.connect(stage.depositor).approve(stage.receiver, AMOUNT);
    await deposit(stage, token, terms, await permitOf(stage, token, { deadline: 1n }));
    expect(await tokenBalances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
  });

  it("does not let anybody else use a permit, for the owner's request or for its own", async () => {
    const { stage, token, terms } = await networkHelpers.loadFixture(boundToReceiver);
    const permit = await permitOf(stage, token);
    const otherTerms = await signTerms(stage, AMOUNT, token, 2);
    // With the allowance in place as well, which is all that the permit can give away.
    await bringToToken(stage, token, permit);
    await token.mint(stage.stranger.address, AMOUNT);
    for (const stolen of [terms, otherTerms]) {
      await expect(deposit(stage, token, stolen, permit, stage.stranger)).to.be.revertedWithCustomError(
        stage.receiver,
        "PermitRefused",
      );
    }
    expect(await tokenBalances(stage, token)).to.deep.equal([2n * AMOUNT, 0n, 0n]);
  });

  describe("refuses", () => {
    async function expectPermitRefused(
      { stage, token, terms }: Awaited<ReturnType<typeof boundToReceiver>>,
      permit: Permit,
      reason: string,
      allowance = 0n,
    ) {
      await expect(deposit(stage, token, terms, permit))
        .to.be.revertedWithCustomError(stage.receiver, "PermitRefused")
        .withArgs(await token.getAddress(), allowance, AMOUNT, reason);
      expect(await tokenBalances(stage, token)).to.deep.equal([2n * AMOUNT, 0n, 0n]);
      expect(await stage.receiver.isConsumed(terms.requestId)).to.equal(false);
    }

    it("an expired permit, with the token's reason", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const permit = await permitOf(setting.stage, setting.token, { deadline: 1n });
      const reason = permitErrors.interface.encodeErrorResult("ERC2612ExpiredSignature", [1n]);
      await expectPermitRefused(setting, permit, reason);
    });

    it("an expired permit when the allowance is one unit short", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      await setting.token.connect(setting.stage.depositor).approve(setting.stage.receiver, AMOUNT - 1n);
      const permit = await permitOf(setting.stage, setting.token, { deadline: 1n });
      const reason = permitErrors.interface.encodeErrorResult("ERC2612ExpiredSignature", [1n]);
      await expectPermitRefused(setting, permit, reason, AMOUNT - 1n);
    });

    it("a permit that somebody else signed, with the token's reason", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const permit = await permitOf(setting.stage, setting.token, { owner: setting.stage.stranger });
      const allowed = expect(
        deposit(setting.stage, setting.token, setting.terms, permit),
      ).to.be.revertedWithCustomError(setting.stage.receiver, "PermitRefused");
      await allowed.withArgs(
        await setting.token.getAddress(),
        0n,
        AMOUNT,
        (reason: string) =>
          permitErrors.interface.parseError(reason)?.args["owner"] === setting.stage.depositor.address,
      );
    });

    it("a permit for another spender", async () => {
      const { stage, token, terms } = await networkHelpers.loadFixture(boundToReceiver);
      const permit = await permitOf(stage, token, { spender: stage.stranger.address });
      await expect(deposit(stage, token, terms, permit)).to.be.revertedWithCustomError(
        stage.receiver,
        "PermitRefused",
      );
    });

    it("a permit for less than the payment, with the token's reason", async () => {
      const { stage, token, terms } = await networkHelpers.loadFixture(boundToReceiver);
      const permit = await permitOf(stage, token, { value: AMOUNT - 1n });
      await expect(deposit(stage, token, terms, permit))
        .to.be.revertedWithCustomError(stage.receiver, "TokenTransferFailed")
        .withArgs(await token.getAddress(), (reason: string) => reason.length > 2);
    });

    it("a payment the solver did not sign before the permit is used", async () => {
      const { stage, token, terms } = await networkHelpers.loadFixture(boundToReceiver);
      const permit = await permitOf(stage, token);
      const other = { ...terms, destinationUser: ethers.zeroPadValue(stage.stranger.address, 32) };
      await expect(deposit(stage, token, other, permit)).to.be.revertedWithCustomError(
        stage.receiver,
        "RecordNotSignedBySolver",
      );
      await deposit(stage, token, terms, permit);
    });

    it("a request that is paid already, with a fresh permit", async () => {
      const { stage, token, terms } = await networkHelpers.loadFixture(boundToReceiver);
      await deposit(stage, token, terms, await permitOf(stage, token));
      await expect(deposit(stage, token, terms, await permitOf(stage, token)))
        .to.be.revertedWithCustomError(stage.receiver, "RequestAlreadyConsumed")
        .withArgs(terms.requestId);
    });

    it("another user's record when bound to the caller", async () => {
      const { stage, token, terms } = await networkHelpers.loadFixture(boundToCaller);
      await token.mint(stage.stranger.address, AMOUNT);
      const permit = await permitOf(stage, token, { owner: stage.stranger });
      await expect(deposit(stage, token, terms, permit, stage.stranger)).to.be.revertedWithCustomError(
        stage.receiver,
        "RecordNotSignedBySolver",
      );
    });
  });

  describe("with a token that has no permit", () => {
    const anyPermit: Permit = { value: 0n, deadline: 0n, r: ethers.ZeroHash, s: ethers.ZeroHash, v: 27 };

    async function approvedStage<Token extends TestToken>(token: Token) {
      const stage = await deployPermitStage(ethers);
      await token.mint(stage.depositor.address, AMOUNT);
      await token.connect(stage.depositor).approve(stage.receiver, AMOUNT);
      return { stage, token, terms: await signTerms(stage, AMOUNT, token) };
    }

    for (const name of ["LocalTether", "NoReturnToken", "RevertsOnZeroToken", "BlocklistToken"] as const) {
      it(`goes on with the allowance for ${name}`, async () => {
        const { stage, token, terms } = await approvedStage(await deployToken(ethers, name));
        await deposit(stage, token, terms, anyPermit);
        expect(await tokenBalances(stage, token)).to.deep.equal([0n, AMOUNT, 0n]);
      });
    }

    it("is not fooled by a token that accepts permits it does not know", async () => {
      const phantom = await ethers.deployContract("AwkwardAuthorizationToken");
      const token = phantom as unknown as TestToken;
      const stage = await deployPermitStage(ethers);
      await token.mint(stage.depositor.address, AMOUNT);
      await expect(deposit(stage, token, await signTerms(stage, AMOUNT, token), anyPermit))
        .to.be.revertedWithCustomError(stage.receiver, "TokenTransferFailed")
        .withArgs(await token.getAddress(), (reason: string) => reason.length > 2);
    });

    it("refuses one that takes a fee", async () => {
      const fee = (await ethers.deployContract("FeeOnTransferToken", [100])) as unknown as TestToken;
      const { stage, token, terms } = await approvedStage(fee);
      await expect(deposit(stage, token, terms, anyPermit))
        .to.be.revertedWithCustomError(stage.receiver, "ArrivedAmountMismatch")
        .withArgs(await token.getAddress(), AMOUNT, (AMOUNT * 99n) / 100n);
    });

    it("refuses one that returns false", async () => {
      const refusing = await ethers.deployContract("ReturnsFalseToken");
      await refusing.setRefusals(true, true, false);
      const { stage, token, terms } = await approvedStage(refusing as unknown as TestToken);
      await expect(deposit(stage, token, terms, anyPermit))
        .to.be.revertedWithCustomError(stage.receiver, "TokenTransferFailed")
        .withArgs(await token.getAddress(), ethers.ZeroHash);
    });

    it("refuses an account without code", async () => {
      const stage = await deployPermitStage(ethers);
      const account = { getAddress: async () => stage.recipient } as unknown as TestToken;
      await expect(deposit(stage, account, await signTerms(stage, AMOUNT, stage.recipient), anyPermit))
        .to.be.revertedWithCustomError(stage.receiver, "TokenHasNoCode")
        .withArgs(stage.recipient);
    });

    it("does not pay for the answer of one that refuses the permit with a huge buffer", async () => {
      const stage = await deployPermitStage(ethers);
      const bomb = (await ethers.deployContract("ReturndataBomb", [200_000n, true])) as unknown as TestToken;
      const terms = await signTerms(stage, AMOUNT, bomb);
      await expect(deposit(stage, bomb, terms, anyPermit))
        .to.be.revertedWithCustomError(stage.receiver, "TokenReadFailed")
        .withArgs(await bomb.getAddress());
      // With a gas limit of its own the transaction is mined although it fails.
      await deposit(stage, bomb, terms, anyPermit, stage.depositor, 3_000_000n).catch(() => undefined);
      const trace = await traceLatest(ethers, await stage.receiver.getAddress());
      // Copying the bomb would alone cost 113,000.
      expect(Number(ownGas(trace))).to.be.below(80_000);
    });

    it("refuses a second payment from within its transfer", async () => {
      const reentrant = await ethers.deployContract("ReentrantToken");
      const { stage, token, terms } = await approvedStage(reentrant as unknown as TestToken);
      const nested = await signTerms(stage, AMOUNT, token, 2);
      await token.mint(await token.getAddress(), AMOUNT);
      const call = stage.receiver.interface.encodeFunctionData("depositErc20WithPermit", [
        await token.getAddress(),
        AMOUNT,
        nested.requestId,
        DESTINATION_CHAIN_ID,
        nested.destinationUser,
        nested.signature,
        anyPermit,
      ]);
      await reentrant.arm(stage.receiver, call);
      await deposit(stage, token, terms, anyPermit);
      expect([await reentrant.fired(), await reentrant.lastReturnData()]).to.deep.equal([
        1n,
        reentrancyReason(),
      ]);
      expect(await stage.receiver.isConsumed(nested.requestId)).to.equal(false);
    });
  });
});
