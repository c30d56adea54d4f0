import { expect } from "chai";
import type { BaseContract } from "ethers";
import hre, { network } from "hardhat";
import { flattenCalls, ownGas, traceCalls } from "../../helpers/contracts/callTrace.ts";
import { libraryErrors } from "../../helpers/contracts/libraryErrors.ts";
import type { TestToken } from "../../helpers/contracts/tokens.ts";
import { ADVERSARIES, KINDS, type Met } from "./support/matrixAdversaries.ts";
import { bringMoney, makeCall, PATHS, type Path, spendingIndex } from "./support/matrixPaths.ts";
import { balancesOf, deployMatrixStage, expectedOf, type MatrixStage } from "./support/matrixScene.ts";

const { ethers, networkHelpers } = await network.create();

/**
 * Each path of money through the contracts, against each adversary. `ok`: all balances are correct to the unit, no
 * balance and no approval is left, and the call works again. Every other word is the error that reverts the whole
 * call:
 *
 * pull      TransferFromFailed   the proxy could not pull            token    TokenHasNoCode   nothing is at the token's address
 * approve   ApproveFailed        the approval could not be set       target   TargetHasNoCode  nothing is at the target's
 * sweep     TransferFailed       the rest could not be swept         step     StepFailed       with the inner reason
 * ether     ETHTransferFailed    native currency could not be swept
 * outflow   UnapprovedOutflow    less is left than the target took by its approval
 *
 * Paths: `value` is `execute` with native currency that buys the token first, `ahead` the same with native currency that was
 * sent before, `nft` is `executeWithNftRecipient`.
 */
const TABLE = `
                               proxy                            executor
                               spend    execute  value    nft   spend    execute  value    ahead    nft
missing return                 ok       ok       ok       ok       ok       ok       ok       ok       ok
false from approve             approve  approve  approve  approve  approve  approve  approve  approve  approve
false from transferFrom        pull     pull     step     pull     step     step     step     step     step
false from transfer            sweep    sweep    sweep    sweep    sweep    sweep    sweep    sweep    sweep
fee on transfer                ok       ok       ok       ok       ok       ok       ok       ok       ok
doubled before the call        ok       ok       ok       ok       ok       ok       ok       ok       ok
doubled in the call            ok       ok       ok       ok       ok       ok       ok       ok       ok
halved in the call             outflow  outflow  outflow  outflow  outflow  outflow  outflow  outflow  outflow
USDT-style approve             ok       ok       ok       ok       ok       ok       ok       ok       ok
recipient blocked              sweep    sweep    sweep    sweep    sweep    sweep    sweep    sweep    sweep
target blocked                 step     step     step     step     step     step     step     step     step
caller blocked                 pull     pull     ok       pull     ok       ok       ok       ok       ok
reverts on zero, taken whole   ok       ok       ok       ok       ok       ok       ok       ok       ok
reverts on zero, taken in part approve  approve  approve  approve  approve  approve  approve  approve  approve
returns too much data          ok       ok       ok       ok       ok       ok       ok       ok       ok
token calls executor           ok       ok       ok       ok       ok       ok       ok       ok       ok
token calls proxy              ok       ok       ok       ok       ok       ok       ok       ok       ok
target calls executor          ok       ok       ok       ok       ok       ok       ok       ok       ok
target calls proxy             ok       ok       ok       ok       ok       ok       ok       ok       ok
recipient calls executor       ok       ok       ok       ok       ok       ok       ok       ok       ok
recipient burns gas            ok       ok       ok       ok       ok       ok       ok       ok       ok
recipient burns all gas        ether    ether    ether    ether    ether    ether    ether    ether    ether
target burns gas               ok       ok       ok       ok       ok       ok       ok       ok       ok
target burns all gas           step     step     step     step     step     step     step     step     step
bomb, target returns           ok       ok       ok       ok       ok       ok       ok       ok       ok
bomb, target reverts           step     step     step     step     step     step     step     step     step
bomb, recipient returns        ok       ok       ok       ok       ok       ok       ok       ok       ok
bomb, token returns            ok       ok       ok       ok       ok       ok       ok       ok       ok
bomb, token reverts            sweep    sweep    sweep    sweep    sweep    sweep    sweep    sweep    sweep
recipient rejects ether        ether    ether    ether    ether    ether    ether    ether    ether    ether
token without code             token    token    token    token    token    token    token    token    token
target without code            target   target   target   target   target   target   target   target   target
target self-destructs          ok       ok       ok       ok       ok       ok       ok       ok       ok
`;

