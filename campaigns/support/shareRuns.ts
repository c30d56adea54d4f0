import { fork } from "node:child_process";
import { once } from "node:events";
import { expect } from "chai";
import { addTally, countOf, emptyTally, type Tally } from "../../test/helpers/tally.ts";
import { campaignSeed, progress } from "./campaign.ts";

const processes = 2;
const batch = 500;

/**
 * Shares the runs of a hostile campaign among processes.
 *
 * @throws if a run failed: with its seed and what it lost.
 */
export async function shareRuns(kind: "nodes" | "quotes", runs: number): Promise<Tally> {
  const seed = campaignSeed(kind);
  const sum = emptyTally();
  const share = runs / processes;
  const script = new URL("./hostileProcess.ts", import.meta.url);
  const work = async (index: number): Promise<void> => {
    const parameters = [kind, seed, ...[index * share, share, batch].map(String)];
    const child = fork(script, parameters, { execArgv: ["--disable-warning=ExperimentalWarning"] });
    child.on("message", (tally: Tally) => {
      addTally(sum, tally);
      progress(`${countOf(sum, "runs")} of ${runs}, ${sum.failures.length} failed`);
    });
    const [code] = await once(child, "exit");
    expect(code, `process ${index}`).to.equal(0);
  };
  await Promise.all(Array.from({ length: processes }, (_, index) => work(index)));
  progress(JSON.stringify(sum.counts));
  expect(sum.failures.slice(0, 5), `${sum.failures.length} failed`).to.deep.equal([]);
  expect(countOf(sum, "runs")).to.equal(runs);
  return sum;
}
