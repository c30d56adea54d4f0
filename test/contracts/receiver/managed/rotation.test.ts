import { expect } from "chai";
import type { HDNodeWallet } from "ethers";
import { network } from "hardhat";
import {
  ACTIVATION_DELAY,
  deployManagedStage,
  type ManagedStage,
  reasonNames,
} from "../../../helpers/contracts/managedStage.ts";
import { AMOUNT, deposit, nextSolver, signTerms, solver } from "../../../helpers/contracts/receiverStage.ts";

const { ethers, networkHelpers } = await network.create();

const OVERLAP = 3_600n;

async function stageOnly() {
  return deployManagedStage(ethers);
}

/** The next solver is announced, and the present one retires an overlap after it has started. */
async function rotating() {
  const stage = await networkHelpers.loadFixture(stageOnly);
  const start = BigInt(await networkHelpers.time.latest()) + ACTIVATION_DELAY + 60n;
  const end = start + OVERLAP;
  const { receiver } = stage;
  await expect(receiver.addSolver(nextSolver, nextSolver, start, false))
    .to.emit(receiver, "SolverAdded")
    .withArgs(nextSolver.address, nextSolver.address, start, false);
  await expect(receiver.retireSolver(solver, end))
    .to.emit(receiver, "SolverRetired")
    .withArgs(solver.address, end);
  return { stage, start, end };
}

/** Whether a deposit that `signer` signed is accepted in exactly this second. */
async function isAcceptedAt(
  stage: ManagedStage,
  signer: HDNodeWallet,
  requestNumber: number,
  time: bigint,
): Promise<boolean> {
  const terms = await signTerms(stage, { signer, requestNumber, lifetime: 10n * ACTIVATION_DELAY });
  await networkHelpers.time.setNextBlockTimestamp(time);
  const sending = deposit(stage, terms, { gasLimit: 500_000n });
  return sending.then(
    async (response) => (await response.wait())?.status === 1,
    () => false,
  );
}

describe("ManagedReceiver while solvers rotate", () => {
  it("pays the solver that signed, from the second it starts until the second it ends", async () => {
    const { stage, start, end } = await rotating();
    const cases: [HDNodeWallet, bigint, boolean][] = [
      [nextSolver, start - 2n, false],
      [solver, start - 1n, true],
      [nextSolver, start, true],
      [solver, start + 1n, true],
      [nextSolver, end - 2n, true],
      [solver, end - 1n, true],
      [solver, end, false],
      [nextSolver, end + 1n, true],
    ];
    const before = await Promise.all(
      [solver, nextSolver].map(({ address }) => ethers.provider.getBalance(address)),
    );
    for (const [index, [signer, time, isAccepted]] of cases.entries()) {
      expect(await isAcceptedAt(stage, signer, index + 1, time), `case ${index}`).to.equal(isAccepted);
    }
    const after = await Promise.all(
      [solver, nextSolver].map(({ address }) => ethers.provider.getBalance(address)),
    );
    expect(after.map((balance, index) => balance - (before[index] ?? 0n))).to.deep.equal([
      3n * AMOUNT,
      3n * AMOUNT,
    ]);
  });

  it("validate reports a solver that is not active yet, with the second it starts", async () => {
    const { stage, start } = await rotating();
    const terms = await signTerms(stage, { signer: nextSolver });
    expect(await reasonNames(stage, terms)).to.deep.equal(["SolverNotActive"]);
    const { activeFrom, activeUntil } = await stage.receiver.solverOf(nextSolver);
    expect([activeFrom, activeUntil]).to.deep.equal([start, 2n ** 40n - 1n]);
  });

  it("a retirement brought forward to now ends a solver at once", async () => {
    const { stage } = await rotating();
    const now = BigInt(await networkHelpers.time.latest()) + 1n;
    await networkHelpers.time.setNextBlockTimestamp(now);
    await stage.receiver.retireSolver(solver, now);
    await expect(deposit(stage, await signTerms(stage))).to.be.revertedWithCustomError(
      stage.receiver,
      "SolverNotActive",
    );
  });
});
