import { expect } from "chai";
import type { RequestProgress } from "../../../src/track/reduceStatus.ts";
import { type WatchRequestParameters, watchRequest } from "../../../src/track/watchRequest.ts";
import { websocketStream } from "../../../src/track/websocketStream.ts";
import { json, rejectionOf, silence } from "../client/support/fakeService.ts";
import { requestId, statusAnswer } from "../client/support/samples.ts";
import {
  acknowledgement,
  type FakeSocket,
  type FakeStream,
  fakeStream,
  playFriendly,
  update,
} from "./support/fakeStream.ts";
import { VirtualClock } from "./support/VirtualClock.ts";

const url = "wss://stream.test/ws";
const otherId = `0x${"b7".repeat(32)}`;

function watch(fake: FakeStream, parameters: Partial<WatchRequestParameters> = {}) {
  const stream = websocketStream({ url, WebSocket: fake.WebSocket });
  return watchRequest(fake.client, { requestId, stream, ...parameters });
}

/** Watches to the end, after which no socket and no timer may be left. */
async function collect(fake: FakeStream, parameters: Partial<WatchRequestParameters> = {}) {
  const changes: RequestProgress[] = [];
  const work = (async () => {
    for await (const change of watch(fake, parameters)) changes.push(change);
  })();
  try {
    await fake.clock.run(work);
  } finally {
    await expectNothingLeft(fake);
  }
  return changes;
}

const statusesOf = (changes: readonly RequestProgress[]) => changes.map(({ status }) => status);

/** Plays a friendly socket that also delivers frames, each some milliseconds after the connection began. */
function friendlyWith(frames: readonly [afterMs: number, frame: unknown][]) {
  return (socket: FakeSocket, place: number, clock: VirtualClock) => {
    playFriendly(socket, place, clock);
    for (const [afterMs, frame] of frames) clock.after(afterMs, () => socket.say(frame));
  };
}

async function expectNothingLeft({ clock, sockets }: FakeStream): Promise<void> {
  await VirtualClock.settle();
  expect(sockets.filter(({ isClosed }) => !isClosed)).to.deep.equal([]);
  const listening = sockets.filter(({ onclose, onmessage }) => onclose !== null || onmessage !== null);
  expect(listening).to.deep.equal([]);
  expect(clock.sleeping).to.equal(0);
}

