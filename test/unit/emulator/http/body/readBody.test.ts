import { connect } from "node:net";
import { expect } from "chai";
import { Hono } from "hono";
import { readBody } from "../../../../../emulator/http/body/readBody.ts";
import { listen } from "../../../../../emulator/http/serving/listen.ts";
import { pause, until } from "../../support/waiting.ts";

/** The text of a body, or the name of the error. */
type Outcome = { readonly text: string } | { readonly error: string };

/** Runs with a server that pauses, then reads the body of `POST /`. */
async function withReader(
  pauseMs: number,
  run: (url: URL, outcomes: Outcome[]) => Promise<void>,
): Promise<void> {
  const outcomes: Outcome[] = [];
  const app = new Hono();
  app.post("/", async (http) => {
    await pause(pauseMs);
    try {
      outcomes.push({ text: await readBody(http) });
    } catch (error) {
      outcomes.push({ error: (error as Error).name });
    }
    return http.text("read");
  });
  const upgrades = { close: async () => {}, upgrade: () => {} };
  const server = await listen(app.fetch, { hostname: "127.0.0.1", port: 0, upgrades });
  try {
    await run(new URL(server.url), outcomes);
  } finally {
    await server.close();
  }
}

/** Sends the head of a request and pieces of its body, each in its own packet. */
async function send(url: URL, length: number, pieces: readonly Buffer[]) {
  const socket = connect(Number(url.port), url.hostname);
  socket.setNoDelay(true);
  socket.on("error", () => {});
  socket.write(`POST / HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: ${length}\r\n\r\n`);
  for (const piece of pieces) {
    await pause(20);
    socket.write(piece);
  }
  return socket;
}

describe("readBody", () => {
  it("a body in pieces of one byte: is joined, characters of several bytes included", async () => {
    await withReader(0, async (url, outcomes) => {
      const bytes = Buffer.from("é – 漢字 😀");
      const socket = await send(
        url,
        bytes.byteLength,
        [...bytes].map((byte) => Buffer.of(byte)),
      );
      await until(() => outcomes.length === 1);
      socket.destroy();
      expect(outcomes).to.deep.equal([{ text: "é – 漢字 😀" }]);
    });
  });

  it("a body that arrived before the read, and an empty one: are read", async () => {
    await withReader(50, async (url, outcomes) => {
      for (const body of ["whole", ""]) await fetch(url, { body, method: "POST" });
      expect(outcomes).to.deep.equal([{ text: "whole" }, { text: "" }]);
    });
  });

  for (const [name, pauseMs] of [
    ["during the read", 0],
    ["before the read", 100],
  ] as const) {
    it(`a client that disconnects ${name}: rejects with BodyAbortedError`, async () => {
      await withReader(pauseMs, async (url, outcomes) => {
        const socket = await send(url, 10, [Buffer.from("half")]);
        await pause(20);
        socket.destroy();
        await until(() => outcomes.length === 1);
        expect(outcomes).to.deep.equal([{ error: "BodyAbortedError" }]);
      });
    });
  }

  it("a body over the limit, read to its end or not: rejects with BodyTooLargeError", async () => {
    await withReader(0, async (url, outcomes) => {
      const megabytes = (count: number) => "x".repeat(count * 1024 * 1024);
      const answer = await fetch(url, { body: megabytes(1), method: "POST" });
      expect(await answer.text()).to.equal("read");
      await fetch(url, { body: megabytes(12), method: "POST" }).catch(() => undefined);
      await until(() => outcomes.length === 2);
      expect(outcomes).to.deep.equal([{ error: "BodyTooLargeError" }, { error: "BodyTooLargeError" }]);
    });
  });
});
