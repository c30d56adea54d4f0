import { runFuzz } from "../../helpers/fuzz/runFuzz.ts";

describe("the API under arbitrary requests", () => {
  it("answers 2,000 of them without a 5xx, without an error in the log and without filling the memory", async function () {
    this.timeout(120_000);
    await runFuzz({ count: 2_000, seed: 1 });
  });
});
