import { expect } from "chai";
import { type Addressable, MaxUint256, ZeroAddress } from "ethers";
import { network } from "hardhat";
import { flattenCalls, traceCalls } from "../../helpers/contracts/callTrace.ts";
import { reentrancyReason } from "../../helpers/contracts/libraryErrors.ts";
import { deployPermitStage, type PermitStage, tokenBalances } from "../../helpers/contracts/permitStage.ts";
import { Binding, DESTINATION_CHAIN_ID, signTerms, solver } from "../../helpers/contracts/receiverStage.ts";
import { deployToken, type TestToken } from "../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

const AMOUNT = 1_000n;
const ID_TRANSFER = "0x23b872dd";

/** The depositor has ten times the amount and has approved the receiver. */
async function fund(stage: PermitStage, token: TestToken): Promise<void> {
  await token.mint(stage.depositor.address, 10n * AMOUNT);
  await token.connect(stage.depositor).approve(stage.receiver, MaxUint256);
}

async function settingOf(binding: number) {
  const stage = await deployPermitStage(ethers, solver.address, binding);
  const token = await deployToken(ethers, "LocalToken");
  const otherToken = await deployToken(ethers, "NoReturnToken");
  await fund(stage, token);
  await fund(stage, otherToken);
  return { stage, token, otherToken };
}

async function boundToReceiver() {
  return settingOf(Binding.Receiver);
}

async function boundToCaller() {
  return settingOf(Binding.Caller);
}

/** A payment the solver has signed for, as `depositAll` takes it. */
async function paymentOf(
  stage: PermitStage,
  number: number,
  currency: string | Addressable = ZeroAddress,
  amount = AMOUNT,
) {
  const address = typeof currency === "string" ? currency : await currency.getAddress();
  const terms = await signTerms(stage, amount, address, number);
  return { currency: address, amount, destinationChainId: DESTINATION_CHAIN_ID, ...terms };
}

type Payment = Awaited<ReturnType<typeof paymentOf>>;

function depositAll(stage: PermitStage, payments: Payment[], value: bigint) {
  return stage.receiver.connect(stage.depositor).depositAll(payments, { value });
}

async function consumed(stage: PermitStage, payments: readonly Payment[]): Promise<boolean[]> {
  return Promise.all(payments.map(({ requestId }) => stage.receiver.isConsumed(requestId)));
}

