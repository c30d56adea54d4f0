import { expect } from "chai";
import { MaxUint256, ZeroAddress } from "ethers";
import { network } from "hardhat";
import { flattenCalls, traceCalls } from "../../helpers/contracts/callTrace.ts";
import { reentrancyReason } from "../../helpers/contracts/libraryErrors.ts";
import { receiverKinds } from "../../helpers/contracts/receiverKinds.ts";
import {
  Binding,
  paymentOf,
  type ReceiverStage,
  type SignedTerms,
  signedArgs,
  signTerms,
  solver,
} from "../../helpers/contracts/receiverStage.ts";
import { deployToken, type TestToken } from "../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

const AMOUNT = 1_000n;
const ID_TRANSFER = "0x23b872dd";

/** A payment that the solver signed. */
function termsOf(stage: ReceiverStage, requestNumber: number, currency = ZeroAddress, amount = AMOUNT) {
  return signTerms(stage, { amount, currency, requestNumber });
}

function depositAll({ receiver, depositor }: ReceiverStage, terms: readonly SignedTerms[], value: bigint) {
  return receiver.connect(depositor).depositAll(terms.map(paymentOf), { value });
}

async function consumed({ receiver }: ReceiverStage, terms: readonly SignedTerms[]): Promise<boolean[]> {
  const depositors = terms.map(({ record }) => receiver.depositorOf(record.requestId));
  return (await Promise.all(depositors)).map((each) => each !== ZeroAddress);
}

