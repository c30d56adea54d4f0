import { fork } from "node:child_process";
import { once } from "node:events";
import { expect } from "chai";
import { addReport, emptyReport, type Report, summaryOf } from "../test/helpers/quoteMutations/Report.ts";
import { campaignSeed, progress } from "./support/campaign.ts";

const mutants = 20_000;
const processes = 2;
const batch = 500;

describe("20,000 quotes that a hostile service changed", () => {
  it("are refused, or cost the user no more than the bound and bring the recipient no less", async function () {
    this.timeout(1_800_000);
    const seed = campaignSeed("quotes");
    const sum = emptyReport();
    const share = mutants / processes;
    const script = new URL("./support/quoteMutationsProcess.ts", import.meta.url);
    const work = async (index: number): Promise<void> => {
      const numbers = [index * share, share, batch].map(String);
      const child = fork(script, [seed, ...numbers], { execArgv: ["--disable-warning=ExperimentalWarning"] });
      child.on("message", (report: Report) => {
        addReport(sum, report);
        progress(summaryOf(sum).replace(/;.*/s, ""));
      });
      const [code] = await once(child, "exit");
      expect(code, `process ${index}`).to.equal(0);
    };
    await Promise.all(Array.from({ length: processes }, (_, index) => work(index)));
    progress(summaryOf(sum));
    expect(sum.lost, `WAYBILL_SEED="${seed}" has it again`).to.deep.equal([]);
    expect(sum.made).to.equal(mutants);
    expect(sum.accepted).to.be.greaterThan(500);
  });
});
