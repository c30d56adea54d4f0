import { once } from "node:events";
import { expect } from "chai";
import { type ClientLimits, type Listening, listen } from "../../../emulator/http/serving/listen.ts";
import { connectRaw, type RawClient } from "../../helpers/network/rawClient.ts";
import { until } from "../../helpers/requests/requestHistory.ts";

/** More bytes than the buffers between two local sockets hold. */
const answerBytes = 8 * 1024 * 1024;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("pipelined requests with unread answers", () => {
  let listening: Listening | undefined;
  let served: string[];
  const clients: RawClient[] = [];
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.destroy();
    await listening?.close();
  });

  async function start(body: string, limits: Partial<ClientLimits> = {}): Promise<string> {
    served = [];
    const fetch = (request: Request) => {
      served.push(new URL(request.url).pathname);
      return new Response(body);
    };
    const upgrades = { close: async () => {}, upgrade: () => {} };
    listening = await listen(fetch, { hostname: "127.0.0.1", limits, port: 0, upgrades });
    return listening.url;
  }
  async function connect(url: string, reads = false): Promise<RawClient> {
    const client = await connectRaw(url, { reads });
    clients.push(client);
    return client;
  }
  const requests = (count: number) =>
    Array.from({ length: count }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join("");

  it("a pipelined request waits until the answer before it is read, and all are answered in order", async () => {
    const client = await connect(await start("x".repeat(answerBytes)));
    client.socket.write(requests(5));
    await until(async () => served.length > 0 || undefined, "the first request");
    await pause(200);
    expect(served).to.deep.equal(["/0"]);
    client.socket.resume();
    await until(async () => served.length === 5 || undefined, "the others");
    expect(served).to.deep.equal(["/0", "/1", "/2", "/3", "/4"]);
  });

  it("a hundred short pipelined answers come at once when read, and two hundred end the connection", async () => {
    const url = await start("short");
    const client = await connect(url, true);
    client.socket.write(requests(100));
    await until(async () => client.received().split("short").length === 101 || undefined, "100 answers");
    const greedy = await connect(url, true);
    greedy.socket.write(requests(200));
    await greedy.ended;
    expect(greedy.received().split("short").length).to.be.below(200);
  });

  it("connections whose unread answers exceed the total limit are closed until the rest is below it", async () => {
    const url = await start("x".repeat(answerBytes), { lookMs: 50, unreadBytes: 2.5 * answerBytes });
    const ended: number[] = [];
    for (let index = 0; index < 6; index++) {
      const client = await connect(url);
      client.socket.once("close", () => ended.push(index));
      // The client notices a disconnection only when it reads.
      setTimeout(() => client.socket.resume(), 1_500);
      client.socket.write(requests(1));
      await pause(60);
    }
    const [last] = clients.slice(-1);
    if (last !== undefined) await Promise.race([once(last.socket, "close"), pause(2_500)]);
    expect(ended.length).to.be.within(2, 5);
    expect(ended).to.not.include(5);
  });
});
