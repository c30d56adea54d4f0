import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { WebSocketServer } from "ws";
import type { LogEntry } from "../../../../emulator/log/LogEntry.ts";
import { serveStatusSocket, takeTurns } from "../../../../emulator/websocket/statusSocket.ts";
import { connectStream } from "../../../helpers/network/streamListener.ts";
import { requestId } from "../support/requests.ts";

const limits = {
  closeGraceMs: 500,
  refusals: 20,
  subscriptionsPerSocket: 10,
  waitingMessages: 100,
};

describe("serveStatusSocket", () => {
  let server: WebSocketServer;
  let closed: number;
  const log: LogEntry[] = [];
  before(async () => {
    const subscriptions = {
      open: () => ({
        close: () => closed++,
        ready: Promise.reject(new Error("the database is unreachable")),
      }),
    };
    const turns = takeTurns();
    server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
    server.on("connection", (socket) =>
      serveStatusSocket(socket, { id: "1", limits, log: (entry) => log.push(entry), subscriptions, turns }),
    );
    await once(server, "listening");
  });
  beforeEach(() => {
    closed = 0;
    log.length = 0;
  });
  after(() => server.close());

  it("a subscription whose status cannot be read: closes the socket with 1011, so that the client polls", async () => {
    const client = await connectStream(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    client.subscribe(requestId);
    expect(await client.closed).to.equal(1011);
    expect(closed).to.equal(1);
    expect(log.map(({ level, message }) => [level, message])).to.deep.equal([
      ["error", "a websocket message could not be processed"],
    ]);
  });
});
