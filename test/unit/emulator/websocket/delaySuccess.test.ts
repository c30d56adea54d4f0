import { expect } from "chai";
import { delaySuccess } from "../../../../emulator/websocket/statusSubscriptions.ts";
import { pause } from "../support/waiting.ts";

const delayMs = 60;

describe("delaySuccess", () => {
  let sent: string[];
  const delayed = (ms = delayMs) =>
    delaySuccess<{ readonly status: string }>(({ status }) => sent.push(status), ms);
  beforeEach(() => {
    sent = [];
  });

  for (const [title, statuses, atOnce] of [
    ["success after pending", ["waiting", "pending", "submitted", "success"], 3],
    ["success without pending, as on one chain", ["waiting", "success"], 1],
    ["statuses after a delayed success", ["success", "submitted", "success"], 0],
  ] as const) {
    it(`${title}: sends ${atOnce} at once, and the rest in order after the delay`, async () => {
      const { send } = delayed();
      for (const status of statuses) send({ status });
      expect(sent).to.deep.equal(statuses.slice(0, atOnce));
      await pause(2 * delayMs);
      expect(sent).to.deep.equal(statuses);
    });
  }

  it("pending sent longer ago than the delay, or a delay of 0: sends success at once", async () => {
    const slow = delayed();
    slow.send({ status: "pending" });
    await pause(2 * delayMs);
    slow.send({ status: "success" });
    expect(sent).to.deep.equal(["pending", "success"]);
    delayed(0).send({ status: "success" });
    expect(sent).to.have.length(3);
  });

  it("closed with a delayed success: sends nothing more", async () => {
    const { close, send } = delayed();
    send({ status: "success" });
    close();
    await pause(2 * delayMs);
    send({ status: "submitted" });
    expect(sent).to.deep.equal([]);
  });
});
