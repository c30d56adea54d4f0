import { runFuzz } from "../../helpers/fuzz/runFuzz.ts";

describe("the API under arbitrary requests", () => {
  it("2,000 arbitrary requests: no 5xx, no error in the log and bounded memory", async function () {
    this.timeout(120_000);
    await runFuzz({ count: 2_000, seed: 1 });
  });
});
