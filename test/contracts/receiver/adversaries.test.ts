import { expect } from "chai";
import { network } from "hardhat";
import { forwardPaths } from "../../helpers/contracts/adversaries/forwardPaths.ts";
import {
  adversaries,
  type Chain,
  describePaths,
  isMeeting,
  nameOf,
  type Path,
} from "../../helpers/contracts/adversaries/matrix.ts";
import { orderPaths } from "../../helpers/contracts/adversaries/orderPaths.ts";
import { recordPaths } from "../../helpers/contracts/adversaries/recordPaths.ts";
import { refundPaths } from "../../helpers/contracts/adversaries/refundPaths.ts";

const chain: Chain = await network.create();
const { ethers } = chain;

const paths: readonly Path[] = [...recordPaths, ...refundPaths, ...orderPaths, ...forwardPaths];
describePaths(chain, paths);

/** Functions that change state without moving money, of the contracts that have an owner. */
const movesNothing = [
  "addSolver",
  "cancelOwnershipHandover",
  "completeOwnershipHandover",
  "renounceOwnership",
  "requestOwnershipHandover",
  "retireSolver",
  "setAttributor",
  "setCoSigner",
  "setCurrencyLimits",
  "setPaused",
  "setRecipientListOpen",
  "setRecipients",
  "transferOwnership",
];

/** Deployable contracts; neither test doubles of the service nor adversaries. */
const receivers = ["PinnedReceiver", "ManagedReceiver", "OrderReceiver"];

describe("the matrix of paths and adversaries", () => {
  for (const name of receivers) {
    it(`the matrix has every function of ${name} that moves money`, async () => {
      const { interface: abi } = await ethers.getContractFactory(name as string);
      const changing: string[] = [];
      abi.forEachFunction((each) => {
        if (!each.constant && !movesNothing.includes(each.name)) changing.push(each.name);
      });
      if (abi.fallback) changing.push("fallback");
      const covered = paths.filter(({ contract }) => contract === name).map((path) => path.function);
      expect([...new Set(covered)].sort()).to.deep.equal(changing.sort());
    });
  }

  it("the matrix tries every cell, or gives a reason for an empty one", () => {
    const empty = paths.flatMap((path) =>
      adversaries
        .filter((adversary) => {
          const cell = path.cells[adversary];
          return isMeeting(cell) ? cell.length === 0 : cell.reason.length < 20;
        })
        .map((adversary) => `${nameOf(path)} × ${adversary}`),
    );
    expect(empty).to.deep.equal([]);
    for (const path of paths) expect(Object.keys(path.cells).sort()).to.deep.equal([...adversaries].sort());
  });

  it("the matrix names every path once", () => {
    const names = paths.map(nameOf);
    expect(new Set(names).size).to.equal(names.length);
  });
});
