import { fork } from "node:child_process";
import { once } from "node:events";
import { expect } from "chai";
import {
  addReport,
  assertNoFailures,
  emptyReport,
  type HostileReport,
  methodsOf,
  summaryOf,
} from "../test/helpers/hostileNode/Report.ts";
import { campaignSeed, progress, sizeOf } from "./support/campaign.ts";

const runs = sizeOf(2_000, 20_000);
const processes = 2;
const batch = 100;

describe("2,000 executions through an attacker's node, or 20,000 in the long lane", () => {
  it("pay once at most, on the right chain and within the maximum fee, and say what is true", async function () {
    this.timeout(3_600_000);
    const seed = campaignSeed("hostile node");
    const sum = emptyReport();
    const share = runs / processes;
    const script = new URL("./support/hostileNodeProcess.ts", import.meta.url);
    const work = async (index: number): Promise<void> => {
      const numbers = [index * share, share, batch].map(String);
      const child = fork(script, [seed, ...numbers], { execArgv: ["--disable-warning=ExperimentalWarning"] });
      child.on("message", (report: HostileReport) => {
        addReport(sum, report);
        progress(summaryOf(sum).replace(/;.*/s, ""));
      });
      const [code] = await once(child, "exit");
      expect(code, `process ${index}`).to.equal(0);
    };
    await Promise.all(Array.from({ length: processes }, (_, index) => work(index)));
    progress(summaryOf(sum));
    assertNoFailures(sum);
    const { asked, lied } = methodsOf(sum);
    expect(lied, "methods that the attacker lied about").to.deep.equal(asked);
    expect(sum.runs).to.equal(runs);
    expect(sum.paid).to.be.greaterThan(runs / 2);
  });
});
