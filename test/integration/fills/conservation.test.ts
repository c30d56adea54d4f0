import { expect } from "chai";
import { kill, reorg } from "../../helpers/model/commands.ts";
import { runModel } from "../../helpers/model/runModel.ts";
import { openInside, openProcesses } from "../../helpers/model/worlds.ts";
import { forEachStore } from "../../helpers/processes/stores.ts";

describe("conservation of money", () => {
  it("payments of all kinds with random faults and reorgs conserve money to the unit on EVM chains, exchange and SVM chain together", async function () {
    this.timeout(120_000);
    const seed = process.env["WAYBILL_SEED"] ?? "a dozen reorgs";
    const { kinds } = await runModel({ open: openInside, rounds: 12, seed, troubles: [reorg] });
    expect(Object.keys(kinds).length).to.be.greaterThan(20);
  });
});

forEachStore("an emulator that is killed twice while it is paid", (kind) => {
  // A shared PostgreSQL reassigns a dead process's work only after its lease: the campaign covers that.
  if (!kind.isLasting || kind.isShared) return;

  it("fills or refunds each deposit once, ends each request, and posts each status in order", async function () {
    this.timeout(180_000);
    const database = await kind.newUrl();
    await runModel({
      open: () => openProcesses({ database }),
      rounds: 2,
      seed: "two kills",
      troubles: [kill],
    });
  });
});
