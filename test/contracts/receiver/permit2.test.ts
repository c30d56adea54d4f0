import { expect } from "chai";
import { MaxUint256 } from "ethers";
import { network } from "hardhat";
import { flattenCalls, traceCalls } from "../../helpers/contracts/callTrace.ts";
import { reentrancyReason } from "../../helpers/contracts/libraryErrors.ts";
import { PERMIT2_ADDRESS, placePermit2 } from "../../helpers/contracts/permit2.ts";
import {
  type Account,
  deployPermitStage,
  hashWitness,
  inAnHour,
  type Permit2Fields,
  type PermitStage,
  signPermit2Transfer,
  tokenBalances,
  witnessOf,
} from "../../helpers/contracts/permitStage.ts";
import {
  Binding,
  DESTINATION_CHAIN_ID,
  type SignedTerms,
  signTerms,
  solver,
} from "../../helpers/contracts/receiverStage.ts";
import { deployToken, type TestToken, wellPayingTokens } from "../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

const AMOUNT = 1_000_000n;
const WITNESS_TYPE =
  "DepositWitness witness)" +
  "DepositWitness(bytes32 requestId,uint256 destinationChainId,bytes32 destinationUser,address receiver)" +
  "TokenPermissions(address token,uint256 amount)";
const NO_ALLOWANCE = ethers.Interface.from(["error Error(string)"]).encodeErrorResult("Error", [
  "TRANSFER_FROM_FAILED",
]);

interface Setting {
  readonly stage: PermitStage;
  readonly token: TestToken;
  readonly terms: SignedTerms;
  readonly permit2: Awaited<ReturnType<typeof placePermit2>>;
}

/** The depositor has twice the amount and has approved Permit2 for ever. */
async function settingOf(token: TestToken, binding: number = Binding.Receiver): Promise<Setting> {
  const permit2 = await placePermit2(ethers);
  const stage = await deployPermitStage(ethers, solver.address, binding);
  await token.mint(stage.depositor.address, 2n * AMOUNT);
  await token.connect(stage.depositor).approve(PERMIT2_ADDRESS, MaxUint256);
  return { stage, token, terms: await signTerms(stage, AMOUNT, token), permit2 };
}

async function emptyChain() {}

async function boundToReceiver() {
  return settingOf(await deployToken(ethers, "LocalToken"));
}

async function boundToCaller() {
  return settingOf(await deployToken(ethers, "LocalToken"), Binding.Caller);
}

/** The depositor's signed transfer for exactly this payment, unless something else is asked for. */
async function transferOf(
  { stage, token, terms }: Setting,
  { owner = stage.depositor, ...changes }: Partial<Permit2Fields> & { owner?: Account } = {},
) {
  const fields = {
    token: await token.getAddress(),
    amount: AMOUNT,
    spender: await stage.receiver.getAddress(),
    nonce: 7n,
    deadline: await inAnHour(ethers),
    witness: await witnessOf(stage, terms),
    ...changes,
  };
  const signature = await signPermit2Transfer(ethers, owner, fields);
  return { owner: stage.depositor.address, nonce: fields.nonce, deadline: fields.deadline, signature };
}

type Transfer = Awaited<ReturnType<typeof transferOf>>;

function deposit({ stage, token, terms }: Setting, transfer: Transfer, caller: Account = stage.depositor) {
  return stage.receiver
    .connect(caller)
    .depositErc20WithPermit2(
      token,
      AMOUNT,
      terms.requestId,
      DESTINATION_CHAIN_ID,
      terms.destinationUser,
      terms.signature,
      transfer,
    );
}

async function expectRefused(setting: Setting, transfer: Transfer, error: string, args: unknown[] = []) {
  const { stage, token, terms, permit2 } = setting;
  const before = await tokenBalances(stage, token);
  await expect(deposit(setting, transfer))
    .to.be.revertedWithCustomError(stage.receiver, "Permit2TransferRefused")
    .withArgs(stage.depositor.address, permit2.interface.encodeErrorResult(error, args));
  expect(await tokenBalances(stage, token)).to.deep.equal(before);
  expect(await stage.receiver.isConsumed(terms.requestId)).to.equal(false);
}

