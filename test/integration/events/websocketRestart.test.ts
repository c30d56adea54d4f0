import { expect } from "chai";
import { WebSocket } from "ws";
import { listen } from "../../../emulator/http/serving/listen.ts";
import { createStatusSocketServer } from "../../../emulator/websocket/statusSocketServer.ts";
import { startFixture } from "../../helpers/emulatorFixture.ts";
import { connectStream } from "../../helpers/network/streamListener.ts";

const unknownId = `0x${"00".repeat(32)}` as const;

describe("a restart of the websocket stream", () => {
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
    const { close, url } = await listen(fetch, { hostname: "127.0.0.1", port: 0, upgrades });
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
