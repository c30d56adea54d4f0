import { expect } from "chai";
import type { noFaults } from "../../../../emulator/context/FaultHooks.ts";
import { forEachStore } from "../../../helpers/processes/stores.ts";
import { pause, until } from "./support/receiver.ts";
import { useBench } from "./support/useBench.ts";

forEachStore("webhooks with faults", (kind) => {
  const { bench, clock, hook, receiver } = useBench(kind);

  it("are lost, doubled and swapped where that is asked for", async () => {
    const faults = {
      forDelivery: ({ channel, status }: Parameters<typeof noFaults.forDelivery>[0]) =>
        channel === "webhook"
          ? ({ depositing: "drop", pending: "duplicate", submitted: "reorder" } as const)[status as "pending"]
          : undefined,
    };
    const here = await bench({ faults });
    const there = await receiver();
    await hook(here, there.url);
    const id = await here.request();
    for (const status of ["depositing", "pending", "submitted"] as const) await here.reach(id, status);
    await until(() => there.received.length === 3);
    await pause();
    expect(there.statuses()).to.deep.equal(["waiting", "pending", "pending"]);
    await here.reach(id, "success");
    await until(() => there.received.length === 5);
    expect(there.statuses().slice(3)).to.deep.equal(["success", "submitted"]);
    await until(async () => (await here.deliveries()).every(({ state }) => state !== "pending"));
    expect((await here.deliveries()).map(({ state, status }) => [status, state]).reverse()).to.deep.equal([
      ["waiting", "delivered"],
      ["depositing", "dropped"],
      ["pending", "delivered"],
      ["submitted", "delivered"],
      ["success", "delivered"],
    ]);
  });

  it("come late when they were to be overtaken and none follows", async () => {
    const here = await bench({ faults: { forDelivery: () => "reorder" } });
    const there = await receiver();
    await hook(here, there.url);
    await here.request();
    await pause();
    expect(there.received).to.have.length(0);
    clock.advance(2_000);
    await until(() => there.received.length === 1);
  });
});
