import { runKills } from "../test/helpers/kills/runKills.ts";
import { forEachStore } from "../test/helpers/processes/stores.ts";
import { campaignSeed, progress } from "./support/campaign.ts";

/** Fifty altogether. A PostgreSQL that processes share gives a dead one's work on only after a while. */
const kills = { alone: 38, shared: 12 };

forEachStore("an emulator that is killed again and again while it is paid", (kind) => {
  if (!kind.isLasting) return;

  it("fills or gives back each deposit once, ends each request, and posts each status in order", async function () {
    this.timeout(1_200_000);
    const database = await kind.newUrl();
    const count = kind.isShared ? kills.shared : kills.alone;
    const report = await runKills({ database, kills: count, progress, seed: campaignSeed("kills") });
    const { deposits, payments, webhooks } = report;
    progress(`${count} kills survived: ${payments} payments, ${deposits} deposits, ${webhooks} webhooks`);
  });
});