/** The error of each word other than `ok`: its declaring contract, name and arguments. */
const ERRORS = {
  pull: () => ({ error: "TransferFromFailed", args: [], isOfLibrary: true }),
  approve: () => ({ error: "ApproveFailed", args: [], isOfLibrary: true }),
  sweep: () => ({ error: "TransferFailed", args: [], isOfLibrary: true }),
  ether: () => ({ error: "ETHTransferFailed", args: [], isOfLibrary: true }),
  token: async (_path: Path, { scene }: Met) => ({
    error: "TokenHasNoCode",
    args: [await ethers.resolveAddress(scene.token)],
    isOfLibrary: false,
  }),
  outflow: async (path: Path, { scene }: Met) => {
    const before = scene.arrived(path.supply);
    return {
      error: "UnapprovedOutflow",
      args: [spendingIndex(path), await ethers.resolveAddress(scene.token), scene.revalued(before), before],
      isOfLibrary: false,
    };
  },
  target: async (path: Path, { scene }: Met) => ({
    error: "TargetHasNoCode",
    args: [spendingIndex(path), await ethers.resolveAddress(scene.target.address)],
    isOfLibrary: false,
  }),
  step: async (path: Path, { scene, stepReason }: Met) => ({
    error: "StepFailed",
    args: [spendingIndex(path), await ethers.resolveAddress(scene.target.address), stepReason],
    isOfLibrary: false,
  }),
};
type Outcome = "ok" | keyof typeof ERRORS;

/** Copying one bomb's return data alone would cost 380,000 gas. Coverage instrumentation adds gas. */
const OWN_GAS_LIMIT = hre.globalOptions.coverage ? 340_000n : 250_000n;
const ROUNDS = [1n, 2n];

const isOutcome = (word: string): word is Outcome => word === "ok" || word in ERRORS;

/** The table's cells, row by row, in the order of the paths. */
function readTable(): ReadonlyMap<string, readonly string[]> {
  const rows = TABLE.split("\n")
    .slice(3)
    .filter((line) => line.trim() !== "");
  return new Map(rows.map((row) => [row.slice(0, 31).trim(), row.slice(31).trim().split(/\s+/)]));
}

const table = readTable();

async function matrixStage() {
  return deployMatrixStage(ethers);
}

async function expectNothingKept(stage: MatrixStage, { scene }: Met): Promise<void> {
  const token = scene.token as TestToken;
  for (const holder of [stage.proxy, stage.executor]) {
    expect(await token.balanceOf(holder)).to.equal(0n);
    expect(await ethers.provider.getBalance(holder)).to.equal(0n);
    for (const spender of [scene.target.address, stage.post, stage.stranger, stage.proxy]) {
      expect(await token.allowance(holder, spender)).to.equal(0n);
    }
  }
}

/** Gas of proxy and executor in a transaction, without their nested calls. */
async function ownGasOf(stage: MatrixStage, hash: string): Promise<bigint> {
  const ours = [stage.proxy, stage.executor].map(({ target }) => String(target).toLowerCase());
  return flattenCalls(await traceCalls(ethers, hash))
    .filter(({ to }) => ours.includes(to?.toLowerCase()))
    .reduce((sum, call) => sum + ownGas(call), 0n);
}

