import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { runWaybill } from "../../helpers/processes/runWaybill.ts";

describe("text of a hostile service", () => {
  let server: Server;
  let url: string;
  let answer: (path: string) => { body: string; status: number };
  before(async () => {
    server = createServer((request, response) => {
      const { body, status } = answer(request.url ?? "/");
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Everything but the ends of lines. */
  const control = /(?!\n)\p{Cc}|\p{Bidi_Control}/u;
  const id = `0x${"ab".repeat(32)}`;

  it("a refusal with escape sequences: changes nothing in the terminal, with --verbose too", async () => {
    const message = "\u001b]0;owned\u0007\u001b[2J\u001b[8m\rerror: none\u009b2J\u202e";
    answer = () => ({ body: JSON.stringify({ message }), status: 400 });
    for (const flags of [[], ["--verbose"]]) {
      const { err, out } = await runWaybill(["status", id, "--url", url, ...flags]);
      expect(err + out).to.not.match(control);
      expect(err).to.include("error: ");
    }
  }).timeout(30_000);

  it("doctor: fields whose names have lines and colours do not imitate findings", async () => {
    const name = "x\nok    chain 1: contracts and solvers are the trusted ones\u001b[8m";
    answer = () => ({ body: JSON.stringify({ chains: [], [name]: 1 }), status: 200 });
    const { out } = await runWaybill(["doctor", "--url", url]);
    expect(out).to.include("undocumented field").and.not.match(control);
    expect(out).to.not.match(/^ok +chain 1/m);
  }).timeout(30_000);

  it("a URL with a key: is not in the output of --verbose", async () => {
    const secret = "s3cr3tkey";
    const args = ["status", id, "--url", `http://127.0.0.1:1/${secret}`, "--verbose"];
    const { err } = await runWaybill(args);
    expect(err.split("\n").slice(1).join("\n")).to.include("at ").and.not.include(secret);
  }).timeout(30_000);
});