// Each awkward token and payee is met in `adversariesPinned.test.ts`.
describe("PinnedReceiverPermits.depositAll", () => {
  for (const [what, fixture] of [
    ["itself", boundToReceiver],
    ["the caller", boundToCaller],
  ] as const) {
    it(`pays native and two tokens mixed, each with its event, when bound to ${what}`, async () => {
      const { stage, token, otherToken } = await networkHelpers.loadFixture(fixture);
      const payments = [
        await paymentOf(stage, 1),
        await paymentOf(stage, 2, token, 5n),
        await paymentOf(stage, 3, ZeroAddress, 7n),
        await paymentOf(stage, 4, otherToken, 11n),
        await paymentOf(stage, 5, token, 13n),
      ];
      const sending = depositAll(stage, payments, AMOUNT + 7n);
      await expect(sending).to.changeEtherBalances(
        ethers,
        [stage.depositor, stage.receiver, solver],
        [-AMOUNT - 7n, 0n, AMOUNT + 7n],
      );
      for (const { requestId, currency, amount } of payments) {
        const who = [requestId, stage.depositor.address] as const;
        const event =
          currency === ZeroAddress ? ["NativeDeposited", [...who, amount]] : ["Erc20Deposited", who];
        await expect(sending)
          .to.emit(stage.receiver, event[0] as "NativeDeposited")
          .withArgs(...(event[1] as unknown[]));
      }
      expect(await tokenBalances(stage, token)).to.deep.equal([10n * AMOUNT - 18n, 18n, 0n]);
      expect(await tokenBalances(stage, otherToken)).to.deep.equal([10n * AMOUNT - 11n, 11n, 0n]);
      expect(await consumed(stage, payments)).to.deep.equal([true, true, true, true, true]);
    });
  }

  it("passes each payment on with its own requestId, in their order", async () => {
    const { stage, token } = await networkHelpers.loadFixture(boundToReceiver);
    const payments = [await paymentOf(stage, 1), await paymentOf(stage, 2, token), await paymentOf(stage, 3)];
    const { hash } = await depositAll(stage, payments, 2n * AMOUNT);
    const calls = flattenCalls(await traceCalls(ethers, hash)).slice(1);
    const paying = calls.filter(
      ({ input, to }) => input.startsWith(ID_TRANSFER) || to.toLowerCase() === solver.address.toLowerCase(),
    );
    expect(paying.map(({ input }) => `0x${input.slice(-64)}`)).to.deep.equal(
      payments.map(({ requestId }) => requestId),
    );
  });

  describe("refuses, and undoes everything,", () => {
    async function expectNothingHappened(
      { stage, token }: Awaited<ReturnType<typeof boundToReceiver>>,
      payments: Payment[],
      value: bigint,
      error: string,
      args: unknown[],
    ) {
      const paid = await ethers.provider.getBalance(solver.address);
      await expect(depositAll(stage, payments, value))
        .to.be.revertedWithCustomError(stage.receiver, error)
        .withArgs(...args);
      expect(await ethers.provider.getBalance(solver.address)).to.equal(paid);
      expect(await tokenBalances(stage, token)).to.deep.equal([10n * AMOUNT, 0n, 0n]);
      expect(await consumed(stage, payments)).to.not.include(true);
    }

    for (const [what, value] of [
      ["one wei less than the native payments need", 2n * AMOUNT - 1n],
      ["one wei more", 2n * AMOUNT + 1n],
    ] as const) {
      it(what, async () => {
        const setting = await networkHelpers.loadFixture(boundToReceiver);
        const { stage, token } = setting;
        const payments = [
          await paymentOf(stage, 1),
          await paymentOf(stage, 2, token),
          await paymentOf(stage, 3),
        ];
        const args = [2n * AMOUNT, value];
        await expectNothingHappened(setting, payments, value, "NativeSumMismatch", args);
      });
    }

    it("native money with payments in tokens alone", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const payments = [await paymentOf(setting.stage, 1, setting.token)];
      await expectNothingHappened(setting, payments, 1n, "NativeSumMismatch", [0n, 1n]);
    });

    it("native amounts whose sum does not fit a word, by the same name", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const { stage } = setting;
      const payments = [
        await paymentOf(stage, 1, ZeroAddress, MaxUint256),
        await paymentOf(stage, 2, ZeroAddress, 2n),
      ];
      await expectNothingHappened(setting, payments, 1n, "NativeSumMismatch", [MaxUint256, 1n]);
    });

    it("no payments at all", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      await expectNothingHappened(setting, [], 0n, "BatchIsEmpty", []);
    });

    it("a payment of nothing among others", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const { stage } = setting;
      const payments = [await paymentOf(stage, 1), await paymentOf(stage, 2, ZeroAddress, 0n)];
      await expectNothingHappened(setting, payments, AMOUNT, "AmountIsZero", []);
    });

    it("one request twice, in one currency or in two", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const { stage, token } = setting;
      const native = await paymentOf(stage, 1);
      for (const [again, value] of [
        [native, 2n * AMOUNT],
        [await paymentOf(stage, 1, token), AMOUNT],
      ] as const) {
        const args = [native.requestId];
        await expectNothingHappened(setting, [native, again], value, "RequestAlreadyConsumed", args);
      }
    });

    it("a last payment that the solver did not sign so", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const { stage, token } = setting;
      const forged = { ...(await paymentOf(stage, 3, token)), amount: AMOUNT - 1n };
      const payments = [await paymentOf(stage, 1), await paymentOf(stage, 2, token), forged];
      const args = [(signer: string) => signer !== solver.address, solver.address];
      await expectNothingHappened(setting, payments, AMOUNT, "RecordNotSignedBySolver", args);
    });

    it("signatures that were swapped between two payments", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const { stage } = setting;
      const [one, two] = [await paymentOf(stage, 1), await paymentOf(stage, 2)];
      const payments = [
        { ...one, signature: two.signature },
        { ...two, signature: one.signature },
      ];
      const args = [(signer: string) => signer !== solver.address, solver.address];
      await expectNothingHappened(setting, payments, 2n * AMOUNT, "RecordNotSignedBySolver", args);
    });

    it("a last payment in a token that has blocked the solver", async () => {
      const setting = await networkHelpers.loadFixture(boundToReceiver);
      const { stage } = setting;
      const blocklist = await ethers.deployContract("BlocklistToken");
      await fund(stage, blocklist as unknown as TestToken);
      await blocklist.setBlocked(solver.address, true);
      const payments = [await paymentOf(stage, 1), await paymentOf(stage, 2, blocklist)];
      const reason = blocklist.interface.encodeErrorResult("AccountBlocked", [solver.address]);
      const args = [await blocklist.getAddress(), reason];
      await expectNothingHappened(setting, payments, AMOUNT, "TokenTransferFailed", args);
    });
  });

  it("refuses a request that was paid for on its own before", async () => {
    const { stage, token } = await networkHelpers.loadFixture(boundToReceiver);
    const payments = [await paymentOf(stage, 1), await paymentOf(stage, 2, token)];
    await depositAll(stage, payments, AMOUNT);
    const fresh = await paymentOf(stage, 3);
    for (const paid of payments) {
      const value = paid.currency === ZeroAddress ? 2n * AMOUNT : AMOUNT;
      await expect(depositAll(stage, [fresh, paid], value))
        .to.be.revertedWithCustomError(stage.receiver, "RequestAlreadyConsumed")
        .withArgs(paid.requestId);
    }
    expect(await stage.receiver.isConsumed(fresh.requestId)).to.equal(false);
  });

  it("says which payee did not take which payment", async () => {
    const rejecting = await ethers.deployContract("RejectingRecipient");
    const stage = await deployPermitStage(ethers, rejecting);
    await expect(depositAll(stage, [await paymentOf(stage, 1, ZeroAddress, 9n)], 9n))
      .to.be.revertedWithCustomError(stage.receiver, "PayeeRejectedNative")
      .withArgs(await rejecting.getAddress(), 9n, (reason: string) => reason.startsWith("0x"));
  });

  describe("called back", () => {
    it("by a token, refuses another batch and finds every id of its own consumed", async () => {
      const stage = await deployPermitStage(ethers);
      const reentrant = await ethers.deployContract("ReentrantToken");
      await fund(stage, reentrant as unknown as TestToken);
      const nested = await paymentOf(stage, 3, reentrant);
      await reentrant.mint(reentrant, AMOUNT);
      const call = stage.receiver.interface.encodeFunctionData("depositAll", [[nested]]);
      await reentrant.arm(stage.receiver, call);
      await depositAll(stage, [await paymentOf(stage, 1), await paymentOf(stage, 2, reentrant)], AMOUNT);
      expect([await reentrant.fired(), await reentrant.lastReturnData()]).to.deep.equal([
        1n,
        reentrancyReason(),
      ]);
      expect(await stage.receiver.isConsumed(nested.requestId)).to.equal(false);
    });

    it("by the payee, does not pay the rest of the batch a second time", async () => {
      const payee = await ethers.deployContract("ReentrantTarget");
      const stage = await deployPermitStage(ethers, payee);
      const payments = [await paymentOf(stage, 1), await paymentOf(stage, 2)];
      const { requestId, destinationChainId, destinationUser, signature } = payments[1] as Payment;
      // The native deposit is not guarded: that the id is consumed already is what stands in its way.
      const again = stage.receiver.interface.encodeFunctionData("deposit", [
        requestId,
        destinationChainId,
        destinationUser,
        signature,
      ]);
      await payee.arm(stage.receiver, again);
      await depositAll(stage, payments, 2n * AMOUNT);
      expect(await payee.fired()).to.equal(1n);
      expect(await payee.lastSuccess()).to.equal(false);
      expect(await ethers.provider.getBalance(payee)).to.equal(2n * AMOUNT);
      expect(await ethers.provider.getBalance(stage.receiver)).to.equal(0n);
    });
  });
});