async function expectExact(stage: MatrixStage, path: Path, met: Met): Promise<void> {
  const { scene } = met;
  for (const round of ROUNDS) {
    await bringMoney(stage, path, scene);
    await met.arm?.();
    const before = await balancesOf(stage, scene);
    const expected = expectedOf(scene, path.supply);
    const call = await makeCall(stage, path, scene, round, true, met.overrides);
    const after = await balancesOf(stage, scene);

    const gained = (party: string, what: "token" | "native") =>
      (after[party]?.[what] ?? 0n) - (before[party]?.[what] ?? 0n);
    expect(gained("recipient", "token")).to.equal(expected.token.recipient);
    expect(gained("recipient", "native")).to.equal(expected.native.recipient);
    expect(gained("stranger", "token")).to.equal(0n);
    expect(gained("stranger", "native")).to.equal(0n);
    if (scene.taken !== 0n) {
      expect(gained("target", "token")).to.equal(expected.token.target);
      expect(await stage.post.lastAvailable()).to.equal(expected.arrived);
    }
    if (path.function === "executeWithNftRecipient") {
      expect(await stage.nft.ownerOf(round)).to.equal(stage.recipient);
    }
    await expectNothingKept(stage, met);
    await met.verify?.();
    if (met.isBomb) expect(await ownGasOf(stage, call.hash)).to.be.below(OWN_GAS_LIMIT);
  }
}

async function expectRefusal(stage: MatrixStage, path: Path, met: Met, word: keyof typeof ERRORS) {
  const { scene } = met;
  await bringMoney(stage, path, scene);
  await met.arm?.();
  const before = await balancesOf(stage, scene);
  const { error, args, isOfLibrary } = await ERRORS[word](path, met);
  const declaredBy: { interface: BaseContract["interface"] } = isOfLibrary ? libraryErrors : stage.executor;
  const refusal = expect(
    makeCall(stage, path, scene, 1n, false, met.overrides),
  ).to.be.revertedWithCustomError(declaredBy, error);
  await (args.length === 0 ? refusal : refusal.withArgs(...args));
  expect(await balancesOf(stage, scene)).to.deep.equal(before);
}

for (const [pathName, path] of Object.entries(PATHS)) {
  describe(`${pathName}, against every adversary`, () => {
    for (const [name, adversary] of Object.entries(ADVERSARIES)) {
      const word = table.get(name)?.[Object.keys(PATHS).indexOf(pathName)] ?? "nothing";
      const ending = word === "ok" ? "works exactly, twice" : `is undone by name, with ${word}`;
      it(`${ending}, against: ${name}`, async () => {
        const stage = await networkHelpers.loadFixture(matrixStage);
        const met = await adversary.meet(stage);
        if (!isOutcome(word)) throw new Error(`The table has no outcome for ${name} on ${pathName}.`);
        if (word === "ok") await expectExact(stage, path, met);
        else await expectRefusal(stage, path, met, word);
      });
    }
  });
}

describe("the table of paths and adversaries", () => {
  it("the table gives every adversary one outcome on every path", () => {
    expect([...table.keys()]).to.deep.equal(Object.keys(ADVERSARIES));
    for (const [name, cells] of table) {
      expect(cells, name).to.have.length(Object.keys(PATHS).length);
      expect(
        cells.filter((cell) => !isOutcome(cell)),
        name,
      ).to.deep.equal([]);
    }
  });

  it("the table's columns follow the order of the paths", () => {
    const [, entries = "", functions = ""] = TABLE.split("\n");
    expect(entries.trim().split(/\s+/)).to.deep.equal(["proxy", "executor"]);
    const names = Object.keys(PATHS).map((name) => name.split(" ")[1]);
    expect(functions.trim().split(/\s+/)).to.deep.equal(names);
  });

  it("the table names every kind of adversary", () => {
    const met = new Set(Object.values(ADVERSARIES).map(({ kind }) => kind));
    expect(KINDS.filter((kind) => !met.has(kind))).to.deep.equal([]);
  });

  it("the paths cover every function that changes anything, except the proxy's lock and the vault deposit of its own suite", async () => {
    const stage = await networkHelpers.loadFixture(matrixStage);
    for (const [entry, others] of [
      ["proxy", ["depositErc4626"]],
      ["executor", ["lock"]],
    ] as const) {
      const changing: string[] = [];
      stage[entry].interface.forEachFunction((fragment) => {
        if (!fragment.constant) changing.push(fragment.name);
      });
      const walked = Object.values(PATHS).filter((path) => path.entry === entry);
      const covered = new Set<string>([...walked.map((path) => path.function), ...others]);
      expect(changing.filter((name) => !covered.has(name))).to.deep.equal([]);
    }
  });
});
