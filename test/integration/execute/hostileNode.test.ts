import { expect } from "chai";
import { type HostileLab, openLab } from "../../helpers/hostileNode/runHostileNode.ts";
import type { Mutation } from "../../helpers/hostileNode/runVictim.ts";

const runs = 60;
/** Most runs until the judge finds what is broken. */
const mostRuns = 200;
const step = 20;

const otherId = 31338;
const attacker = "0x00000000000000000000000000000000000bad00";
const gweiMillion = 10n ** 15n;

/** Victims with a broken part, and what the judge says about them. */
const broken: readonly (readonly [string, Mutation, RegExp])[] = [
  ["that forgets its payments between runs", { isForgetful: true }, /left the victim, at most/],
  [
    "that signs for the chain which the node names",
    { sign: (transaction) => ({ ...transaction, chainId: otherId }) },
    /the victim paid on the other chain/,
  ],
  [
    "that signs any fee",
    { sign: (transaction) => ({ ...transaction, maxFeePerGas: gweiMillion, maxPriorityFeePerGas: 1n }) },
    /signed a fee of \d+ wei/,
  ],
  [
    "that pays another account",
    { sign: (transaction) => ({ ...transaction, to: attacker }) },
    /signed what no step has/,
  ],
  [
    "that says after every failure that nothing was sent",
    { error: (error) => Object.assign(error as Error, { outcome: "notDone", stepId: undefined }) },
    /was not done/,
  ],
  [
    "that throws errors without a code",
    { error: () => new TypeError("x is undefined") },
    /an error without a code/,
  ],
  ["that believes in a payment which no chain has", { isPaid: true }, /success without a payment/],
  ["that waits beyond its time limit", { timeout: 60_000 }, /ms of its clock/],
];

describe("execute through an attacker's node", () => {
  let lab: HostileLab;
  before(async () => {
    lab = await openLab();
  });
  after(() => lab.close());

  it(`pays once at most, on the right chain, within the maximum fee, in ${runs} runs by seed`, async () => {
    const { failures, paid } = await lab.run("integration", runs);
    expect(failures.join("\n\n")).to.equal("");
    expect(paid).to.be.greaterThan(runs / 2);
  });

  for (const [name, mutation, finding] of broken) {
    it(`a victim ${name}, then the judge says so`, async () => {
      for (let first = 0; first < mostRuns; first += step) {
        const { failures } = await lab.run("broken", step, { first, mutation });
        if (failures.some((failure) => finding.test(failure))) return;
      }
      expect.fail(`${mostRuns} runs passed`);
    });
  }
});
