import { expect } from "chai";
import { network } from "hardhat";
import {
  AMOUNT,
  coSigner,
  managedTerms,
  nextSolver,
  type TermsFields,
} from "../../../helpers/contracts/managedStage.ts";
import {
  balancesOf,
  type ManagedDeposit,
  pay,
  prepareManaged,
  type Sending,
  withTerms,
} from "../../../helpers/contracts/receiverKinds.ts";
import { solver } from "../../../helpers/contracts/receiverStage.ts";
import { byPermit, signedWays } from "../../../helpers/contracts/signedWays.ts";

const { ethers, networkHelpers } = await network.create();

async function emptyChain() {}

async function changed(deposit: ManagedDeposit, fields: TermsFields): Promise<ManagedDeposit> {
  return withTerms(deposit, await managedTerms(deposit, { currency: deposit.token, ...fields }));
}

for (const way of signedWays) {
  // Rules for every kind of receiver are tested in `../signedDeposits.test.ts`.
  describe(`policies of ManagedReceiverPermits.${way.name}`, () => {
    // Permit2 stores the nonces that a test has used.
    beforeEach(async () => {
      await networkHelpers.loadFixture(emptyChain);
    });

    async function prepared(): Promise<ManagedDeposit> {
      const deposit = await prepareManaged(ethers, await way.deployToken(ethers));
      await way.approve(deposit);
      return deposit;
    }

    async function expectRefused(
      deposit: ManagedDeposit,
      error: string,
      args: unknown[] = [],
      sending: Sending = {},
    ) {
      await expect(pay(deposit, way.name, await way.sign(deposit), sending))
        .to.be.revertedWithCustomError(deposit.receiver, error)
        .withArgs(...args);
      expect(await balancesOf(deposit)).to.deep.equal([2n * AMOUNT, 0n, 0n]);
      expect(await deposit.receiver.isConsumed(deposit.requestId)).to.equal(false);
    }

    for (const amount of [AMOUNT - 1n, AMOUNT + 1n]) {
      // @spec signature/amount
      it(`rejects ${amount} when the record says ${AMOUNT}`, async () => {
        await expectRefused(await prepared(), "AmountMismatch", [AMOUNT, amount], { amount });
      });
    }

    it("rejects deposits while paused, and accepts the same ones afterwards", async () => {
      const deposit = await prepared();
      await deposit.receiver.setPaused(true);
      await expectRefused(deposit, "DepositsPaused");
      await deposit.receiver.setPaused(false);
      await pay(deposit, way.name, await way.sign(deposit));
      expect(await balancesOf(deposit)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    });

    it("rejects a record of a solver outside the set", async () => {
      const deposit = await changed(await prepared(), { signer: nextSolver });
      await expectRefused(deposit, "SignerNotSolver", [nextSolver.address]);
    });

    it("rejects a deadline that another key signed, and one that has passed", async () => {
      const deposit = await prepared();
      await expectRefused(await changed(deposit, { coSigner: nextSolver }), "NotCoSigned", [
        nextSolver.address,
        coSigner.address,
      ]);
      const late = await changed(deposit, { lifetime: -1n });
      const { deadline } = late.terms.coSignature;
      await expectRefused(late, "DepositExpired", [deadline, (now: bigint) => now > deadline]);
    });

    // @spec signature/recipients
    it("rejects a recipient outside the list, and an amount outside the limits", async () => {
      const deposit = await prepared();
      const { receiver, stranger, token } = deposit;
      const unlisted = await changed(deposit, { recipient: stranger.address });
      const { destinationChainId, destinationUser } = unlisted.terms.record;
      await expectRefused(unlisted, "RecipientNotAllowed", [destinationChainId, destinationUser]);
      await receiver.setCurrencyLimits({ currency: token, minimum: AMOUNT + 1n, maximum: AMOUNT + 1n });
      const limits = [await token.getAddress(), AMOUNT, AMOUNT + 1n];
      await expectRefused(deposit, "AmountBelowMinimum", limits);
    });

    it("rejects a record for another token, and one of version 2", async () => {
      const deposit = await prepared();
      const other = await changed(deposit, { currency: solver.address });
      const words = [other.terms.record.originCurrency, deposit.terms.record.originCurrency];
      await expectRefused(other, "CurrencyMismatch", words);
      const word = 2n ** 64n;
      const record = { ...deposit.terms.record, destinationChainId: word };
      const confused = withTerms(deposit, { ...deposit.terms, record });
      await expectRefused(confused, "RecordOfOtherVersion", [word, word - 1n]);
    });

    it("credits the refund to the owner of the tokens, from whichever account the deposit came", async () => {
      const deposit = await prepared();
      const { depositor, receiver, requestId, stranger, token } = deposit;
      // Only the owner of a permit can submit it: see `../permit.test.ts`.
      const caller = way === byPermit ? depositor : stranger;
      await pay(deposit, way.name, await way.sign(deposit), { caller });
      expect(await receiver.depositorOf(requestId)).to.equal(depositor.address);
      const refunder = solver.connect(ethers.provider);
      await networkHelpers.setBalance(solver.address, 10n ** 18n);
      await token.connect(refunder).approve(receiver, AMOUNT);
      await receiver.connect(refunder).refundErc20(requestId, token, AMOUNT);
      await expect(receiver.connect(stranger).withdrawRefund(requestId, token, stranger.address))
        .to.be.revertedWithCustomError(receiver, "CallerNotDepositor")
        .withArgs(stranger.address, depositor.address);
      await receiver.connect(depositor).withdrawRefund(requestId, token, depositor.address);
      expect(await balancesOf(deposit)).to.deep.equal([2n * AMOUNT, 0n, 0n]);
    });
  });
}
