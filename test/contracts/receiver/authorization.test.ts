import { expect } from "chai";
import { network } from "hardhat";
import type { AuthorizationToken, AwkwardAuthorizationToken } from "../../../typechain-types/index.ts";
import { flattenCalls, traceCalls } from "../../helpers/contracts/callTrace.ts";
import { reentrancyReason } from "../../helpers/contracts/libraryErrors.ts";
import {
  type Account,
  type AuthorizationFields,
  deployPermitStage,
  hashWitness,
  inAnHour,
  type PermitStage,
  signAuthorization,
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

const { ethers, networkHelpers } = await network.create();

const AMOUNT = 1_000_000n;

type Token = AuthorizationToken | AwkwardAuthorizationToken;

interface Setting<T extends Token = Token> {
  readonly stage: PermitStage;
  readonly token: T;
  readonly terms: SignedTerms;
}

async function settingOf<T extends Token>(token: T, binding: number = Binding.Receiver): Promise<Setting<T>> {
  const stage = await deployPermitStage(ethers, solver.address, binding);
  await token.mint(stage.depositor.address, 2n * AMOUNT);
  return { stage, token, terms: await signTerms(stage, AMOUNT, token) };
}

async function boundToReceiver() {
  return settingOf(await ethers.deployContract("AuthorizationToken"));
}

async function boundToCaller() {
  return settingOf(await ethers.deployContract("AuthorizationToken"), Binding.Caller);
}

async function awkward() {
  return settingOf(await ethers.deployContract("AwkwardAuthorizationToken"));
}

/** The depositor's authorization for exactly this payment, unless something else is asked for. */
async function authorizationOf(
  { stage, token, terms }: Setting,
  changes: Partial<AuthorizationFields> & { signer?: Account; primaryType?: string } = {},
) {
  const { signer = stage.depositor, primaryType, ...fields } = changes;
  const signed = {
    from: stage.depositor.address,
    to: await stage.receiver.getAddress(),
    value: AMOUNT,
    validAfter: 0n,
    validBefore: await inAnHour(ethers),
    nonce: hashWitness(await witnessOf(stage, terms)),
    ...fields,
  };
  const domain = { address: await token.getAddress(), name: await token.name() };
  return signAuthorization(ethers, signer, domain, signed, primaryType);
}

type Authorization = Awaited<ReturnType<typeof authorizationOf>>;

async function argumentsOf({ token, terms }: Setting, authorization: Authorization) {
  return [
    await token.getAddress(),
    AMOUNT,
    terms.requestId,
    DESTINATION_CHAIN_ID,
    terms.destinationUser,
    terms.signature,
    authorization,
  ] as const;
}

async function deposit(setting: Setting, authorization: Authorization, caller = setting.stage.depositor) {
  return setting.stage.receiver
    .connect(caller)
    .depositErc20WithAuthorization(...(await argumentsOf(setting, authorization)));
}

/** Expects the token to refuse the authorization with its own error, and nothing to have happened. */
async function expectRefused(setting: Setting, authorization: Authorization, error: string) {
  const { stage, token, terms } = setting;
  const before = await tokenBalances(stage, token);
  const selector = token.interface.getError(error)?.selector;
  if (selector === undefined) throw new Error(`The token has no error ${error}.`);
  await expect(deposit(setting, authorization))
    .to.be.revertedWithCustomError(stage.receiver, "AuthorizationRefused")
    .withArgs(await token.getAddress(), authorization.owner, (reason: string) => reason.startsWith(selector));
  expect(await tokenBalances(stage, token)).to.deep.equal(before);
  expect(await stage.receiver.isConsumed(terms.requestId)).to.equal(false);
}

describe("PinnedReceiverPermits.depositErc20WithAuthorization", () => {
  it("pays the solver exactly, logs the owner, and keeps nothing", async () => {
    const setting = await networkHelpers.loadFixture(boundToReceiver);
    const { stage, token, terms } = setting;
    await expect(deposit(setting, await authorizationOf(setting)))
      .to.emit(stage.receiver, "Erc20Deposited")
      .withArgs(terms.requestId, stage.depositor.address);
    expect(await tokenBalances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    expect(await stage.receiver.isConsumed(terms.requestId)).to.equal(true);
  });

  it("carries the requestId behind the arguments of the transfer to the solver", async () => {
    const setting = await networkHelpers.loadFixture(boundToReceiver);
    const { hash } = await deposit(setting, await authorizationOf(setting));
    const calls = flattenCalls(await traceCalls(ethers, hash)).map(({ input }) => input);
    const standard = setting.token.interface.encodeFunctionData("transfer", [solver.address, AMOUNT]);
    expect(calls).to.include(ethers.concat([standard, setting.terms.requestId]));
  });

  it("lets a relayer bring it, and the same call brought first has the same effect", async () => {
    const setting = await networkHelpers.loadFixture(boundToReceiver);
    const { stage, token, terms } = setting;
    const authorization = await authorizationOf(setting);
    await expect(deposit(setting, authorization, stage.stranger))
      .to.emit(stage.receiver, "Erc20Deposited")
      .withArgs(terms.requestId, stage.depositor.address);
    expect(await tokenBalances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    await expect(deposit(setting, authorization))
      .to.be.revertedWithCustomError(stage.receiver, "RequestAlreadyConsumed")
      .withArgs(terms.requestId);
  });

  it("cannot be brought to the token past the receiver", async () => {
    const setting = await networkHelpers.loadFixture(boundToReceiver);
    const { stage, token, terms } = setting;
    const { owner, validAfter, validBefore, v, r, s } = await authorizationOf(setting);
    const nonce = hashWitness(await witnessOf(stage, terms));
    const asStranger = token.connect(stage.stranger);
    const signed = [owner, stage.receiver, AMOUNT, validAfter, validBefore, nonce, v, r, s] as const;
    await expect(asStranger.receiveWithAuthorization(...signed))
      .to.be.revertedWithCustomError(token, "ERC20InvalidReceiver")
      .withArgs(await stage.receiver.getAddress());
    await expect(asStranger.transferWithAuthorization(...signed)).to.be.revertedWithCustomError(
      token,
      "ERC3009InvalidSignature",
    );
    await deposit(setting, { owner, validAfter, validBefore, v, r, s });
  });

  describe("bound to the caller", () => {
    it("lets the record's user pay", async () => {
      const setting = await networkHelpers.loadFixture(boundToCaller);
      await deposit(setting, await authorizationOf(setting));
      expect(await tokenBalances(setting.stage, setting.token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    });

    it("refuses anybody else who brings the owner's authorization", async () => {
      const setting = await networkHelpers.loadFixture(boundToCaller);
      const { stage } = setting;
      await expect(
        deposit(setting, await authorizationOf(setting), stage.stranger),
      ).to.be.revertedWithCustomError(stage.receiver, "RecordNotSignedBySolver");
    });
  });

  describe("refuses an authorization whose nonce names", () => {
    for (const [what, change] of [
      ["another request", { requestId: ethers.id("another request") }],
      ["another destination chain", { destinationChainId: DESTINATION_CHAIN_ID + 1n }],
      ["another recipient", { destinationUser: ethers.id("another recipient") }],
      ["another receiver", { receiver: solver.address }],
    ] as const) {
      it(what, async () => {
        const setting = await networkHelpers.loadFixture(boundToReceiver);
        const nonce = hashWitness({ ...(await witnessOf(setting.stage, setting.terms)), ...change });
        await expectRefused(setting, await authorizationOf(setting, { nonce }), "ERC3009InvalidSignature");
      });
    }
  });

  it("cannot be turned to a request of the relayer's own", async () => {
    const setting = await networkHelpers.loadFixture(boundToReceiver);
    const authorization = await authorizationOf(setting);
    const own = { ...setting, terms: await signTerms(setting.stage, AMOUNT, setting.token, 2) };
    await expectRefused(own, authorization, "ERC3009InvalidSignature");
  });

  describe("refuses an authorization that was signed", () => {
    it("by somebody else", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const authorization = await authorizationOf(setting, { signer: setting.stage.stranger });
      await expectRefused(setting, authorization, "ERC3009InvalidSignature");
    });

    it("for another payee", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const authorization = await authorizationOf(setting, { to: solver.address });
      await expectRefused(setting, authorization, "ERC3009InvalidSignature");
    });

    it("as a transfer anybody could bring", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const authorization = await authorizationOf(setting, { primaryType: "TransferWithAuthorization" });
      await expectRefused(setting, authorization, "ERC3009InvalidSignature");
    });

    for (const value of [AMOUNT - 1n, AMOUNT + 1n]) {
      it(`over ${value} instead of ${AMOUNT}`, async () => {
        const setting = await networkHelpers.loadFixture(boundToReceiver);
        await expectRefused(setting, await authorizationOf(setting, { value }), "ERC3009InvalidSignature");
      });
    }

    for (const [what, times] of [
      ["for a time that is over", { validBefore: 1n }],
      ["for a time to come", { validAfter: 2n ** 40n, validBefore: 2n ** 41n }],
    ] as const) {
      it(what, async () => {
        const setting = await networkHelpers.loadFixture(boundToReceiver);
        await expectRefused(
          setting,
          await authorizationOf(setting, times),
          "ERC3009InvalidAuthorizationTime",
        );
      });
    }
  });

  it("takes the place of an expired one with the same nonce", async () => {
    const setting = await networkHelpers.loadFixture(boundToReceiver);
    const expired = await authorizationOf(setting, { validBefore: 1n });
    await expect(deposit(setting, expired)).to.be.revertedWithCustomError(
      setting.stage.receiver,
      "AuthorizationRefused",
    );
    await deposit(setting, await authorizationOf(setting));
    expect(await tokenBalances(setting.stage, setting.token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
  });

  describe("with an awkward token", () => {
    it("refuses one that takes a fee, and says what came to the receiver", async () => {
      const setting = await networkHelpers.loadFixture(awkward);
      await setting.token.setFee(3n);
      await expect(deposit(setting, await authorizationOf(setting)))
        .to.be.revertedWithCustomError(setting.stage.receiver, "ArrivedAmountMismatch")
        .withArgs(await setting.token.getAddress(), AMOUNT, AMOUNT - 3n);
    });

    it("does not let one that accepts any authorization pay with what was sent here by mistake", async () => {
      const setting = await networkHelpers.loadFixture(awkward);
      const { stage, token } = setting;
      await token.mint(stage.receiver, AMOUNT);
      await token.setIgnoresAuthorizations(true);
      await expect(deposit(setting, await authorizationOf(setting)))
        .to.be.revertedWithCustomError(stage.receiver, "ArrivedAmountMismatch")
        .withArgs(await token.getAddress(), AMOUNT, 0n);
      expect(await tokenBalances(stage, token)).to.deep.equal([2n * AMOUNT, 0n, AMOUNT]);
    });

    it("leaves alone what was sent here by mistake", async () => {
      const setting = await networkHelpers.loadFixture(awkward);
      const { stage, token } = setting;
      await token.mint(stage.receiver, 5n);
      await deposit(setting, await authorizationOf(setting));
      expect(await tokenBalances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 5n]);
    });

    it("refuses one without authorizations", async () => {
      const stage = await deployPermitStage(ethers);
      const plain = await ethers.deployContract("PlainToken");
      const token = await ethers.getContractAt("AuthorizationToken", plain);
      const setting = { stage, token, terms: await signTerms(stage, AMOUNT, plain) };
      await expect(deposit(setting, await authorizationOf(setting)))
        .to.be.revertedWithCustomError(stage.receiver, "AuthorizationRefused")
        .withArgs(await plain.getAddress(), stage.depositor.address, "0x");
    });

    it("refuses a payment by the solver itself, of which nothing arrives", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const { stage, token } = setting;
      await token.mint(solver.address, AMOUNT);
      const signer = solver.connect(ethers.provider) as unknown as Account;
      const authorization = await authorizationOf(setting, { from: solver.address, signer });
      await expect(deposit(setting, authorization, stage.stranger))
        .to.be.revertedWithCustomError(stage.receiver, "ArrivedAmountMismatch")
        .withArgs(await token.getAddress(), AMOUNT, 0n);
    });

    it("refuses a second payment from within its transfer", async () => {
      const setting = await networkHelpers.loadFixture(awkward);
      const { stage, token } = setting;
      const nested = { ...setting, terms: await signTerms(stage, AMOUNT, token, 2) };
      const call = await argumentsOf(nested, await authorizationOf(nested));
      await token.arm(
        stage.receiver,
        stage.receiver.interface.encodeFunctionData("depositErc20WithAuthorization", [...call]),
      );
      await deposit(setting, await authorizationOf(setting));
      expect([await token.fired(), await token.lastReturnData()]).to.deep.equal([1n, reentrancyReason()]);
      expect(await tokenBalances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
      expect(await stage.receiver.isConsumed(nested.terms.requestId)).to.equal(false);
    });
  });
});
