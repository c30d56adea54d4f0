import { expect } from "chai";
import * as z from "zod";
import { loadSetting, saveSetting } from "../../../../emulator/store/openSetting.ts";
import { failureOf } from "../../../helpers/failureOf.ts";
import { forEachStore } from "../../../helpers/processes/stores.ts";

forEachStore("saveSetting and loadSetting", (kind) => {
  it("a setting saved twice: loads the last value; of another schema: throws; removed: loads undefined", async () => {
    const { store } = await kind.open();
    const schema = z.object({ offsetMs: z.number() });
    expect(await loadSetting(store, "clock", schema)).to.equal(undefined);
    for (const offsetMs of [1, 2]) await saveSetting(store, "clock", { offsetMs });
    expect(await loadSetting(store, "clock", schema)).to.deep.equal({ offsetMs: 2 });
    expect(await failureOf(loadSetting(store, "clock", z.string()))).to.be.instanceOf(z.ZodError);
    await saveSetting(store, "clock", undefined);
    expect(await loadSetting(store, "clock", schema)).to.equal(undefined);
  });
});
