import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeTrouble } from "../test/helpers/model/commands.ts";
import { runModel } from "../test/helpers/model/runModel.ts";
import { openProcesses } from "../test/helpers/model/worlds.ts";
import { campaignSeed, progress, sizeOf } from "./support/campaign.ts";

const rounds = sizeOf(12, 150);

describe("an emulator over chains with block time whose nodes drop, truncate, delay and misanswer requests", () => {
  it("quotes or answers 503, fills or gives back each deposit once, to the unit, and ends by no fault", async function () {
    this.timeout(3_600_000);
    const folder = await mkdtemp(join(tmpdir(), "waybill-rpc-"));
    try {
      const database = join(folder, "emulator.db");
      const open = () => openProcesses({ blockMs: 200, database, hasNodes: true });
      await runModel({ open, progress, rounds, seed: campaignSeed("broken rpc"), troubles: [nodeTrouble] });
    } finally {
      await rm(folder, { force: true, recursive: true });
    }
  });
});
