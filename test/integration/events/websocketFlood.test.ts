import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import type { EmulatorInfo } from "../../../emulator/index.ts";
import { connectStream, refusalOf } from "../../helpers/network/streamListener.ts";
import { flood, floods, probe } from "../../helpers/network/websocketFlood.ts";
import { readOut, type SpawnedEmulator, spawnEmulator } from "../../helpers/processes/spawnEmulator.ts";

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
