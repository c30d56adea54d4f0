import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import type { Hex } from "viem";
import { WebSocketServer, WebSocket as WsSocket } from "ws";
import { createClient } from "../../../src/client/createClient.ts";
import type { Sleep } from "../../../src/internal/sleep.ts";
import type { WebSocketConstructor } from "../../../src/track/connectStream.ts";
import { type WatchRequestParameters, watchRequest } from "../../../src/track/watchRequest.ts";
import { websocketStream } from "../../../src/track/websocketStream.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { quickSleep } from "../../helpers/quickSleep.ts";
import { pay, quoteOf, requestIdOf } from "../../helpers/requests/requestRun.ts";

/** Only a stream is in time: the poll interval is a minute. */
const rarely = { pollingInterval: 60_000, silence: 60_000 };

describe("watching requests over real sockets", () => {
  const fixture = useEmulator();
  afterEach(async () => {
    fixture.emulator.control.faults.clear();
    // Closed by the client, all of them: the server sees it a moment later.
    const end = performance.now() + 2_000;
    let closed = 1;
    while (closed > 0 && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      ({ closed } = await fixture.emulator.websocket.restart());
    }
    expect(closed).to.equal(0);
  });

  type Options = Partial<WatchRequestParameters> & {
    onStatus?: (status: string) => void;
    sleep?: Sleep;
    url?: string;
    WebSocket?: WebSocketConstructor | undefined;
  };

  /** Every status of a request to its end, and the number of polls. */
  async function statusesOf(
    requestId: Hex,
    { onStatus, sleep, url, WebSocket, ...parameters }: Options = {},
  ) {
    let polls = 0;
    const client = createClient({
      baseUrl: fixture.emulator.info.apiUrl,
      fetch: (address, init) => {
        polls += 1;
        return fetch(address, init);
      },
      sleep,
    });
    const stream = websocketStream({ url: url ?? fixture.emulator.info.wsUrl, WebSocket });
    const statuses: string[] = [];
    for await (const { status } of watchRequest(client, {
      requestId,
      stream,
      timeout: 20_000,
      ...parameters,
    })) {
      statuses.push(status);
      onStatus?.(status);
    }
    return { polls, statuses };
  }

  const sockets: [name: string, WebSocket: WebSocketConstructor | undefined][] = [
    ["the platform", undefined],
    ["the package ws", WsSocket],
  ];
  for (const [name, WebSocket] of sockets) {
    it(`reports every status as it happens, with the websocket of ${name}`, async () => {
      const quote = await quoteOf(fixture);
      const started = performance.now();
      const { polls, statuses } = await statusesOf(requestIdOf(quote), {
        // The first status is polled; the stream must be connected before the payment.
        onStatus: (status) => {
          if (status === "waiting") setTimeout(() => void pay(fixture, quote), 500);
        },
        ...rarely,
        WebSocket,
      });
      expect(statuses).to.deep.equal(["waiting", "pending", "submitted", "success"]);
      // The second confirms the end.
      expect(polls).to.equal(2);
      expect(performance.now() - started).to.be.lessThan(15_000);
    });

    it(`a restart in the middle stays invisible, with the websocket of ${name}`, async () => {
      const quote = await quoteOf(fixture);
      let restarted: Promise<{ closed: number }> | undefined;
      const { statuses } = await statusesOf(requestIdOf(quote), {
        onStatus: (status) => {
          if (status !== "waiting") return;
          setTimeout(() => {
            restarted = fixture.emulator.websocket.restart();
            void restarted.then(() => pay(fixture, quote));
          }, 500);
        },
        WebSocket,
      });
      expect(await restarted).to.deep.equal({ closed: 1 });
      expect(statuses[0]).to.equal("waiting");
      expect(statuses.at(-1)).to.equal("success");
      expect(statuses).to.deep.equal([...new Set(statuses)]);
    });
  }

  it("finds an end that the stream lost", async () => {
    const { faults } = fixture.emulator.control;
    await faults.add({ channel: "websocket", count: 100, kind: "delivery-dropped" });
    const quote = await quoteOf(fixture);
    await pay(fixture, quote);
    const { statuses } = await statusesOf(requestIdOf(quote), { silence: 500 });
    expect(statuses.at(-1)).to.equal("success");
  });

  it("shows a failure that a refund follows, and does not end with it", async () => {
    const { faults } = fixture.emulator.control;
    await faults.add({ failReason: "SLIPPAGE", kind: "fill-fails" });
    await faults.add({ delayMs: 700, kind: "transient-failure" });
    const quote = await quoteOf(fixture);
    const { statuses } = await statusesOf(requestIdOf(quote), {
      onStatus: (status) => {
        if (status === "waiting") setTimeout(() => void pay(fixture, quote), 300);
      },
      sleep: quickSleep,
    });
    expect(statuses).to.include("failure");
    expect(statuses.at(-1)).to.equal("refund");
  });

  it("polls where the stream is unreachable, and where it rejects the key", async () => {
    const { apiUrl, wsUrl } = fixture.emulator.info;
    for (const url of [
      "ws://127.0.0.1:1/",
      `${apiUrl.replace("http", "ws")}/chains`,
      `${wsUrl}?apiKey=nonsense`,
    ]) {
      for (const [, WebSocket] of sockets) {
        const quote = await quoteOf(fixture);
        await pay(fixture, quote);
        const { statuses } = await statusesOf(requestIdOf(quote), { sleep: quickSleep, url, WebSocket });
        expect(statuses.at(-1), url).to.equal("success");
      }
    }
  });

  it("does not wait for the close frame of a stopped server, with the websocket of the package ws", async () => {
    const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
    await once(server, "listening");
    server.on("connection", (socket) => {
      socket.once("message", () => {
        socket.pause();
        socket.send(JSON.stringify({ status: "success", type: "subscribe" }));
        socket.send(
          JSON.stringify({ data: { status: "success", updatedAt: 1 }, event: "request.status.updated" }),
        );
      });
      socket.send(JSON.stringify({ status: "ready", type: "connection" }));
    });
    const opened: WsSocket[] = [];
    class Kept extends WsSocket {
      constructor(address: string) {
        super(address);
        opened.push(this);
      }
    }
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const quote = await quoteOf(fixture);
    const { statuses } = await statusesOf(requestIdOf(quote), {
      onStatus: (status) => {
        if (status === "waiting") void pay(fixture, quote);
      },
      url,
      WebSocket: Kept,
    });
    expect(statuses.at(-1)).to.equal("success");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(opened.map(({ readyState }) => readyState)).to.deep.equal([WsSocket.CLOSED]);
    for (const socket of server.clients) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
  });
});
