import { expect } from "chai";
import { zeroAddress } from "viem";
import { listen } from "../../../emulator/http/serving/listen.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { connectRaw, drip, type RawClient } from "../../helpers/network/rawClient.ts";

/** Time limits; those of a real emulator are longer. */
const clientLimits = { answerMs: 700, headersMs: 500, idleMs: 300, lookMs: 50, requestMs: 900 };
/** Bytes of an answer that no system keeps for a client that does not read it. */
const large = 24 * 1024 * 1024;
/** Time limit of an answer to a reading client, in milliseconds. */
const answerMs = 2_000;
/** Tolerated delay of a disconnection on a busy machine, in milliseconds. */
const slack = 6_000;
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const post = (length: number) =>
  `POST /quote/v2 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

describe("the API and slow clients", () => {
  let url: string;
  const errors: string[] = [];
  const fixture = useEmulator({
    clientLimits,
    log: ({ cause, level, message }) => {
      if (level === "error") errors.push(`${message} ${String(cause)}`);
    },
  });
  before(() => {
    url = fixture.emulator.info.apiUrl;
  });

  const open: RawClient[] = [];
  afterEach(() => {
    for (const { socket } of open.splice(0)) socket.destroy();
    expect(errors.splice(0)).to.deep.equal([]);
  });
  async function connect(options?: Parameters<typeof connectRaw>[1]): Promise<RawClient> {
    const client = await connectRaw(url, options);
    open.push(client);
    return client;
  }
  async function cutWithin(client: RawClient, limitMs: number): Promise<void> {
    const lasted = await client.ended;
    expect(lasted).to.be.at.least(limitMs - clientLimits.lookMs);
    expect(lasted).to.be.lessThan(limitMs + slack);
  }

  it("a silent client, and one that drips headers, is disconnected with a 408", async () => {
    const silent = await connect();
    const dripping = await connect();
    drip(dripping, get(`/chains?${"x".repeat(1_000)}`), 20);
    await Promise.all([silent, dripping].map((client) => cutWithin(client, clientLimits.headersMs)));
    expect(dripping.received()).to.match(/^HTTP\/1\.1 408 /);
  });

  it("a client that drips a body to any route is disconnected without an error in the log", async () => {
    const toQuote = await connect();
    toQuote.socket.write(post(10_000));
    const toNothing = await connect();
    toNothing.socket.write(post(10_000).replace("/quote/v2", "/nothing"));
    const chunked = await connect();
    chunked.socket.write(
      post(0).replace("Content-Length: 0", "Transfer-Encoding: chunked").concat("fff\r\n"),
    );
    for (const client of [toQuote, toNothing, chunked]) drip(client, " ", 20);
    await Promise.all([toQuote, chunked].map((client) => cutWithin(client, clientLimits.requestMs)));
    expect(await toNothing.ended).to.be.lessThan(clientLimits.requestMs + slack);
    expect(toNothing.received()).to.match(/^HTTP\/1\.1 404 /);
  });

  it("a client that disconnects in the middle of its body causes no error in the log", async () => {
    for (let index = 0; index < 5; index++) {
      const client = await connect();
      client.socket.write(`${post(1_000)}{"amount":`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      client.socket.resetAndDestroy();
      await client.ended;
    }
    expect((await fetch(`${url}/chains`)).status).to.equal(200);
  });

  for (const [name, answer] of [
    ["at once", () => new Response("x".repeat(large))],
    ["piece by piece", () => new Response(new Blob(["x".repeat(large)]).stream())],
  ] as const) {
    it(`a client that does not read, or sips, a large answer sent ${name} is disconnected`, async () => {
      const server = await listen(answer, {
        hostname: "127.0.0.1",
        limits: { answerMs, lookMs: clientLimits.lookMs },
        port: 0,
        upgrades: { close: async () => {}, upgrade: (_, socket) => socket.destroy() },
      });
      try {
        const reading = await connectRaw(server.url);
        open.push(reading);
        reading.socket.write(get("/").replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
        await reading.ended;
        expect(reading.received()).to.have.length.greaterThan(large);

        const [never, sipping] = await Promise.all([
          connectRaw(server.url, { reads: false }),
          connectRaw(server.url, { reads: false }),
        ]);
        open.push(never, sipping);
        const sips = setInterval(() => sipping.socket.read(16), 50);
        sipping.socket.once("close", () => clearInterval(sips));
        for (const { socket } of [never, sipping]) socket.write(get("/"));
        await new Promise((resolve) => setTimeout(resolve, 2 * answerMs));
        clearInterval(sips);
        // The rest is data in the system's buffers at the time of the disconnection.
        for (const client of [never, sipping]) {
          let read = 0;
          client.socket.on("data", (chunk: Buffer) => {
            read += chunk.byteLength;
          });
          client.socket.resume();
          await client.ended;
          expect(read).to.be.lessThan(large / 2);
        }
      } finally {
        await server.close();
      }
    });
  }

  it("a client can wait for an answer longer than the client limits", async () => {
    await fixture.emulator.control.faults.add({ delayMs: 1_500, kind: "route-slow", path: "/chains" });
    const answer = await fetch(`${url}/chains`);
    expect(answer.status).to.equal(200);
    expect(await answer.json()).to.have.keys("chains");
  });

  it("closes idle kept connections, and serves many requests on a used one", async () => {
    const idle = await connect();
    idle.socket.write(get("/chains"));
    await cutWithin(idle, clientLimits.idleMs);
    const used = await connect();
    for (let index = 0; index < 6; index++) {
      used.socket.write(get("/intents/status/v3?requestId=0x00"));
      await new Promise((resolve) => setTimeout(resolve, clientLimits.idleMs / 3));
    }
    expect(used.received().match(/HTTP\/1\.1 4\d\d /g)).to.have.length(6);
  });

  it("serves others while 500 slow clients are connected, and disconnects those soon", async function () {
    this.timeout(30_000);
    const slow = await Promise.all(
      Array.from({ length: 500 }, async (_, index) => {
        const client = await connect({ reads: index % 5 !== 0 });
        if (index % 5 === 0) client.socket.write(get("/chains").repeat(20));
        if (index % 5 === 1) client.socket.write("GET /cha");
        if (index % 5 === 2) client.socket.write(`${post(5_000)}{`);
        if (index % 5 === 3) client.socket.write(get("/chains"));
        return client;
      }),
    );
    const user = fixture.alpha.wallet(0).account.address;
    const body = JSON.stringify({
      amount: "1000000000000000000",
      destinationChainId: fixture.beta.info.id,
      destinationCurrency: zeroAddress,
      originChainId: fixture.alpha.info.id,
      originCurrency: zeroAddress,
      recipient: user,
      tradeType: "EXACT_INPUT",
      user,
    });
    for (let index = 0; index < 20; index++) {
      const begin = performance.now();
      const answer = await fetch(`${url}/quote/v2`, { body, method: "POST" });
      expect(answer.status).to.equal(200);
      await answer.arrayBuffer();
      expect(performance.now() - begin).to.be.lessThan(slack);
    }
    for (const { socket } of slow) socket.resume();
    for (const { ended } of slow) {
      expect(await ended).to.be.lessThan(clientLimits.requestMs + clientLimits.idleMs + 2 * slack);
    }
  });

  it("oversized headers and data that is not HTTP get a 4xx and the end of the connection", async () => {
    for (const [text, status] of [
      [`GET /chains HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(64 * 1024)}\r\n\r\n`, 431],
      ["\u0000\u0001\u0002\r\n\r\n", 400],
      ["GET /chains HTTP/9.9\r\n\r\n", 400],
      ["GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400],
    ] as const) {
      const client = await connect();
      client.socket.write(text);
      expect(await client.ended).to.be.lessThan(slack);
      expect(client.received(), text.slice(0, 30)).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
    }
  });
});
