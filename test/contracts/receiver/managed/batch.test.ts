import { expect } from "chai";
import { type Addressable, MaxUint256, ZeroAddress } from "ethers";
import { network } from "hardhat";
import { flattenCalls, traceCalls } from "../../../helpers/contracts/callTrace.ts";
import { reentrancyReason } from "../../../helpers/contracts/libraryErrors.ts";
import {
  AMOUNT,
  accept,
  type Configuration,
  deployManagedPermitStage,
  type ManagedPermitStage,
  type ManagedTerms,
  managedTerms,
  nextSolver,
  reasonNames,
  type TermsFields,
} from "../../../helpers/contracts/managedStage.ts";
import { Binding, solver } from "../../../helpers/contracts/receiverStage.ts";
import { deployToken, type TestToken } from "../../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

const BOTH_SOLVERS = [solver, nextSolver].map(({ address }) => ({
  solver: address,
  nativePayee: address,
  usesErc1271: false,
}));

async function settingOf(overrides: Partial<Configuration> = {}) {
  const stage = await deployManagedPermitStage(ethers, { solvers: BOTH_SOLVERS, ...overrides });
  const token = await deployToken(ethers, "LocalToken");
  const otherToken = await deployToken(ethers, "NoReturnToken");
  await accept(stage, token);
  await accept(stage, otherToken);
  return { stage, token, otherToken };
}

async function boundToReceiver() {
  return settingOf();
}

async function boundToCaller() {
  return settingOf({ binding: Binding.Caller });
}

/** A payment a solver has signed for, as `depositAll` takes it. */
async function paymentOf(
  stage: ManagedPermitStage,
  requestNumber: number,
  currency: string | Addressable = ZeroAddress,
  fields: TermsFields = {},
): Promise<ManagedTerms> {
  return managedTerms(stage, { requestNumber, currency, ...fields });
}

function depositAll(stage: ManagedPermitStage, payments: readonly ManagedTerms[], value: bigint) {
  return stage.receiver.connect(stage.depositor).depositAll([...payments], { value });
}

