import { expect } from "chai";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { connectRaw } from "../../helpers/network/rawClient.ts";

const post = (length: number) =>
  `POST /quote/v2 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

describe("the API and broken clients", () => {
  const errors: string[] = [];
  const fixture = useEmulator({
    log: ({ cause, level, message }) => {
      if (level === "error") errors.push(`${message} ${String(cause)}`);
    },
  });
  afterEach(() => expect(errors.splice(0)).to.deep.equal([]));

  it("a client that disconnects in the middle of its body causes no error in the log", async () => {
    for (let index = 0; index < 5; index++) {
      const client = await connectRaw(fixture.emulator.info.apiUrl);
      client.socket.write(`${post(1_000)}{"amount":`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      client.socket.resetAndDestroy();
      await client.ended;
    }
    expect((await fetch(`${fixture.emulator.info.apiUrl}/chains`)).status).to.equal(200);
  });

  it("oversized headers and data that is not HTTP get a 4xx and the end of the connection", async () => {
    for (const [text, status] of [
      [`GET /chains HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(64 * 1024)}\r\n\r\n`, 431],
      ["\u0000\u0001\u0002\r\n\r\n", 400],
      ["GET /chains HTTP/9.9\r\n\r\n", 400],
      ["GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400],
    ] as const) {
      const client = await connectRaw(fixture.emulator.info.apiUrl);
      client.socket.write(text);
      await client.ended;
      expect(client.received(), text.slice(0, 30)).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
    }
  });
});
