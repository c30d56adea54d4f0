import { expect } from "chai";
import { network } from "hardhat";
import type { Hex } from "viem";
import { hashDepositWitness, permit2TypedData } from "../../../../src/records/depositWitness.ts";
import { reentrancyReason } from "../../../helpers/contracts/libraryErrors.ts";
import {
  approvePermit2,
  authorizationOf,
  balancesOf,
  depositWitnessOf,
  type Permit,
  type PermitSetting,
  payWithAuthorization,
  payWithPermit,
  payWithPermit2,
  permitOf,
  settingOf,
  transferOf,
} from "../../../helpers/contracts/managedPermitStage.ts";
import { AMOUNT, managedTerms } from "../../../helpers/contracts/managedStage.ts";
import { hashWitness } from "../../../helpers/contracts/permitStage.ts";
import { DESTINATION_CHAIN_ID, solver } from "../../../helpers/contracts/receiverStage.ts";
import { deployToken, type TestToken } from "../../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

async function emptyChain() {}

async function permitSetting() {
  return settingOf(ethers, await deployToken(ethers, "LocalToken"));
}

async function permit2Setting() {
  const setting = await permitSetting();
  return { ...setting, permit2: await approvePermit2(setting) };
}

async function authorizationSetting() {
  const token = await ethers.deployContract("AuthorizationToken");
  return settingOf(ethers, token as unknown as TestToken);
}

async function otherRequest<Setting extends PermitSetting>(setting: Setting): Promise<Setting> {
  const terms = await managedTerms(setting.stage, { currency: setting.token, requestNumber: 2 });
  return { ...setting, terms };
}

/** What anybody who sees the permit in the mempool can do with it. */
async function bringToToken({ stage, token }: PermitSetting, permit: Permit): Promise<void> {
  const asToken = await ethers.getContractAt("LocalToken", token);
  const { value, deadline, v, r, s } = permit;
  await asToken
    .connect(stage.stranger)
    .permit(stage.depositor.address, stage.receiver, value, deadline, v, r, s);
}

/** The record of a setting as the library has it. */
function libraryRecord({ terms: { record } }: PermitSetting) {
  return {
    requestId: record.requestId as Hex,
    originChainId: Number(record.originChainId),
    originUser: record.originUser as Hex,
    originCurrency: record.originCurrency as Hex,
    originAmount: record.originAmount,
    destinationChainId: Number(record.destinationChainId),
    destinationUser: record.destinationUser as Hex,
  };
}

