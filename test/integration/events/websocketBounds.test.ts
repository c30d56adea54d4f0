import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import type { Hex } from "viem";
import { WebSocket } from "ws";
import { listen } from "../../../emulator/http/serving/listen.ts";
import type { EmulatorInfo } from "../../../emulator/index.ts";
import { createStatusSocketServer } from "../../../emulator/websocket/statusSocketServer.ts";
import { startFixture, useEmulator } from "../../helpers/emulatorFixture.ts";
import {
  connectStream,
  connectsOf,
  type Frame,
  refusalOf,
  streamEvent,
} from "../../helpers/network/streamListener.ts";
import { flood, floods, probe } from "../../helpers/network/websocketFlood.ts";
import { readOut, type SpawnedEmulator, spawnEmulator } from "../../helpers/processes/spawnEmulator.ts";

const unknownId: Hex = `0x${"00".repeat(32)}`;

describe("the websocket stream and clients that misbehave", () => {
  const fixture = useEmulator();

  const connect = connectsOf(() => fixture.emulator.info.wsUrl);

  describe("refusals", () => {
    it("an unknown API key is rejected, in the query and in the header, and a valid one accepted in both", async () => {
      const { apiKeys, wsUrl } = fixture.emulator.info;
      for (const [url, headers] of [
        [`${wsUrl}?apiKey=nonsense`, {}],
        [`${wsUrl}?apiKey=`, {}],
        [wsUrl, { "x-api-key": "nonsense" }],
        [`${wsUrl}?apiKey=${apiKeys[0]?.key}`, { "x-api-key": "nonsense" }],
      ] as const) {
        const { body, status } = await refusalOf(url, { headers });
        expect([status, (body as Frame).errorCode], url).to.deep.equal([401, "UNAUTHORIZED"]);
      }
      await connect(`${wsUrl}?apiKey=${apiKeys[0]?.key}`);
      await connect(wsUrl, { headers: { "x-api-key": apiKeys[0]?.key ?? "" } });
    });

    it("a malformed message is rejected, and the socket stays open", async () => {
      const listener = await connect();
      const filters = { id: unknownId };
      const malformed: [name: string, message: unknown, reason: RegExp][] = [
        ["nothing", "", /not JSON/],
        ["half a message", '{"type":', /not JSON/],
        ["null", null, /message/],
        ["a list", [], /message/],
        ["a number", 1, /message/],
        ["an empty object", {}, /`/],
        ["an unknown type", { event: streamEvent, filters, type: "publish" }, /`type`/],
        ["an unknown event", { event: "request.created", filters, type: "subscribe" }, /`event`/],
        ["no filters", { event: streamEvent, type: "subscribe" }, /`filters`/],
        ["no id", { event: streamEvent, filters: {}, type: "subscribe" }, /`filters\.id`/],
        [
          "an id that is not one",
          { event: streamEvent, filters: { id: "0x01" }, type: "subscribe" },
          /`filters\.id`/,
        ],
        [
          "an id of another type",
          { event: streamEvent, filters: { id: 1 }, type: "unsubscribe" },
          /`filters\.id`/,
        ],
        [
          "a filter that it does not know",
          { event: streamEvent, filters: { ...filters, user: "0x" }, type: "subscribe" },
          /user/,
        ],
        ["deep nesting", `${"[".repeat(20_000)}${"]".repeat(20_000)}`, /message|JSON/],
      ];
      for (const [name, message, reason] of malformed) {
        listener.frames.length = 0;
        listener.send(message);
        const answer = await listener.until(({ type }) => type === "error");
        expect(answer, name).to.have.keys("type", "errorCode", "message");
        expect(answer.errorCode).to.equal("INVALID_REQUEST");
        expect(answer.message, name).to.match(reason);
        expect(answer.message).to.not.match(/\n|\bat .*\.(ts|js):\d+/);
      }
      listener.socket.send(Buffer.from(JSON.stringify({ event: streamEvent, filters, type: "subscribe" })), {
        binary: true,
      });
      await listener.until(({ message }) => message === "The message is not JSON");
      listener.subscribe(unknownId);
      await listener.until(({ status, type }) => type === "subscribe" && status === "success");
    });

    it("a message that is too long and a broken frame close their socket, and no other", async () => {
      const other = await connect();
      const long = await connect();
      long.send("x".repeat(64 * 1024 + 1));
      expect(await long.closed).to.equal(1009);
      const { port } = new URL(fixture.emulator.info.apiUrl);
      const raw = createConnection(Number(port), "127.0.0.1");
      raw.write(
        "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
          "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
      );
      await once(raw, "data");
      // Reserved bits set, and not masked.
      raw.write(Buffer.from([0xff, 0x7f, 0xff, 0xff]));
      raw.resume();
      await once(raw, "close");
      other.subscribe(unknownId);
      await other.until(({ type }) => type === "subscribe");
    });
  });
});

/**
 * The most that the longest and the median answer may take, in milliseconds. Where messages take no turns, the median is 60 ms
 * and more. Other load of the machine moves the longest as far, so that a strict bound of it would tell nothing.
 */
const longest = 2_000;
const median = 25;

describe("HTTP during a flood of websocket frames", function () {
  this.timeout(60_000);
  let folder: string;
  let emulator: SpawnedEmulator;
  let info: EmulatorInfo;
  // The flood runs in a process of its own: in this one it would delay the probe.
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "waybill-flood-"));
    const out = join(folder, "emulator.json");
    const flags = ["--port", "0", "--chain-ports", "0,0", "--cors", "http://localhost:3000", "--quiet"];
    emulator = spawnEmulator([...flags, "--out", out]);
    info = await readOut(out, emulator, 40_000);
  });
  after(async () => {
    emulator.child.kill("SIGKILL");
    await emulator.exited;
    await rm(folder, { force: true, recursive: true });
  });

  for (const [name, sockets, bytes] of [
    ["20,000 refused messages of one socket", 1, floods.refused(20_000)],
    ["20,000 refused messages of each of 30 sockets", 30, floods.refused(20_000)],
    ["300 subscriptions of each of 400 sockets", 400, floods.subscribes(300)],
    ["100,000 pings of one socket", 1, floods.pings(100_000)],
  ] as const) {
    it(`HTTP answers at once during ${name}`, async () => {
      const { stop } = await flood(info.apiUrl, sockets, bytes);
      const times = await probe(`${info.apiUrl}/chains`, 1_500);
      stop();
      expect(times.at(-1)).to.be.below(longest);
      expect(times[times.length >> 1]).to.be.below(median);
    });
  }

  it("the twentieth rejected message in a row closes the socket with 1008, and a valid one restarts the count", async () => {
    const listener = await connectStream(info.wsUrl);
    const subscribe = () => listener.subscribe(`0x${"00".repeat(32)}`);
    for (const count of [19, 19, 20]) {
      for (let sent = 0; sent < count; sent++) listener.send("x");
      subscribe();
    }
    expect(await listener.closed).to.equal(1008);
    expect(listener.frames.filter(({ type }) => type === "error")).to.have.length(58);
    expect(listener.frames.filter(({ type }) => type === "subscribe")).to.have.length(2);
  });

  it("rejects sockets of pages from forbidden origins, and accepts those of other pages and of programs", async () => {
    const refused = await refusalOf(info.wsUrl, { origin: "http://evil.example" });
    expect(refused.status).to.equal(403);
    expect(refused.body).to.include({ errorCode: "ORIGIN_NOT_ALLOWED" });
    for (const origin of ["http://localhost:3000", info.apiUrl]) {
      (await connectStream(info.wsUrl, { origin })).socket.terminate();
    }
    (await connectStream(info.wsUrl)).socket.terminate();
  });
});

describe("a restart of the websocket stream", () => {
  const unknownId = `0x${"00".repeat(32)}` as const;

  it("closes every socket with 1012, and accepts reconnections", async () => {
    const { emulator, stop } = await startFixture();
    const { adminKey, apiUrl, wsUrl } = emulator.info;
    const listeners = [await connectStream(wsUrl), await connectStream(wsUrl)];
    const answer = await fetch(`${apiUrl}/admin/websocket/restart`, {
      headers: { "x-admin-key": adminKey },
      method: "POST",
    });
    expect([answer.status, await answer.json()]).to.deep.equal([200, { closed: 2 }]);
    expect(await Promise.all(listeners.map(({ closed }) => closed))).to.deep.equal([1012, 1012]);
    const again = await connectStream(wsUrl);
    again.subscribe(unknownId);
    await again.until(({ type }) => type === "subscribe");
    expect(await emulator.websocket.restart()).to.deep.equal({ closed: 1 });
    expect(await again.closed).to.equal(1012);
    expect(await emulator.websocket.restart()).to.deep.equal({ closed: 0 });
    await stop();
  }).timeout(30_000);

  it("restarts in waves: new clients stay connected, and silent clients are disconnected", async () => {
    const upgrades = createStatusSocketServer(
      { apiKeys: { find: () => undefined }, log: () => {}, random32: () => unknownId },
      { open: () => ({ close: () => {}, ready: Promise.resolve() }) },
      { limits: { closeGraceMs: 50, restartPauseMs: 100, restartWave: 1 } },
    );
    const fetch = () => new Response("");
    const { close, url } = await listen(fetch, { hostname: "127.0.0.1", log: () => {}, port: 0, upgrades });
    const wsUrl = `${url.replace("http", "ws")}/ws`;
    const [first, second] = [await connectStream(wsUrl), await connectStream(wsUrl)];
    // The client does not read, so it never answers the close frame.
    second.socket.pause();
    const restart = upgrades.restart();
    expect(await first.closed).to.equal(1012);
    expect(second.socket.readyState).to.equal(WebSocket.OPEN);
    const back = await connectStream(wsUrl);
    expect(await restart).to.deep.equal({ closed: 2 });
    second.socket.resume();
    await second.closed;
    expect(back.socket.readyState).to.equal(WebSocket.OPEN);
    await close();
  });
});
