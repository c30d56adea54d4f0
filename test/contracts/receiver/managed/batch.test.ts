import { expect } from "chai";
import { type Addressable, ZeroAddress } from "ethers";
import { network } from "hardhat";
import {
  AMOUNT,
  accept,
  deployManagedPermitStage,
  type ManagedPermitStage,
  type ManagedTerms,
  managedTerms,
  nextSolver,
  reasonNames,
  type TermsFields,
} from "../../../helpers/contracts/managedStage.ts";
import { solver } from "../../../helpers/contracts/receiverStage.ts";
import { deployToken } from "../../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

async function settingOf() {
  const solvers = [solver, nextSolver].map(({ address }) => ({
    solver: address,
    nativePayee: address,
    usesErc1271: false,
  }));
  const stage = await deployManagedPermitStage(ethers, { solvers });
  const token = await deployToken(ethers, "LocalToken");
  await accept(stage, token);
  return { stage, token };
}

/** A payment that a solver signed, in the form of `depositAll`. */
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

// Rules for every kind of receiver are tested in `../batch.test.ts`.
describe("policies of ManagedReceiverPermits.depositAll", () => {
  it("pays each solver the amount it signed, and stores the depositor", async () => {
    const { stage, token } = await networkHelpers.loadFixture(settingOf);
    const payments = [
      await paymentOf(stage, 1),
      await paymentOf(stage, 2, token, { amount: 5n }),
      await paymentOf(stage, 3, ZeroAddress, { amount: 7n, signer: nextSolver }),
      await paymentOf(stage, 4, token, { amount: 11n, signer: nextSolver }),
    ];
    await expect(depositAll(stage, payments, AMOUNT + 7n)).to.changeEtherBalances(
      ethers,
      [stage.depositor, stage.receiver, solver, nextSolver],
      [-AMOUNT - 7n, 0n, AMOUNT, 7n],
    );
    expect([await token.balanceOf(solver), await token.balanceOf(nextSolver)]).to.deep.equal([5n, 11n]);
    for (const { record } of payments) {
      expect(await stage.receiver.depositorOf(record.requestId)).to.equal(stage.depositor.address);
    }
  });

  it("rejects a currency word that is no address, whatever its last 20 bytes", async () => {
    const { stage, token } = await networkHelpers.loadFixture(settingOf);
    for (const currency of [ZeroAddress, await token.getAddress()]) {
      const payment = await paymentOf(stage, 1, currency);
      const originCurrency = `0x01${payment.record.originCurrency.slice(4)}`;
      const forged = { ...payment, record: { ...payment.record, originCurrency } };
      await expect(depositAll(stage, [forged], 0n))
        .to.be.revertedWithCustomError(stage.receiver, "CurrencyMismatch")
        .withArgs(originCurrency, ethers.zeroPadValue(currency, 32));
    }
  });

  it("rejects a last payment that violates a policy, as `validate` reports beforehand", async () => {
    const { stage, token } = await networkHelpers.loadFixture(settingOf);
    const first = await paymentOf(stage, 1);
    for (const [fields, error] of [
      [{ recipient: stage.stranger.address }, "RecipientNotAllowed"],
      [{ coSigner: solver }, "NotCoSigned"],
      [{ lifetime: -1n }, "DepositExpired"],
    ] as const) {
      const last = await paymentOf(stage, 2, token, fields);
      const refused = depositAll(stage, [first, last], AMOUNT);
      await expect(refused).to.be.revertedWithCustomError(stage.receiver, error);
      expect((await reasonNames(stage, last, { currency: token }))[0]).to.equal(error);
    }
    await stage.receiver.setPaused(true);
    const paused = depositAll(stage, [first], AMOUNT);
    await expect(paused).to.be.revertedWithCustomError(stage.receiver, "DepositsPaused");
    expect(await stage.receiver.isConsumed(first.record.requestId)).to.equal(false);
  });

  it("rejects a single payment with the same error as in a batch", async () => {
    const { stage } = await networkHelpers.loadFixture(settingOf);
    const unknown = await paymentOf(stage, 2, ZeroAddress, { signer: ethers.Wallet.createRandom() });
    const batch = depositAll(stage, [await paymentOf(stage, 1), unknown], 2n * AMOUNT);
    const [inBatch, byItself] = await Promise.all(
      [batch, depositAll(stage, [unknown], AMOUNT)].map(reasonOf),
    );
    expect(inBatch).to.be.a("string").and.equal(byItself);
  });
});

/** The revert data of a transaction that must fail. */
async function reasonOf(sending: Promise<unknown>): Promise<string | undefined> {
  try {
    await sending;
  } catch (error) {
    return (error as { data?: string }).data;
  }
  throw new Error("The transaction did not fail.");
}
