import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { expect } from "chai";
import { boundedFetch } from "../../../../cli/settings/openNode.ts";
import { failureOf } from "../../../helpers/failureOf.ts";

describe("boundedFetch", () => {
  let server: Server;
  let url: string;
  let isOpen = true;
  before(async () => {
    server = createServer((request, response) => {
      if (request.url === "/short") {
        response.writeHead(500, { "x-node": "1" }).end("short");
        return;
      }
      response.on("close", () => {
        isOpen = false;
      });
      const chunk = Buffer.alloc(1_048_576, "x");
      const write = () => {
        while (isOpen && response.write(chunk));
      };
      response.on("drain", write);
      write();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    url = `http://127.0.0.1:${address.port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it("a short answer: keeps status, headers and body", async () => {
    const answer = await boundedFetch(`${url}/short`);
    expect([answer.status, answer.headers.get("x-node"), await answer.text()]).to.deep.equal([
      500,
      "1",
      "short",
    ]);
  });

  it("a body without end: fails above 32 mebibytes, and the connection is closed", async () => {
    const failure = await failureOf(boundedFetch(`${url}/endless`).then((answer) => answer.text()));
    expect(String(failure)).to.include("an answer above 33554432 bytes");
    for (let left = 200; isOpen && left > 0; left--) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(isOpen).to.equal(false);
  }).timeout(20_000);
});