describe("watchRequest", () => {
  it("polls at the beginning and once the stream is there, and leaves the rest to the stream", async () => {
    const fake = fakeStream(
      friendlyWith([
        [2_000, update("pending", { inTxHashes: ["0x01"] })],
        [3_000, update("submitted")],
        [4_000, update("success")],
      ]),
    );
    fake.become(3_900, "success", { inTxHashes: ["0x01"], txHashes: ["0x02"] });
    const changes = await collect(fake);
    expect(statusesOf(changes)).to.deep.equal(["waiting", "pending", "submitted", "success"]);
    expect(changes.at(-1)).to.deep.include({ inTxHashes: ["0x01"], txHashes: ["0x02"] });
    expect(fake.polls).to.deep.equal([0, 1_000, 4_000]);
  });

  it("accepts events in both envelopes, and its own id in any letter case", async () => {
    const fake = fakeStream(
      friendlyWith([
        [2_000, { data: update("pending") }],
        [3_000, update("success", { requestId: requestId.toUpperCase().replace("0X", "0x") })],
      ]),
    );
    fake.become(3_000, "success");
    expect(statusesOf(await collect(fake))).to.deep.equal(["waiting", "pending", "success"]);
    expect(fake.polls).to.deep.equal([0, 1_000, 3_000]);
  });

  it("learns by a poll what happened before the stream was there", async () => {
    const fake = fakeStream();
    fake.become(500, "success");
    expect(statusesOf(await collect(fake))).to.deep.equal(["waiting", "success"]);
    expect(fake.polls).to.deep.equal([0, 1_000]);
  });

  it("polls an open stream that is silent, and finds what it did not report", async () => {
    const fake = fakeStream();
    fake.become(12_000, "success");
    expect(statusesOf(await collect(fake, { silence: 5_000 }))).to.deep.equal(["waiting", "success"]);
    expect(fake.polls).to.deep.equal([0, 1_000, 6_000, 11_000, 16_000]);
    expect(fake.sockets).to.have.length(1);
  });

  it("shows nothing of a restart: it connects again and learns by a poll what it missed", async () => {
    const fake = fakeStream((socket, place, clock) => {
      playFriendly(socket, place, clock);
      if (place === 0) clock.after(20_000, () => socket.end());
      else clock.after(3_000, () => socket.say(update("success")));
    });
    fake.become(20_050, "pending");
    fake.become(23_250, "success");
    const changes = await collect(fake, { silence: 60_000 });
    expect(statusesOf(changes)).to.deep.equal(["waiting", "pending", "success"]);
    // The third when the stream broke, the fourth when the next was there, the last when it reported the end.
    expect(fake.polls).to.deep.equal([0, 1_000, 20_000, 21_000, 23_250]);
    expect(fake.sockets).to.have.length(2);
  });

  it("polls each second while a server accepts connections and never says that it is ready", async () => {
    const fake = fakeStream(() => undefined);
    fake.become(30_500, "success");
    expect(statusesOf(await collect(fake))).to.deep.equal(["waiting", "success"]);
    expect(fake.polls).to.deep.equal(Array.from({ length: 32 }, (_, index) => index * 1_000));
    // Each is given up after five seconds; the pauses between them grow.
    expect(fake.sockets.length).to.be.within(3, 6);
  });

  it("makes few connections when a server closes each, and polls no more than once a second", async () => {
    const fake = fakeStream((socket, place, clock) => {
      playFriendly(socket, place, clock);
      clock.after(25, () => socket.end());
    });
    fake.become(120_000, "success");
    await collect(fake);
    expect(fake.sockets.length).to.be.lessThan(20);
    for (const [index, time] of fake.polls.slice(1).entries()) {
      expect(time - (fake.polls[index] ?? 0)).to.be.at.least(1_000);
    }
  });

  it("polls when there is no websocket, or none may be made", async () => {
    const broken = class {
      constructor() {
        throw new DOMException("The operation is insecure.", "SecurityError");
      }
    };
    const globals = globalThis as { WebSocket?: unknown };
    const original = globals.WebSocket;
    for (const Socket of [broken, undefined]) {
      const fake = fakeStream();
      fake.become(2_500, "success");
      try {
        globals.WebSocket = Socket;
        const changes = await collect(fake, { stream: websocketStream({ url }) });
        expect(statusesOf(changes)).to.deep.equal(["waiting", "success"]);
      } finally {
        globals.WebSocket = original;
      }
      expect(fake.polls).to.deep.equal([0, 1_000, 2_000, 3_000]);
    }
  });

  it("P10: a success of the stream while polls say pending is not reported, and polls go on", async () => {
    const fake = fakeStream(friendlyWith([[2_000, update("success", { txHashes: ["0xbad0"] })]]));
    fake.become(1_500, "pending");
    fake.become(5_500, "success", { txHashes: ["0x02"] });
    const changes = await collect(fake);
    expect(statusesOf(changes)).to.deep.equal(["waiting", "pending", "success"]);
    expect(changes.at(-1)).to.deep.include({ txHashes: ["0x02"] });
    expect(fake.polls).to.deep.equal([0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000]);
  });

  it("P10: a success that only the stream reports ends in the time limit, with the status of the polls", async () => {
    const fake = fakeStream(friendlyWith([[1_500, update("success")]]));
    fake.become(1_200, "pending");
    const error = await rejectionOf(collect(fake, { timeout: 30_000 }));
    expect(error).to.include({ code: "TIMEOUT", lastStatus: "pending" });
    const hanging = fakeStream(friendlyWith([[50, update("success")]]));
    hanging.answer = silence;
    expect(await rejectionOf(collect(hanging, { timeout: 500 }))).to.include({ code: "TIMEOUT" });
  });

  it("P10: the poll that confirms a stream's end comes within a second, whatever the interval", async () => {
    const fake = fakeStream(friendlyWith([[2_000, update("success")]]));
    fake.become(1_500, "success");
    expect(statusesOf(await collect(fake, { pollingInterval: 60_000, silence: 60_000 }))).to.have.length(2);
    expect(fake.polls).to.deep.equal([0, 2_000]);
    const chatty = fakeStream(
      friendlyWith(Array.from({ length: 50 }, (_, i) => [100 * i, update("success")] as [number, unknown])),
    );
    chatty.become(4_500, "success");
    await collect(chatty, { pollingInterval: 60_000 });
    expect(chatty.polls).to.deep.equal([0, 1_000, 2_000, 3_000, 4_000, 4_900 + 100]);
  });

  it("P10: the end has the poll's transactions, and none that only the stream named", async () => {
    const lies = { inTxHashes: ["0xbad1"], txHashes: ["0xbad2"], updatedAt: 9_000_000_000_000 };
    const fake = fakeStream(friendlyWith([[2_000, update("submitted", lies)]]));
    fake.become(5_000, "success");
    const changes = await collect(fake, { silence: 4_000 });
    expect(statusesOf(changes)).to.deep.equal(["waiting", "submitted", "success"]);
    expect(changes.at(-1)).to.deep.include({ inTxHashes: [], txHashes: [] });
  });

  it("takes a refund from a poll only, which has the reason", async () => {
    const fake = fakeStream(friendlyWith([[5_000, update("refund")]]));
    // More than one poll after the stream's event.
    fake.become(6_500, "refund", { failReason: "SLIPPAGE", txHashes: ["0x02"] });
    const changes = await collect(fake);
    expect(statusesOf(changes)).to.deep.equal(["waiting", "refund"]);
    expect(changes.at(-1)).to.deep.include({ failReason: "SLIPPAGE", txHashes: ["0x02"] });
    expect(fake.polls).to.deep.equal([0, 1_000, 5_000, 6_000, 7_000]);
  });

  it("never ends with a failure because a stream says so", async () => {
    const fake = fakeStream(friendlyWith([[2_000, update("failure")]]));
    fake.become(9_000, "success");
    expect(statusesOf(await collect(fake))).to.deep.equal(["waiting", "success"]);
  });

  it("reports a failure at once, and ends with it only when a poll still finds it after the grace time", async () => {
    const fake = fakeStream();
    fake.become(500, "failure", { failReason: "SLIPPAGE", updatedAt: 1_700_000_000_001 });
    fake.become(2_500, "pending", { updatedAt: 1_700_000_000_002 });
    fake.become(4_500, "failure", { failReason: "SLIPPAGE", updatedAt: 1_700_000_000_003 });
    const changes = await collect(fake, { silence: 3_000 });
    expect(statusesOf(changes)).to.deep.equal(["waiting", "failure", "pending", "failure"]);
    expect(changes.at(-1)).to.include({ failReason: "SLIPPAGE" });
    // Each second while a failure stands, and as rarely as before when none does.
    expect(fake.polls).to.deep.equal([0, 1_000, 2_000, 3_000, 6_000, 7_000, 8_000]);
  });

  it("waits as Retry-After asks, up to a minute, and polls again for what it missed meanwhile", async () => {
    const fake = fakeStream();
    fake.answer = () => json({}, 429, { "retry-after": "86400" });
    fake.become(1_000, "success");
    expect(statusesOf(await collect(fake))).to.deep.equal(["success"]);
    // A second, a minute, and half of a second's jitter.
    expect(fake.polls).to.deep.equal([0, 61_500]);
  });

  it("gives up after its time with the last status, though the stream goes on", async () => {
    const fake = fakeStream(friendlyWith([[1_000, update("pending")]]));
    fake.become(500, "pending");
    const error = await rejectionOf(collect(fake, { timeout: 30_000 }));
    expect(error).to.include({ code: "TIMEOUT", lastStatus: "pending", requestId, timeoutMs: 30_000 });
    expect(fake.clock.elapsed).to.equal(30_000);
  });

  for (const [when, answer] of Object.entries({
    "between polls": () => json(statusAnswer("waiting")),
    "during a poll": silence,
  })) {
    it(`stops when the caller aborts ${when}`, async () => {
      const fake = fakeStream();
      fake.answer = answer;
      const abort = new AbortController();
      fake.clock.after(3_500, () => abort.abort());
      const error = await rejectionOf(collect(fake, { signal: abort.signal }));
      expect(error).to.have.property("code", "ABORTED");
      expect(fake.clock.elapsed).to.equal(3_500);
    });
  }

  it("closes its connection when the caller leaves the loop", async () => {
    const fake = fakeStream();
    const work = (async () => {
      for await (const { status } of watch(fake)) if (status === "waiting") break;
    })();
    await fake.clock.run(work);
    await expectNothingLeft(fake);
  });

  it("keeps what a slow reader needs, and no more", async () => {
    const flaps = Array.from({ length: 500 }, (_, index): [number, unknown] => [
      2_000,
      update(index % 2 === 0 ? "pending" : "submitted", { txHashes: [`0x${index}`], updatedAt: index }),
    ]);
    const last: [number, unknown] = [2_001, update("success", { txHashes: ["0xff"] })];
    const fake = fakeStream(friendlyWith([...flaps, last]));
    fake.become(2_001, "success", { txHashes: ["0xff"] });
    const changes: RequestProgress[] = [];
    const work = (async () => {
      for await (const change of watch(fake)) {
        changes.push(change);
        await fake.clock.sleep(3_000);
      }
    })();
    await fake.clock.run(work);
    expect(statusesOf(changes)).to.deep.equal(["waiting", "pending", "submitted", "success"]);
    expect(changes.at(-1)?.txHashes).to.deep.equal(["0xff"]);
  });

  for (const [parameter, value] of Object.entries({
    failureGrace: -1,
    pollingInterval: 0,
    requestId: "0x1",
    silence: 0,
    timeout: Number.NaN,
  })) {
    it(`refuses the ${parameter} ${value} before it sends anything`, async () => {
      const fake = fakeStream();
      const error = await rejectionOf(collect(fake, { [parameter]: value }));
      expect(error).to.include({ code: "INVALID_PARAMETER", parameter });
      expect([fake.polls, fake.sockets]).to.deep.equal([[], []]);
    });
  }

  it("ignores another request's events", async () => {
    const fake = fakeStream(
      friendlyWith([
        [1_500, update("success", { requestId: otherId })],
        [1_600, { data: update("success", { requestId: otherId }) }],
        [1_700, { ...acknowledgement, data: { filters: { id: otherId } }, status: "error" }],
        [4_000, update("pending", { requestId })],
        [5_000, update("success", { requestId })],
      ]),
    );
    fake.become(5_000, "success");
    expect(statusesOf(await collect(fake))).to.deep.equal(["waiting", "pending", "success"]);
    expect(fake.polls).to.deep.equal([0, 1_000, 5_000]);
    expect(fake.sockets).to.have.length(1);
  });

  it("ignores frames that are no text, too long or incomplete, and survives deep nesting", async () => {
    const text = JSON.stringify(update("success"));
    const nested = text.replace("{", `{"details":${"[".repeat(20_000)}${"]".repeat(20_000)},`);
    const fake = fakeStream(
      friendlyWith([
        [2_500, `${text}${" ".repeat(65_536)}`],
        [2_600, new ArrayBuffer(8)],
        [2_700, "[".repeat(60_000)],
        [5_000, nested],
      ]),
    );
    fake.become(2_400, "success");
    expect(statusesOf(await collect(fake))).to.deep.equal(["waiting", "success"]);
    expect(fake.polls).to.deep.equal([0, 1_000, 5_000]);
  });
});
