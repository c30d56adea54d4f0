import { expect } from "chai";
import type { DeliveryFault } from "../../../../emulator/context/FaultHooks.ts";
import { type FaultySend, faultySend } from "../../../../emulator/websocket/faultySend.ts";
import type { RequestStatus } from "../../../../src/schema/request/requestStatus.ts";

type Update = { readonly requestId: string; readonly status: RequestStatus };

describe("faultySend", () => {
  let sent: string[];
  function way(faults: Partial<Record<RequestStatus, DeliveryFault>>): FaultySend<Update> {
    const list: string[] = [];
    sent = list;
    return faultySend<Update>(({ status }) => list.push(status), {
      forDelivery: ({ status }) => faults[status],
    });
  }
  function send({ send }: FaultySend<Update>, ...statuses: RequestStatus[]): void {
    for (const status of statuses) send({ requestId: "0x01", status });
  }

  it("no fault: sends statuses in order", () => {
    send(way({}), "waiting", "pending", "success");
    expect(sent).to.deep.equal(["waiting", "pending", "success"]);
  });

  it("drop, duplicate and reorder: apply to the statuses that they name", () => {
    send(
      way({ pending: "drop", submitted: "duplicate", waiting: "reorder" }),
      ...(["waiting", "pending", "submitted", "success"] as const),
    );
    expect(sent).to.deep.equal(["submitted", "submitted", "waiting", "success"]);
  });

  it("a slow or failing lookup of a fault: keeps the order", async () => {
    const list: string[] = [];
    const answers = [Promise.resolve(undefined), Promise.reject(new Error("gone")), Promise.resolve("drop")];
    const { send: sendOne } = faultySend<Update>(({ status }) => list.push(status), {
      forDelivery: ({ status }) => (status === "success" ? undefined : answers.shift()) as undefined,
    });
    const statuses = ["waiting", "depositing", "pending", "success"] as const;
    for (const status of statuses) sendOne({ requestId: "0x01", status });
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(list).to.deep.equal(["waiting", "depositing", "success"]);
  });

  it("a reordered status that no other follows: is sent after two seconds, and never after `close`", async () => {
    const late = way({ success: "reorder" });
    send(late, "success");
    expect(sent).to.deep.equal([]);
    const received = sent;
    const gone = way({ success: "reorder" });
    send(gone, "success");
    gone.close();
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect(received).to.deep.equal(["success"]);
    expect(sent).to.deep.equal([]);
  }).timeout(10_000);
});