describe("ManagedReceiverPermits.depositAll", () => {
  for (const [what, fixture] of [
    ["itself", boundToReceiver],
    ["the caller", boundToCaller],
  ] as const) {
    it(`pays native and tokens to the solvers who signed, when bound to ${what}`, async () => {
      const { stage, token, otherToken } = await networkHelpers.loadFixture(fixture);
      const payments = [
        await paymentOf(stage, 1),
        await paymentOf(stage, 2, token, { amount: 5n }),
        await paymentOf(stage, 3, ZeroAddress, { amount: 7n, signer: nextSolver }),
        await paymentOf(stage, 4, otherToken, { amount: 11n, signer: nextSolver }),
      ];
      const sending = depositAll(stage, payments, AMOUNT + 7n);
      await expect(sending).to.changeEtherBalances(
        ethers,
        [stage.depositor, stage.receiver, solver, nextSolver],
        [-AMOUNT - 7n, 0n, AMOUNT, 7n],
      );
      for (const { record } of payments) {
        expect(await stage.receiver.depositorOf(record.requestId)).to.equal(stage.depositor.address);
      }
      await expect(sending)
        .to.emit(stage.receiver, "NativeDeposited")
        .withArgs(payments[2]?.record.requestId, stage.depositor.address, 7n);
      await expect(sending)
        .to.emit(stage.receiver, "Erc20Deposited")
        .withArgs(payments[1]?.record.requestId, stage.depositor.address);
      expect([await token.balanceOf(solver), await token.balanceOf(nextSolver)]).to.deep.equal([5n, 0n]);
      expect([await otherToken.balanceOf(solver), await otherToken.balanceOf(nextSolver)]).to.deep.equal([
        0n,
        11n,
      ]);
    });
  }

  it("passes each payment on with its own requestId, in their order", async () => {
    const { stage, token } = await networkHelpers.loadFixture(boundToReceiver);
    const payments = [await paymentOf(stage, 1), await paymentOf(stage, 2, token), await paymentOf(stage, 3)];
    const { hash } = await depositAll(stage, payments, 2n * AMOUNT);
    const calls = flattenCalls(await traceCalls(ethers, hash)).slice(1);
    const paying = calls.filter(
      ({ input, to }) => input.startsWith("0x23b872dd") || to.toLowerCase() === solver.address.toLowerCase(),
    );
    expect(paying.map(({ input }) => `0x${input.slice(-64)}`)).to.deep.equal(
      payments.map(({ record }) => record.requestId),
    );
  });

  describe("refuses, and undoes everything,", () => {
    async function expectNothingHappened(
      { stage, token }: Awaited<ReturnType<typeof boundToReceiver>>,
      payments: readonly ManagedTerms[],
      value: bigint,
      error: string,
      args: unknown[] = [],
    ) {
      const paid = await ethers.provider.getBalance(solver.address);
      await expect(depositAll(stage, payments, value))
        .to.be.revertedWithCustomError(stage.receiver, error)
        .withArgs(...args);
      expect(await ethers.provider.getBalance(solver.address)).to.equal(paid);
      expect(await token.balanceOf(solver.address)).to.equal(0n);
      for (const { record } of payments) {
        expect(await stage.receiver.isConsumed(record.requestId)).to.equal(false);
      }
    }

    it("native money that is one wei off the sum, or overflows it", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const { stage, token } = setting;
      const payments = [
        await paymentOf(stage, 1),
        await paymentOf(stage, 2, token),
        await paymentOf(stage, 3),
      ];
      for (const value of [2n * AMOUNT - 1n, 2n * AMOUNT + 1n]) {
        await expectNothingHappened(setting, payments, value, "NativeSumMismatch", [2n * AMOUNT, value]);
      }
      const huge = [
        await paymentOf(stage, 1, ZeroAddress, { amount: MaxUint256 }),
        await paymentOf(stage, 2, ZeroAddress, { amount: 2n }),
      ];
      await expectNothingHappened(setting, huge, 1n, "NativeSumMismatch", [MaxUint256, 1n]);
    });

    it("no payments at all, and one of nothing", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      await expectNothingHappened(setting, [], 0n, "BatchIsEmpty");
      const nothing = await paymentOf(setting.stage, 2, ZeroAddress, { amount: 0n });
      const payments = [await paymentOf(setting.stage, 1), nothing];
      await expectNothingHappened(setting, payments, AMOUNT, "AmountIsZero");
    });

    it("one request twice, in one currency or in two", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const native = await paymentOf(setting.stage, 1);
      for (const [again, value] of [
        [native, 2n * AMOUNT],
        [await paymentOf(setting.stage, 1, setting.token), AMOUNT],
      ] as const) {
        const args = [native.record.requestId];
        await expectNothingHappened(setting, [native, again], value, "RequestAlreadyConsumed", args);
      }
    });

    it("a currency that is no address, whatever address is at its end", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const { stage, token } = setting;
      for (const currency of [ZeroAddress, await token.getAddress()]) {
        const payment = await paymentOf(stage, 1, currency);
        const originCurrency = `0x01${payment.record.originCurrency.slice(4)}`;
        const forged = { ...payment, record: { ...payment.record, originCurrency } };
        const args = [originCurrency, ethers.zeroPadValue(currency, 32)];
        await expectNothingHappened(setting, [forged], 0n, "CurrencyMismatch", args);
      }
    });

    it("a last payment under a policy that does not hold, as `validate` says beforehand", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const { stage, token } = setting;
      const first = await paymentOf(stage, 1);
      for (const [fields, error] of [
        [{ recipient: stage.stranger.address }, "RecipientNotAllowed"],
        [{ coSigner: solver }, "NotCoSigned"],
        [{ lifetime: -1n }, "DepositExpired"],
      ] as const) {
        const last = await paymentOf(stage, 2, token, fields);
        await expect(depositAll(stage, [first, last], AMOUNT)).to.be.revertedWithCustomError(
          stage.receiver,
          error,
        );
        expect((await reasonNames(stage, last, { currency: token }))[0]).to.equal(error);
      }
      await stage.receiver.setPaused(true);
      await expectNothingHappened(setting, [first], AMOUNT, "DepositsPaused");
    });

    it("a payment that fails in a batch fails alone with the very same error", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const { stage } = setting;
      const unknown = await paymentOf(stage, 2, ZeroAddress, { signer: stage.ethers.Wallet.createRandom() });
      const batch = depositAll(stage, [await paymentOf(stage, 1), unknown], 2n * AMOUNT);
      const alone = depositAll(stage, [unknown], AMOUNT);
      const [inBatch, byItself] = await Promise.all([batch, alone].map(reasonOf));
      expect(inBatch).to.be.a("string").and.equal(byItself);
    });

    it("a last payment in a token that takes a fee, and one whose payee takes no ether", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const { stage } = setting;
      const fee = (await ethers.deployContract("FeeOnTransferToken", [100])) as unknown as TestToken;
      await accept(stage, fee);
      const payments = [await paymentOf(stage, 1), await paymentOf(stage, 2, fee)];
      const args = [await fee.getAddress(), AMOUNT, (AMOUNT * 99n) / 100n];
      await expectNothingHappened(setting, payments, AMOUNT, "ArrivedAmountMismatch", args);

      const nativePayee = await (await ethers.deployContract("RejectingRecipient")).getAddress();
      const rejecting = await settingOf({
        solvers: [{ solver: solver.address, nativePayee, usesErc1271: false }],
      });
      const refused = [
        await paymentOf(rejecting.stage, 1, rejecting.token),
        await paymentOf(rejecting.stage, 2),
      ];
      const isReason = (reason: string) => reason.startsWith("0x");
      const rejection = [nativePayee, AMOUNT, isReason];
      await expectNothingHappened(rejecting, refused, AMOUNT, "PayeeRejectedNative", rejection);
    });
  });

  it("refuses a request that was paid for on its own before", async () => {
    const { stage, token } = await networkHelpers.loadFixture(boundToReceiver);
    const payments = [await paymentOf(stage, 1), await paymentOf(stage, 2, token)];
    await depositAll(stage, payments, AMOUNT);
    for (const paid of payments) {
      const value = paid === payments[0] ? AMOUNT : 0n;
      await expect(depositAll(stage, [paid], value))
        .to.be.revertedWithCustomError(stage.receiver, "RequestAlreadyConsumed")
        .withArgs(paid.record.requestId);
    }
    expect(await token.balanceOf(solver.address)).to.equal(AMOUNT);
  });

  it("called back by a token, refuses another batch and finds every id of its own consumed", async () => {
    const { stage } = await networkHelpers.loadFixture(boundToReceiver);
    const reentrant = await ethers.deployContract("ReentrantToken");
    await accept(stage, reentrant);
    const nested = await paymentOf(stage, 3, reentrant);
    await reentrant.arm(
      stage.receiver,
      stage.receiver.interface.encodeFunctionData("depositAll", [[nested]]),
    );
    await depositAll(stage, [await paymentOf(stage, 1), await paymentOf(stage, 2, reentrant)], AMOUNT);
    expect([await reentrant.fired(), await reentrant.lastReturnData()]).to.deep.equal([
      1n,
      reentrancyReason(),
    ]);
    expect(await stage.receiver.isConsumed(nested.record.requestId)).to.equal(false);
  });

  it("called back by a payee, does not pay the rest of the batch a second time", async () => {
    const payee = await ethers.deployContract("ReentrantTarget");
    const nativePayee = await payee.getAddress();
    const { stage } = await settingOf({
      solvers: [{ solver: solver.address, nativePayee, usesErc1271: false }],
    });
    const [first, second] = [await paymentOf(stage, 1), await paymentOf(stage, 2)];
    const { record, signature, coSignature } = second;
    // The native deposit is not guarded: that the id is consumed already is what stands in its way.
    const again = stage.receiver.interface.encodeFunctionData("depositNative", [
      record,
      signature,
      coSignature,
    ]);
    await payee.arm(stage.receiver, again);
    await depositAll(stage, [first, second], 2n * AMOUNT);
    expect([await payee.fired(), await payee.lastSuccess()]).to.deep.equal([1n, false]);
    expect(await ethers.provider.getBalance(payee)).to.equal(2n * AMOUNT);
    expect(await ethers.provider.getBalance(stage.receiver)).to.equal(0n);
  });
});

/** The revert data of a transaction that has to fail. */
async function reasonOf(sending: Promise<unknown>): Promise<string | undefined> {
  try {
    await sending;
  } catch (error) {
    return (error as { data?: string }).data;
  }
  throw new Error("The transaction did not fail.");
}