for (const kind of receiverKinds) {
  /** Funds the depositor with the token and approves the receiver. */
  async function accept(stage: ReceiverStage, token: TestToken) {
    await kind.fund(stage, token);
    await token.connect(stage.depositor).approve(stage.receiver, MaxUint256);
  }

  async function settingOf(binding: number = Binding.Receiver, nativePayee: string = solver.address) {
    const stage = await kind.deploy(ethers, { binding, nativePayee });
    const token = await deployToken(ethers, "LocalToken");
    await accept(stage, token);
    return { stage, token, address: await token.getAddress() };
  }

  async function boundToReceiver() {
    return settingOf();
  }
  async function boundToCaller() {
    return settingOf(Binding.Caller);
  }
  const load = () => networkHelpers.loadFixture(boundToReceiver);

  // Awkward tokens and payees are tested in `adversaries.test.ts`.
  describe(`${kind.name}.depositAll`, () => {
    for (const [what, fixture] of [
      ["itself", boundToReceiver],
      ["the caller", boundToCaller],
    ] as const) {
      it(`pays native currency and two tokens in one batch, each with its event, when bound to ${what}`, async () => {
        const { stage, token, address } = await networkHelpers.loadFixture(fixture);
        const { receiver, depositor } = stage;
        const otherToken = await deployToken(ethers, "NoReturnToken");
        await accept(stage, otherToken);
        const had = await token.balanceOf(depositor.address);
        const payments = [
          await termsOf(stage, 1),
          await termsOf(stage, 2, address, 5n),
          await termsOf(stage, 3, ZeroAddress, 7n),
          await termsOf(stage, 4, await otherToken.getAddress(), 11n),
          await termsOf(stage, 5, address, 13n),
        ];
        const sending = depositAll(stage, payments, AMOUNT + 7n);
        const holders = [depositor, receiver, solver];
        await expect(sending).to.changeEtherBalances(ethers, holders, [-AMOUNT - 7n, 0n, AMOUNT + 7n]);
        for (const { currency, amount, requestId } of payments.map(paymentOf)) {
          const native = currency === ZeroAddress;
          await expect(sending)
            .to.emit(receiver, native ? "NativeDeposited" : "Erc20Deposited")
            .withArgs(requestId, depositor.address, ...(native ? [] : [ethers.getAddress(currency)]), amount);
          expect(await receiver.depositorOf(requestId)).to.equal(depositor.address);
        }
        expect(await token.balanceOf(solver)).to.equal(18n);
        expect(await token.balanceOf(depositor.address)).to.equal(had - 18n);
        expect(await otherToken.balanceOf(solver)).to.equal(11n);
      });
    }

    it("forwards each payment with its own requestId, in order", async () => {
      const { stage, address } = await load();
      const payments = [await termsOf(stage, 1), await termsOf(stage, 2, address), await termsOf(stage, 3)];
      const { hash } = await depositAll(stage, payments, 2n * AMOUNT);
      const calls = flattenCalls(await traceCalls(ethers, hash)).slice(1);
      const paying = calls.filter(
        ({ input, to }) => input.startsWith(ID_TRANSFER) || to.toLowerCase() === solver.address.toLowerCase(),
      );
      expect(paying.map(({ input }) => `0x${input.slice(-64)}`)).to.deep.equal(
        payments.map(({ record }) => record.requestId),
      );
    });

    // Fuzz tests draw wrong sums, repeated ids and payments that differ from the signed ones.
    it("rejects an empty batch, native money beside tokens alone, and a payment of nothing", async () => {
      const { stage, address } = await load();
      const native = await termsOf(stage, 1);
      const token = await termsOf(stage, 2, address);
      const nothing = await termsOf(stage, 3, ZeroAddress, 0n);
      const { receiver } = stage;
      await expect(depositAll(stage, [], 0n)).to.be.revertedWithCustomError(receiver, "BatchIsEmpty");
      await expect(depositAll(stage, [token], 1n))
        .to.be.revertedWithCustomError(receiver, "NativeSumMismatch")
        .withArgs(0n, 1n);
      await expect(depositAll(stage, [native, nothing], AMOUNT)).to.be.revertedWithCustomError(
        receiver,
        "AmountIsZero",
      );
      expect(await consumed(stage, [native, token, nothing])).to.not.include(true);
    });

    it("panics for native amounts whose sum exceeds a word", async () => {
      const { stage } = await load();
      const payments = [
        await termsOf(stage, 1, ZeroAddress, 2n ** 128n - 1n),
        await termsOf(stage, 2, ZeroAddress, MaxUint256),
      ];
      await expect(depositAll(stage, payments, 1n)).to.be.revertedWithPanic(0x11);
    });

    it("rejects a payment under another payment's signature, and reverts the whole batch", async () => {
      const { stage, address } = await load();
      const [first, other] = [await termsOf(stage, 1), await termsOf(stage, 2)];
      const last = { ...(await termsOf(stage, 3, address)), signature: other.signature };
      await expect(depositAll(stage, [first, last], AMOUNT))
        .to.be.revertedWithCustomError(stage.receiver, kind.forged.error)
        .withArgs(...kind.forged.args);
      expect(await consumed(stage, [first, last])).to.not.include(true);
    });

    it("rejects a last payment in a token that has blocked the solver", async () => {
      const { stage } = await load();
      const token = await ethers.deployContract("BlocklistToken");
      await accept(stage, token as unknown as TestToken);
      await token.setBlocked(solver.address, true);
      const payments = [await termsOf(stage, 1), await termsOf(stage, 2, await token.getAddress())];
      const reason = token.interface.encodeErrorResult("AccountBlocked", [solver.address]);
      const had = await ethers.provider.getBalance(solver.address);
      await expect(depositAll(stage, payments, AMOUNT))
        .to.be.revertedWithCustomError(stage.receiver, "TokenTransferFailed")
        .withArgs(await token.getAddress(), reason);
      expect(await ethers.provider.getBalance(solver.address)).to.equal(had);
      expect(await consumed(stage, payments)).to.not.include(true);
    });

    it("rejects a request that was paid before", async () => {
      const { stage, address } = await load();
      const payments = [await termsOf(stage, 1), await termsOf(stage, 2, address)];
      await depositAll(stage, payments, AMOUNT);
      const fresh = await termsOf(stage, 3);
      for (const paid of payments) {
        const value = paymentOf(paid).currency === ZeroAddress ? 2n * AMOUNT : AMOUNT;
        await expect(depositAll(stage, [fresh, paid], value))
          .to.be.revertedWithCustomError(stage.receiver, "RequestAlreadyConsumed")
          .withArgs(paid.record.requestId);
      }
      expect(await consumed(stage, [fresh])).to.deep.equal([false]);
    });

    it("a token that calls back cannot enter another batch and finds every id of the batch consumed", async () => {
      const { stage } = await load();
      const reentrant = await ethers.deployContract("ReentrantToken");
      const address = await reentrant.getAddress();
      await accept(stage, reentrant as unknown as TestToken);
      const nested = await termsOf(stage, 3, address);
      await reentrant.mint(reentrant, AMOUNT);
      const abi = stage.receiver.interface;
      await reentrant.arm(stage.receiver, abi.encodeFunctionData("depositAll", [[paymentOf(nested)]]));
      await depositAll(stage, [await termsOf(stage, 1), await termsOf(stage, 2, address)], AMOUNT);
      const outcome = [await reentrant.fired(), await reentrant.lastReturnData()];
      expect(outcome).to.deep.equal([1n, reentrancyReason()]);
      expect(await consumed(stage, [nested])).to.deep.equal([false]);
    });

    it("a payee that calls back does not get the rest of the batch a second time", async () => {
      const payee = await ethers.deployContract("ReentrantTarget");
      const { stage } = await settingOf(Binding.Receiver, await payee.getAddress());
      const [first, second] = [await termsOf(stage, 1), await termsOf(stage, 2)];
      // The native deposit has no guard; the id is consumed already.
      const abi = stage.receiver.interface;
      await payee.arm(stage.receiver, abi.encodeFunctionData("deposit", signedArgs(second)));
      await depositAll(stage, [first, second], 2n * AMOUNT);
      expect([await payee.fired(), await payee.lastSuccess()]).to.deep.equal([1n, false]);
      expect(await ethers.provider.getBalance(payee)).to.equal(2n * AMOUNT);
      expect(await ethers.provider.getBalance(stage.receiver)).to.equal(0n);
    });
  });
}
