import { expect } from "chai";
import { delaySuccess } from "../../../../emulator/websocket/statusSubscriptions.ts";

type Update = { readonly status: string; readonly at?: number };

const delayMs = 60;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("delaySuccess", () => {
  let sent: string[];
  const delayed = (ms = delayMs) => delaySuccess<Update>(({ status }) => sent.push(status), ms);
  beforeEach(() => {
    sent = [];
  });

  it("sends success only once the delay is over since the deposit was told, and all else at once", async () => {
    const { send } = delayed();
    for (const status of ["waiting", "pending", "submitted", "success"]) send({ status });
    expect(sent).to.deep.equal(["waiting", "pending", "submitted"]);
    await sleep(2 * delayMs);
    expect(sent.at(-1)).to.equal("success");
  });

  it("sends success at once where the deposit was told that long ago, or the delay is 0", async () => {
    const slow = delayed();
    slow.send({ status: "pending" });
    await sleep(2 * delayMs);
    slow.send({ status: "success" });
    expect(sent).to.deep.equal(["pending", "success"]);
    delayed(0).send({ status: "success" });
    expect(sent).to.have.length(3);
  });

  it("delays a success without anything before it, as of a request on one chain", async () => {
    const { send } = delayed();
    send({ status: "waiting" });
    send({ status: "success" });
    expect(sent).to.deep.equal(["waiting"]);
    await sleep(2 * delayMs);
    expect(sent).to.deep.equal(["waiting", "success"]);
  });

  it("keeps what comes after a delayed success behind it", async () => {
    const { send } = delayed();
    for (const status of ["success", "submitted", "success"]) send({ status });
    expect(sent).to.deep.equal([]);
    await sleep(2 * delayMs);
    expect(sent).to.deep.equal(["success", "submitted", "success"]);
  });

  it("sends nothing more once it is closed", async () => {
    const { close, send } = delayed();
    send({ status: "success" });
    close();
    await sleep(2 * delayMs);
    send({ status: "submitted" });
    expect(sent).to.deep.equal([]);
  });
});
