import { kill } from "../test/helpers/model/commands.ts";
import { runModel } from "../test/helpers/model/runModel.ts";
import { openProcesses } from "../test/helpers/model/worlds.ts";
import { forEachStore } from "../test/helpers/processes/stores.ts";
import { campaignSeed, progress, sizeOf } from "./support/campaign.ts";

/** Fifty altogether. A PostgreSQL that processes share gives a dead one's work on only after a while. */
const kills = { alone: sizeOf(38, 76), shared: sizeOf(12, 24) };

forEachStore("an emulator that is killed again and again while it is paid", (kind) => {
  if (!kind.isLasting) return;

  it("fills or gives back each deposit once, ends each request, and posts each status in order", async function () {
    this.timeout(2_400_000);
    const database = await kind.newUrl();
    const rounds = kind.isShared ? kills.shared : kills.alone;
    const open = () => openProcesses({ database });
    await runModel({ open, progress, rounds, seed: campaignSeed("kills"), troubles: [kill] });
  });
});
