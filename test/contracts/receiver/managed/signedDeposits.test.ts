import { expect } from "chai";
import { network } from "hardhat";
import { flattenCalls, traceCalls } from "../../../helpers/contracts/callTrace.ts";
import {
  approvePermit2,
  authorizationOf,
  balancesOf,
  type PermitSetting,
  payWithAuthorization,
  payWithPermit,
  payWithPermit2,
  permitOf,
  type Sending,
  settingOf,
  transferOf,
} from "../../../helpers/contracts/managedPermitStage.ts";
import {
  AMOUNT,
  type Configuration,
  coSigner,
  managedTerms,
  nextSolver,
  type TermsFields,
} from "../../../helpers/contracts/managedStage.ts";
import { Binding, solver } from "../../../helpers/contracts/receiverStage.ts";
import { deployToken, type TestToken } from "../../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

/** A way to pay by signature, and a fresh signature of the depositor for exactly the terms. */
interface Way {
  readonly name: "depositErc20WithPermit" | "depositErc20WithPermit2" | "depositErc20WithAuthorization";
  readonly refusal: "PermitRefused" | "Permit2TransferRefused" | "AuthorizationRefused";
  setUp(overrides?: Partial<Configuration>): Promise<PermitSetting>;
  pay(setting: PermitSetting, sending?: Sending): Promise<unknown>;
}

const ways: readonly Way[] = [
  {
    name: "depositErc20WithPermit",
    refusal: "PermitRefused",
    setUp: async (overrides) => settingOf(ethers, await deployToken(ethers, "LocalToken"), overrides),
    pay: async (setting, sending) => payWithPermit(setting, await permitOf(setting), sending),
  },
  {
    name: "depositErc20WithPermit2",
    refusal: "Permit2TransferRefused",
    setUp: async (overrides) => {
      const setting = await settingOf(ethers, await deployToken(ethers, "LocalToken"), overrides);
      await approvePermit2(setting);
      return setting;
    },
    pay: async (setting, sending) => payWithPermit2(setting, await transferOf(setting), sending),
  },
  {
    name: "depositErc20WithAuthorization",
    refusal: "AuthorizationRefused",
    setUp: async (overrides) => {
      const token = await ethers.deployContract("AuthorizationToken");
      return settingOf(ethers, token as unknown as TestToken, overrides);
    },
    pay: async (setting, sending) => payWithAuthorization(setting, await authorizationOf(setting), sending),
  },
];

async function withTerms(setting: PermitSetting, fields: TermsFields): Promise<PermitSetting> {
  const terms = await managedTerms(setting.stage, { currency: setting.token, ...fields });
  return { ...setting, terms };
}

async function emptyChain() {}

