import { expect } from "chai";
import { startFixture, useEmulator } from "../../helpers/emulatorFixture.ts";
import { connectStream } from "../../helpers/network/streamListener.ts";
import {
  admin,
  newcomer,
  pay,
  quoteOf,
  requestIdOf,
  runToEnd,
  waitForStatus,
} from "../../helpers/requests/requestRun.ts";

describe("faults on demand", () => {
  const native = "0x0000000000000000000000000000000000000000";
  const fixture = useEmulator({ seed: "faults" });
  beforeEach(() => fixture.emulator.control.reset());

  const faults = () => fixture.emulator.control.faults;
  const fired = async () =>
    (await fixture.emulator.control.log())
      .filter(({ kind }) => kind === "fault")
      .map(({ data, faultId, requestId }) => [faultId, data?.fault, requestId]);

  it("a fault of the next fill applies once, with any reason, and is logged", async () => {
    await faults().add({ failReason: "SWAP_USES_TOO_MUCH_GAS", kind: "fill-fails" });
    const quote = await quoteOf(fixture);
    const status = await runToEnd(fixture, quote);
    expect(status).to.include({ failReason: "SWAP_USES_TOO_MUCH_GAS", status: "refund" });
    expect(status.details).to.equal("Forced: SWAP_USES_TOO_MUCH_GAS");
    expect(await fired()).to.deep.equal([["fault-1", "fill-fails", requestIdOf(quote)]]);
    const logOf = async (id: string) => (await admin(fixture, "GET", `/log?requestId=${id}`)).body.entries;
    expect(await logOf(requestIdOf(quote))).to.have.length(1);
    expect(await logOf(`0x${"ab".repeat(32)}`)).to.deep.equal([]);
    expect(faults().list()).to.deep.equal([]);
    expect(await runToEnd(fixture, await quoteOf(fixture))).to.include({ status: "success" });
  });

  it("a fault applies only to requests that match all its conditions", async () => {
    const first = await quoteOf(fixture);
    const second = await quoteOf(fixture, { referrer: "shop" });
    const [{ id: alpha }, { id: beta }] = [fixture.alpha.info, fixture.beta.info];
    const other = fixture.alpha.wallet(1).account.address;
    await faults().add({ failReason: "SLIPPAGE", kind: "fill-fails", user: other });
    await faults().add({ failReason: "NO_QUOTES", kind: "fill-fails", originChainId: beta });
    await faults().add({
      destinationChainId: beta,
      failReason: "SOLVER_CAPACITY_EXCEEDED",
      kind: "fill-fails",
      originChainId: alpha,
      referrer: "shop",
      requestId: requestIdOf(second).toUpperCase().replace("0X", "0x"),
    });
    expect((await runToEnd(fixture, first)).status).to.equal("success");
    expect(await runToEnd(fixture, second)).to.include({ failReason: "SOLVER_CAPACITY_EXCEEDED" });
    expect(faults().list()).to.have.length(2);
  });

  it("a fault drops and repeats events of a subscriber, and never changes a request", async () => {
    await faults().add({ channel: "websocket", kind: "delivery-dropped", status: "pending" });
    await faults().add({ channel: "websocket", kind: "delivery-duplicated", status: "success" });
    const quote = await quoteOf(fixture);
    const requestId = requestIdOf(quote);
    const listener = await connectStream(fixture.emulator.info.wsUrl);
    listener.subscribe(requestId);
    await listener.untilStatus(requestId, "waiting");
    expect((await runToEnd(fixture, quote)).status).to.equal("success");
    await listener.untilStatus(requestId, "success");
    await new Promise((resolve) => setTimeout(resolve, 50));
    listener.socket.terminate();
    expect(listener.statusesOf(requestId)).to.deep.equal(["waiting", "submitted", "success", "success"]);
  });

  it("requests with the referrer debug-force-refund are refunded, as on the service's testnets", async () => {
    const status = await runToEnd(fixture, await quoteOf(fixture, { referrer: "debug-force-refund" }));
    expect(status).to.include({ failReason: "MANUAL_ADMIN_REFUND", status: "refund" });
    expect(await fixture.beta.balanceOf(native, newcomer)).to.equal(0n);
  });

  describe("faults of endpoints", () => {
    const call = (path: string, method = "GET") =>
      fetch(`${fixture.emulator.info.apiUrl}${path}`, { method });

    it("a burst of requests gets 429 with a message only, then normal answers", async () => {
      await faults().add({ count: 3, kind: "route-limited", path: "/chains" });
      const statuses = [];
      for (let index = 0; index < 5; index++) {
        const answer = await call("/chains");
        statuses.push(answer.status);
        if (answer.status === 429) expect(await answer.json()).to.have.all.keys("message");
      }
      expect(statuses).to.deep.equal([429, 429, 429, 200, 200]);
    });

    it("a fault answers one method and path prefix with its own status, never administration", async () => {
      await faults().add({
        count: "always",
        kind: "route-broken",
        method: "get",
        path: "/*",
        status: 503,
      });
      const broken = await call("/intents/status/v3?requestId=0x00");
      expect(broken.status).to.equal(503);
      expect(await broken.json()).to.include({ errorCode: "SERVICE_UNAVAILABLE" });
      expect((await call("/quote/v2", "POST")).status).to.equal(400);
      expect((await admin(fixture, "GET", "/faults")).status).to.equal(200);
    });
  });

  it("the same seed and calls give the same log, random faults included", async function () {
    this.timeout(60_000);
    const run = async () => {
      const other = await startFixture({ seed: "again" });
      try {
        const { control } = other.emulator;
        await control.faults.add({
          count: "always",
          failReason: "SLIPPAGE",
          kind: "fill-fails",
          probability: 0.5,
        });
        await control.faults.add({ count: 3, kind: "refund-rejected", probability: 0.5 });
        const told = [];
        for (let index = 0; index < 8; index++) {
          const quote = await quoteOf(other);
          await pay(other, quote);
          await waitForStatus(other, requestIdOf(quote), ["success", "refund", "failure"]);
          const { body } = await admin(other, "GET", `/requests/${requestIdOf(quote)}/events`);
          const events = body.events as Record<string, unknown>[];
          told.push(events.map(({ failReason, status, trigger }) => [trigger, status, failReason]));
        }
        const log = (await control.log()).map(({ at: _, ...entry }) => entry);
        return { ids: other.emulator.info.apiKeys, log, told };
      } finally {
        await other.stop();
      }
    };
    const first = await run();
    const second = await run();
    expect(second).to.deep.equal(first);
    const ends = first.told.map((events) => events.at(-1)?.[1]);
    expect(new Set(ends)).to.deep.equal(new Set(["success", "refund", "failure"]));
  });
});