describe("PinnedReceiverPermits.depositErc20WithPermit2", () => {
  // Permit2 keeps the nonces that a test has used.
  beforeEach(async () => {
    await networkHelpers.loadFixture(emptyChain);
  });

  it("meets the real Permit2, which computes its domain for the chain it is on", async () => {
    const { permit2 } = await networkHelpers.loadFixture(boundToReceiver);
    const { chainId } = await ethers.provider.getNetwork();
    const domain = { name: "Permit2", chainId, verifyingContract: PERMIT2_ADDRESS };
    expect(await permit2["DOMAIN_SEPARATOR"]?.()).to.equal(ethers.TypedDataEncoder.hashDomain(domain));
  });

  for (const name of wellPayingTokens) {
    it(`pays the solver exactly in ${name}, logs the owner, and keeps nothing`, async () => {
      const setting = await settingOf(await deployToken(ethers, name));
      const { stage, token, terms } = setting;
      await expect(deposit(setting, await transferOf(setting)))
        .to.emit(stage.receiver, "Erc20Deposited")
        .withArgs(terms.requestId, stage.depositor.address);
      expect(await tokenBalances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
      expect(await stage.receiver.isConsumed(terms.requestId)).to.equal(true);
    });
  }

  it("carries the requestId behind the arguments of the transfer to the solver", async () => {
    const setting = await networkHelpers.loadFixture(boundToReceiver);
    const { token, terms } = setting;
    const { hash } = await deposit(setting, await transferOf(setting));
    const calls = flattenCalls(await traceCalls(ethers, hash)).map(({ input }) => input);
    const standard = token.interface.encodeFunctionData("transfer", [solver.address, AMOUNT]);
    expect(calls).to.include(ethers.concat([standard, terms.requestId]));
  });

  it("lets a relayer bring it, and the same call brought first has the same effect", async () => {
    const setting = await networkHelpers.loadFixture(boundToReceiver);
    const { stage, token, terms } = setting;
    const transfer = await transferOf(setting);
    await expect(deposit(setting, transfer, stage.stranger))
      .to.emit(stage.receiver, "Erc20Deposited")
      .withArgs(terms.requestId, stage.depositor.address);
    expect(await tokenBalances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    await expect(deposit(setting, transfer))
      .to.be.revertedWithCustomError(stage.receiver, "RequestAlreadyConsumed")
      .withArgs(terms.requestId);
  });

  it("accepts the 64-byte form of the owner's signature", async () => {
    const setting = await networkHelpers.loadFixture(boundToReceiver);
    const transfer = await transferOf(setting);
    const signature = ethers.Signature.from(transfer.signature).compactSerialized;
    await deposit(setting, { ...transfer, signature });
    expect(await tokenBalances(setting.stage, setting.token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
  });

  describe("bound to the caller", () => {
    it("lets the record's user pay", async () => {
      const setting = await networkHelpers.loadFixture(boundToCaller);
      await deposit(setting, await transferOf(setting));
      expect(await tokenBalances(setting.stage, setting.token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    });

    it("refuses anybody else who brings the owner's signature", async () => {
      const setting = await networkHelpers.loadFixture(boundToCaller);
      await expect(
        deposit(setting, await transferOf(setting), setting.stage.stranger),
      ).to.be.revertedWithCustomError(setting.stage.receiver, "RecordNotSignedBySolver");
    });
  });

  describe("refuses a transfer whose witness names", () => {
    for (const [what, change] of [
      ["another request", { requestId: ethers.id("another request") }],
      ["another destination chain", { destinationChainId: DESTINATION_CHAIN_ID + 1n }],
      ["another recipient", { destinationUser: ethers.id("another recipient") }],
      ["another receiver", { receiver: solver.address }],
    ] as const) {
      it(what, async () => {
        const setting = await networkHelpers.loadFixture(boundToReceiver);
        const witness = { ...(await witnessOf(setting.stage, setting.terms)), ...change };
        await expectRefused(setting, await transferOf(setting, { witness }), "InvalidSigner");
      });
    }
  });

  it("cannot be turned to a request of the relayer's own", async () => {
    const setting = await networkHelpers.loadFixture(boundToReceiver);
    const transfer = await transferOf(setting);
    const own = { ...setting, terms: await signTerms(setting.stage, AMOUNT, setting.token, 2) };
    await expectRefused(own, transfer, "InvalidSigner");
  });

  it("leaves the signature useless to anybody at Permit2 itself", async () => {
    const setting = await networkHelpers.loadFixture(boundToReceiver);
    const { stage, token, permit2, terms } = setting;
    const { owner, nonce, deadline, signature } = await transferOf(setting);
    const call = permit2.interface.encodeFunctionData("permitWitnessTransferFrom", [
      { permitted: { token: await token.getAddress(), amount: AMOUNT }, nonce, deadline },
      { to: stage.stranger.address, requestedAmount: AMOUNT },
      owner,
      hashWitness(await witnessOf(stage, terms)),
      WITNESS_TYPE,
      signature,
    ]);
    await expect(
      stage.stranger.sendTransaction({ to: PERMIT2_ADDRESS, data: call }),
    ).to.be.revertedWithCustomError(permit2, "InvalidSigner");
    // The very same call from the receiver goes through, so nothing else was wrong with it.
    await deposit(setting, { owner, nonce, deadline, signature });
  });

  describe("refuses a transfer that was signed", () => {
    it("by somebody else", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const transfer = await transferOf(setting, { owner: setting.stage.stranger });
      await expectRefused(setting, transfer, "InvalidSigner");
    });

    it("for another spender", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const transfer = await transferOf(setting, { spender: setting.stage.stranger.address });
      await expectRefused(setting, transfer, "InvalidSigner");
    });

    it("for another token", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      await expectRefused(setting, await transferOf(setting, { token: solver.address }), "InvalidSigner");
    });

    for (const amount of [AMOUNT - 1n, AMOUNT + 1n]) {
      it(`over ${amount} instead of ${AMOUNT}`, async () => {
        const setting = await networkHelpers.loadFixture(boundToReceiver);
        await expectRefused(setting, await transferOf(setting, { amount }), "InvalidSigner");
      });
    }

    it("until a time that is over", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      await expectRefused(setting, await transferOf(setting, { deadline: 1n }), "SignatureExpired", [1n]);
    });

    it("with a nonce that is used, and takes one with the next", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const { stage, token } = setting;
      await deposit(setting, await transferOf(setting));
      const next = { ...setting, terms: await signTerms(stage, AMOUNT, token, 2) };
      await expectRefused(next, await transferOf(next), "InvalidNonce");
      await deposit(next, await transferOf(next, { nonce: 8n }));
      expect(await tokenBalances(stage, token)).to.deep.equal([0n, 2n * AMOUNT, 0n]);
    });
  });

  it("says that Permit2 has no allowance", async () => {
    const setting = await networkHelpers.loadFixture(boundToReceiver);
    const { stage, token } = setting;
    await token.connect(stage.depositor).approve(PERMIT2_ADDRESS, AMOUNT - 1n);
    await expect(deposit(setting, await transferOf(setting)))
      .to.be.revertedWithCustomError(stage.receiver, "Permit2TransferRefused")
      .withArgs(stage.depositor.address, NO_ALLOWANCE);
  });

  it("refuses a chain without Permit2, of which nothing comes", async () => {
    const setting = await networkHelpers.loadFixture(boundToReceiver);
    const transfer = await transferOf(setting);
    await ethers.provider.send("hardhat_setCode", [PERMIT2_ADDRESS, "0x"]);
    await expect(deposit(setting, transfer))
      .to.be.revertedWithCustomError(setting.stage.receiver, "ArrivedAmountMismatch")
      .withArgs(await setting.token.getAddress(), AMOUNT, 0n);
  });

  describe("with an awkward token", () => {
    it("refuses one that takes a fee", async () => {
      const fee = await ethers.deployContract("FeeOnTransferToken", [100]);
      const setting = await settingOf(fee as unknown as TestToken);
      await expect(deposit(setting, await transferOf(setting)))
        .to.be.revertedWithCustomError(setting.stage.receiver, "ArrivedAmountMismatch")
        .withArgs(await fee.getAddress(), AMOUNT, (AMOUNT * 99n) / 100n);
    });

    it("refuses one that returns false on the way to the solver, with what it returned", async () => {
      const refusing = await ethers.deployContract("ReturnsFalseToken");
      await refusing.setRefusals(true, false, false);
      const setting = await settingOf(refusing as unknown as TestToken);
      await expect(deposit(setting, await transferOf(setting)))
        .to.be.revertedWithCustomError(setting.stage.receiver, "TokenTransferFailed")
        .withArgs(await refusing.getAddress(), ethers.ZeroHash);
    });

    it("refuses one that has blocked the solver, and accepts the same call once it has not", async () => {
      const blocklist = await ethers.deployContract("BlocklistToken");
      const setting = await settingOf(blocklist as unknown as TestToken);
      const transfer = await transferOf(setting);
      await blocklist.setBlocked(solver.address, true);
      await expect(deposit(setting, transfer))
        .to.be.revertedWithCustomError(setting.stage.receiver, "TokenTransferFailed")
        .withArgs(
          await blocklist.getAddress(),
          blocklist.interface.encodeErrorResult("AccountBlocked", [solver.address]),
        );
      await blocklist.setBlocked(solver.address, false);
      await deposit(setting, transfer);
      expect(await tokenBalances(setting.stage, setting.token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    });

    it("refuses a second payment from within its transfer", async () => {
      const reentrant = await ethers.deployContract("ReentrantToken");
      const setting = await settingOf(reentrant as unknown as TestToken);
      const nested = { ...setting, terms: await signTerms(setting.stage, AMOUNT, setting.token, 2) };
      const { stage, terms } = nested;
      await reentrant.arm(
        stage.receiver,
        stage.receiver.interface.encodeFunctionData("depositErc20WithPermit2", [
          await reentrant.getAddress(),
          AMOUNT,
          terms.requestId,
          DESTINATION_CHAIN_ID,
          terms.destinationUser,
          terms.signature,
          await transferOf(nested, { nonce: 8n }),
        ]),
      );
      await deposit(setting, await transferOf(setting));
      expect([await reentrant.fired(), await reentrant.lastReturnData()]).to.deep.equal([
        1n,
        reentrancyReason(),
      ]);
      expect(await tokenBalances(stage, setting.token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    });
  });
});