for (const { name, refusal, setUp, pay } of ways) {
  describe(`ManagedReceiverPermits.${name}`, () => {
    // Permit2 keeps the nonces that a test has used.
    beforeEach(async () => {
      await networkHelpers.loadFixture(emptyChain);
    });

    async function expectRefused(
      setting: PermitSetting,
      error: string,
      args: unknown[] = [],
      sending: Sending = {},
    ) {
      const before = await balancesOf(setting);
      await expect(pay(setting, sending))
        .to.be.revertedWithCustomError(setting.stage.receiver, error)
        .withArgs(...args);
      expect(await balancesOf(setting)).to.deep.equal(before);
      expect(await setting.stage.receiver.isConsumed(setting.terms.record.requestId)).to.equal(false);
    }

    for (const [what, binding] of [
      ["itself", Binding.Receiver],
      ["the caller", Binding.Caller],
    ] as const) {
      it(`pays the solver exactly, logs the depositor, and keeps nothing, when bound to ${what}`, async () => {
        const setting = await setUp({ binding });
        const { stage, terms } = setting;
        await expect(pay(setting))
          .to.emit(stage.receiver, "Erc20Deposited")
          .withArgs(terms.record.requestId, stage.depositor.address);
        expect(await balancesOf(setting)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
        expect(await stage.receiver.depositorOf(terms.record.requestId)).to.equal(stage.depositor.address);
      });
    }

    it("carries the requestId behind the arguments of the transfer to the solver", async () => {
      const setting = await setUp();
      await pay(setting);
      const block = await ethers.provider.getBlock("latest");
      const calls = flattenCalls(await traceCalls(ethers, block?.transactions[0] ?? ""));
      const standard =
        name === "depositErc20WithPermit"
          ? setting.token.interface.encodeFunctionData("transferFrom", [
              setting.stage.depositor.address,
              solver.address,
              AMOUNT,
            ])
          : setting.token.interface.encodeFunctionData("transfer", [solver.address, AMOUNT]);
      expect(calls.map(({ input }) => input)).to.include(
        ethers.concat([standard, setting.terms.record.requestId]),
      );
    });

    it("refuses to pay for a request a second time, with a fresh signature", async () => {
      const setting = await setUp();
      await pay(setting);
      const paid = await balancesOf(setting);
      await expect(pay(setting)).to.be.revertedWithCustomError(
        setting.stage.receiver,
        "RequestAlreadyConsumed",
      );
      expect(await balancesOf(setting)).to.deep.equal(paid);
    });

    for (const amount of [AMOUNT - 1n, AMOUNT + 1n]) {
      it(`refuses ${amount} where the record says ${AMOUNT}`, async () => {
        await expectRefused(await setUp(), "AmountMismatch", [AMOUNT, amount], { amount });
      });
    }

    it("refuses while deposits are paused, and accepts the same afterwards", async () => {
      const setting = await setUp();
      await setting.stage.receiver.setPaused(true);
      await expectRefused(setting, "DepositsPaused");
      await setting.stage.receiver.setPaused(false);
      await pay(setting);
      expect(await balancesOf(setting)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    });

    it("refuses a record of a solver that is not in the set", async () => {
      const setting = await withTerms(await setUp(), { signer: nextSolver });
      await expectRefused(setting, "SignerNotSolver", [nextSolver.address]);
    });

    it("refuses a deadline that somebody else signed, and one that has passed", async () => {
      const setting = await setUp();
      await expectRefused(await withTerms(setting, { coSigner: nextSolver }), "NotCoSigned", [
        nextSolver.address,
        coSigner.address,
      ]);
      const late = await withTerms(setting, { lifetime: -1n });
      const { deadline } = late.terms.coSignature;
      await expectRefused(late, "DepositExpired", [deadline, (now: bigint) => now > deadline]);
    });

    it("refuses a recipient who is not on the list, and an amount outside the limits", async () => {
      const setting = await setUp();
      const { stage, token } = setting;
      const unlisted = await withTerms(setting, { recipient: stage.stranger.address });
      const { destinationChainId, destinationUser } = unlisted.terms.record;
      await expectRefused(unlisted, "RecipientNotAllowed", [destinationChainId, destinationUser]);
      await stage.receiver.setCurrencyLimits({ currency: token, minimum: AMOUNT + 1n, maximum: AMOUNT + 1n });
      const limits = [await token.getAddress(), AMOUNT, AMOUNT + 1n];
      await expectRefused(setting, "AmountBelowMinimum", limits);
    });

    it("refuses a record for another token, and one of version 2", async () => {
      const setting = await setUp();
      const other = await withTerms(setting, { currency: solver.address });
      const words = [other.terms.record.originCurrency, setting.terms.record.originCurrency];
      await expectRefused(other, "CurrencyMismatch", words);
      const word = 2n ** 64n;
      const record = { ...setting.terms.record, destinationChainId: word };
      const confused = { ...setting, terms: { ...setting.terms, record } };
      await expectRefused(confused, "RecordOfOtherVersion", [word, word - 1n]);
    });

    it("lets nobody else bring the depositor's signature when bound to the caller", async () => {
      const setting = await setUp({ binding: Binding.Caller });
      const { depositor, stranger } = setting.stage;
      const words = [depositor, stranger].map(({ address }) => ethers.zeroPadValue(address, 32));
      await expectRefused(setting, "OriginUserMismatch", words, { caller: stranger });
    });

    it("gives the refund to who paid, whoever brought the signature", async () => {
      const setting = await setUp();
      const { stage, token, terms } = setting;
      const { requestId } = terms.record;
      if (name === "depositErc20WithPermit") {
        // Only the owner can bring one: see what a stranger gets for it.
        await expectRefused(setting, refusal, [await token.getAddress(), 0n, AMOUNT, isReason], {
          caller: stage.stranger,
        });
        await pay(setting);
      } else {
        await pay(setting, { caller: stage.stranger });
      }
      const refunder = solver.connect(ethers.provider);
      await networkHelpers.setBalance(solver.address, 10n ** 18n);
      await (token as TestToken).connect(refunder).approve(stage.receiver, AMOUNT);
      await stage.receiver.connect(refunder).refundErc20(requestId, token, AMOUNT);
      await expect(
        stage.receiver.connect(stage.stranger).withdrawRefund(requestId, token, stage.stranger.address),
      )
        .to.be.revertedWithCustomError(stage.receiver, "CallerNotDepositor")
        .withArgs(stage.stranger.address, stage.depositor.address);
      await stage.receiver.connect(stage.depositor).withdrawRefund(requestId, token, stage.depositor.address);
      expect(await balancesOf(setting)).to.deep.equal([2n * AMOUNT, 0n, 0n]);
    });
  });
}

function isReason(reason: string): boolean {
  return reason.length > 2;
}