describe("a signature for a ManagedReceiverPermits", () => {
  // Permit2 keeps the nonces that a test has used.
  beforeEach(async () => {
    await networkHelpers.loadFixture(emptyChain);
  });

  describe("by ERC-2612", () => {
    async function expectRefused(setting: PermitSetting, permit: Permit, allowance = 0n) {
      const before = await balancesOf(setting);
      await expect(payWithPermit(setting, permit))
        .to.be.revertedWithCustomError(setting.stage.receiver, "PermitRefused")
        .withArgs(await setting.token.getAddress(), allowance, AMOUNT, (reason: string) => reason.length > 2);
      expect(await balancesOf(setting)).to.deep.equal(before);
      expect(await setting.stage.receiver.isConsumed(setting.terms.record.requestId)).to.equal(false);
    }

    it("still pays when somebody has brought it to the token before", async () => {
      const setting = await permitSetting();
      const permit = await permitOf(setting);
      await bringToToken(setting, permit);
      await payWithPermit(setting, permit);
      expect(await balancesOf(setting)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    });

    it("cannot be used by anybody else, even with the allowance in place", async () => {
      const setting = await permitSetting();
      const { stage, token } = setting;
      const permit = await permitOf(setting);
      await bringToToken(setting, permit);
      await token.mint(stage.stranger.address, AMOUNT);
      for (const each of [setting, await otherRequest(setting)]) {
        await expect(payWithPermit(each, permit, { caller: stage.stranger })).to.be.revertedWithCustomError(
          stage.receiver,
          "PermitRefused",
        );
      }
      expect(await balancesOf(setting)).to.deep.equal([2n * AMOUNT, 0n, 0n]);
    });

    it("is refused when expired, unless the allowance is there already, to the unit", async () => {
      const setting = await permitSetting();
      const expired = await permitOf(setting, { deadline: 1n });
      await expectRefused(setting, expired);
      const asDepositor = setting.token.connect(setting.stage.depositor);
      await asDepositor.approve(setting.stage.receiver, AMOUNT - 1n);
      await expectRefused(setting, expired, AMOUNT - 1n);
      await asDepositor.approve(setting.stage.receiver, AMOUNT);
      await payWithPermit(setting, expired);
      expect(await balancesOf(setting)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    });

    it("is refused when somebody else signed it, or for another spender", async () => {
      const setting = await permitSetting();
      await expectRefused(setting, await permitOf(setting, { owner: setting.stage.stranger }));
      await expectRefused(setting, await permitOf(setting, { spender: solver.address }));
    });

    it("does not pay with less than the amount", async () => {
      const setting = await permitSetting();
      const permit = await permitOf(setting, { value: AMOUNT - 1n });
      await expect(payWithPermit(setting, permit)).to.be.revertedWithCustomError(
        setting.stage.receiver,
        "TokenTransferFailed",
      );
      expect(await balancesOf(setting)).to.deep.equal([2n * AMOUNT, 0n, 0n]);
    });
  });

  describe("by the real Permit2", () => {
    async function expectRefused(
      setting: Awaited<ReturnType<typeof permit2Setting>>,
      changes: Parameters<typeof transferOf>[1],
      error: string,
      args: unknown[] = [],
    ) {
      const before = await balancesOf(setting);
      await expect(payWithPermit2(setting, await transferOf(setting, changes)))
        .to.be.revertedWithCustomError(setting.stage.receiver, "Permit2TransferRefused")
        .withArgs(setting.stage.depositor.address, setting.permit2.interface.encodeErrorResult(error, args));
      expect(await balancesOf(setting)).to.deep.equal(before);
      expect(await setting.stage.receiver.isConsumed(setting.terms.record.requestId)).to.equal(false);
    }

    it("can be made from the typed data of the library, as can the witness", async () => {
      const setting = await permit2Setting();
      const { stage } = setting;
      const receiver = (await stage.receiver.getAddress()) as Hex;
      const latest = await ethers.provider.getBlock("latest");
      const deadline = BigInt(latest?.timestamp ?? 0) + 600n;
      const record = libraryRecord(setting);
      const { domain, types, message } = permit2TypedData({ deadline, nonce: 3n, receiver, record });
      const mutable = Object.fromEntries(Object.entries(types).map(([name, each]) => [name, [...each]]));
      const signature = await stage.depositor.signTypedData(domain, mutable, message);
      await payWithPermit2(setting, { owner: stage.depositor.address, nonce: 3n, deadline, signature });
      expect(await balancesOf(setting)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
      expect(hashDepositWitness({ receiver, record })).to.equal(hashWitness(await depositWitnessOf(setting)));
    });

    it("cannot be turned to another request, chain, recipient or receiver", async () => {
      const setting = await permit2Setting();
      const witness = await depositWitnessOf(setting);
      for (const change of [
        { requestId: ethers.id("another request") },
        { destinationChainId: DESTINATION_CHAIN_ID + 1n },
        { destinationUser: ethers.id("another recipient") },
        { receiver: solver.address },
      ]) {
        await expectRefused(setting, { witness: { ...witness, ...change } }, "InvalidSigner");
      }
    });

    it("cannot be turned to a request of a relayer's own", async () => {
      const setting = await permit2Setting();
      const stolen = await transferOf(setting);
      const { stage } = setting;
      await expect(
        payWithPermit2(await otherRequest(setting), stolen, { caller: stage.stranger }),
      ).to.be.revertedWithCustomError(stage.receiver, "Permit2TransferRefused");
      await payWithPermit2(setting, stolen);
      expect(await balancesOf(setting)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    });

    it("is refused one unit off, expired, by another owner, or for another spender or token", async () => {
      const setting = await permit2Setting();
      await expectRefused(setting, { amount: AMOUNT - 1n }, "InvalidSigner");
      await expectRefused(setting, { amount: AMOUNT + 1n }, "InvalidSigner");
      await expectRefused(setting, { deadline: 1n }, "SignatureExpired", [1n]);
      await expectRefused(setting, { owner: setting.stage.stranger }, "InvalidSigner");
      await expectRefused(setting, { spender: solver.address }, "InvalidSigner");
      await expectRefused(setting, { token: solver.address }, "InvalidSigner");
    });

    it("is refused with a nonce that is used", async () => {
      const setting = await permit2Setting();
      await payWithPermit2(setting, await transferOf(setting));
      await expectRefused(await otherRequest(setting), {}, "InvalidNonce");
    });

    it("pays nothing on a chain without Permit2", async () => {
      const setting = await permit2Setting();
      const transfer = await transferOf(setting);
      await ethers.provider.send("hardhat_setCode", [await setting.permit2.getAddress(), "0x"]);
      await expect(payWithPermit2(setting, transfer))
        .to.be.revertedWithCustomError(setting.stage.receiver, "ArrivedAmountMismatch")
        .withArgs(await setting.token.getAddress(), AMOUNT, 0n);
    });
  });

  describe("by ERC-3009", () => {
    async function expectRefused(setting: PermitSetting, changes: Parameters<typeof authorizationOf>[1]) {
      const before = await balancesOf(setting);
      await expect(payWithAuthorization(setting, await authorizationOf(setting, changes)))
        .to.be.revertedWithCustomError(setting.stage.receiver, "AuthorizationRefused")
        .withArgs(
          await setting.token.getAddress(),
          setting.stage.depositor.address,
          (reason: string) => reason.length > 2,
        );
      expect(await balancesOf(setting)).to.deep.equal(before);
      expect(await setting.stage.receiver.isConsumed(setting.terms.record.requestId)).to.equal(false);
    }

    it("cannot be turned to another request, chain, recipient or receiver", async () => {
      const setting = await authorizationSetting();
      const witness = await depositWitnessOf(setting);
      for (const change of [
        { requestId: ethers.id("another request") },
        { destinationChainId: DESTINATION_CHAIN_ID + 1n },
        { destinationUser: ethers.id("another recipient") },
        { receiver: solver.address },
      ]) {
        await expectRefused(setting, { nonce: hashWitness({ ...witness, ...change }) });
      }
    });

    it("is refused one unit off, out of its time, by somebody else, or for another payee", async () => {
      const setting = await authorizationSetting();
      await expectRefused(setting, { value: AMOUNT - 1n });
      await expectRefused(setting, { value: AMOUNT + 1n });
      await expectRefused(setting, { validBefore: 1n });
      await expectRefused(setting, { validAfter: 2n ** 40n, validBefore: 2n ** 41n });
      await expectRefused(setting, { signer: setting.stage.stranger });
      await expectRefused(setting, { to: solver.address });
    });

    it("cannot be brought to the token past the receiver", async () => {
      const setting = await authorizationSetting();
      const { stage, token } = setting;
      const authorization = await authorizationOf(setting);
      const { owner, validAfter, validBefore, v, r, s } = authorization;
      const asToken = await ethers.getContractAt("AuthorizationToken", token);
      const nonce = hashWitness(await depositWitnessOf(setting));
      await expect(
        asToken
          .connect(stage.stranger)
          .receiveWithAuthorization(owner, stage.receiver, AMOUNT, validAfter, validBefore, nonce, v, r, s),
      ).to.be.revertedWithCustomError(asToken, "ERC20InvalidReceiver");
      await payWithAuthorization(setting, authorization);
      expect(await balancesOf(setting)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    });

    it("does not let a token that takes any authorization pay with what is credited to others", async () => {
      const awkward = await ethers.deployContract("AwkwardAuthorizationToken");
      const setting = await settingOf(ethers, awkward as unknown as TestToken);
      await awkward.mint(setting.stage.receiver, AMOUNT);
      await awkward.setIgnoresAuthorizations(true);
      await expect(payWithAuthorization(setting, await authorizationOf(setting)))
        .to.be.revertedWithCustomError(setting.stage.receiver, "ArrivedAmountMismatch")
        .withArgs(await awkward.getAddress(), AMOUNT, 0n);
      expect(await balancesOf(setting)).to.deep.equal([2n * AMOUNT, 0n, AMOUNT]);
    });

    it("is refused for a token that takes a fee, and for a second payment from within its transfer", async () => {
      const awkward = await ethers.deployContract("AwkwardAuthorizationToken");
      const setting = await settingOf(ethers, awkward as unknown as TestToken);
      const { stage } = setting;
      await awkward.setFee(3n);
      await expect(payWithAuthorization(setting, await authorizationOf(setting)))
        .to.be.revertedWithCustomError(stage.receiver, "ArrivedAmountMismatch")
        .withArgs(await awkward.getAddress(), AMOUNT, AMOUNT - 3n);
      await awkward.setFee(0n);

      const nested = await otherRequest(setting);
      const { record, signature, coSignature } = nested.terms;
      const args = [record, signature, coSignature, await authorizationOf(nested)] as const;
      await awkward.arm(
        stage.receiver,
        stage.receiver.interface.encodeFunctionData("depositErc20WithAuthorization", [
          await awkward.getAddress(),
          AMOUNT,
          ...args,
        ]),
      );
      await payWithAuthorization(setting, await authorizationOf(setting));
      expect([await awkward.fired(), await awkward.lastReturnData()]).to.deep.equal([1n, reentrancyReason()]);
      expect(await balancesOf(setting)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
      expect(await stage.receiver.isConsumed(record.requestId)).to.equal(false);
    });
  });
});
