import { expect } from "chai";
import { readPages, readSamples } from "../../scripts/checks/samples/readSamples.ts";
import { startTestEmulator, type TestEmulator } from "../../testing/index.ts";
import { keepCacheApart } from "../fork/support/keepCacheApart.ts";
import { runSample } from "../helpers/samples/runSample.ts";
import { share } from "../helpers/samples/sharedEmulator.ts";

describe("samples of the documents", () => {
  keepCacheApart();
  let emulator: TestEmulator;
  before(async () => {
    emulator = await startTestEmulator({ perps: true, svm: true });
    share(emulator);
  });
  after(() => emulator.stop());

  const atStart = async () => undefined;
  for (const sample of readSamples(readPages(), "ts").filter(({ isRun }) => isRun)) {
    it(`${sample.page}, line ${sample.line}: runs, and prints what its comments say`, async () => {
      await emulator.loadFixture(atStart);
      const { printed, promised } = await runSample(sample);
      for (const line of promised) {
        const index = printed.findIndex((each) => line.test(each));
        expect(index, `${line} in ${JSON.stringify(printed)}`).to.be.at.least(0);
        printed.splice(0, index + 1);
      }
    });
  }
});
