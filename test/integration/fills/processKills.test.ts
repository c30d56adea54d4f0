import { runKills } from "../../helpers/kills/runKills.ts";
import { forEachStore } from "../../helpers/processes/stores.ts";

forEachStore("an emulator that is killed twice while it is paid", (kind) => {
  // A shared PostgreSQL reassigns a dead process's work only after its lease: the campaign covers that.
  if (!kind.isLasting || kind.isShared) return;

  it("fills or refunds each deposit once, ends each request, and posts each status in order", async function () {
    this.timeout(180_000);
    await runKills({ database: await kind.newUrl(), kills: 2, seed: "two kills" });
  });
});
