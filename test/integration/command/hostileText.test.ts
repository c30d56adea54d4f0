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

  it("P10: quote and status: hostile fields forge no line and no colour; JSON stays exact", async () => {
    const evil = "x\nforged  row\u001b[8m\u202e\u200b\u2028";
    const amount = (chainId: number) => ({
      amount: "1000000",
      amountFormatted: evil,
      amountUsd: evil,
      currency: { address: `0x${"11".repeat(20)}`, chainId, decimals: 6, name: evil, symbol: evil },
    });
    const quote = {
      details: { currencyIn: amount(1), currencyOut: amount(2), rate: evil, recipient: evil, sender: evil },
      fees: { [evil]: amount(1) },
      steps: [{ action: evil, description: evil, id: evil, items: [], kind: "transaction" }],
    };
    const status = {
      details: evil,
      failReason: evil,
      inTxHashes: [evil],
      status: "failure",
      txHashes: [evil],
    };
    const currency = { ...amount(1).currency, symbol: "USDC" };
    answer = (path) => {
      const chainId = asked++ % 2 === 0 ? 1 : 2;
      const answers = { "/currencies/v2": [{ ...currency, chainId }], "/quote/v2": quote };
      return {
        body: JSON.stringify(Object.entries(answers).find(([route]) => path === route)?.[1] ?? status),
        status: 200,
      };
    };
    let asked = 0;
    const user = `0x${"22".repeat(20)}`;
    const ask = [
      "quote",
      "--from",
      "1:USDC",
      "--to",
      "2:USDC",
      "--amount",
      "1",
      "--user",
      user,
      "--url",
      url,
    ];
    for (const args of [ask, ["status", id, "--url", url]]) {
      asked = 0;
      const { err, out } = await runWaybill(args);
      expect(err).to.equal("");
      expect(out)
        .to.include("forged")
        .and.not.match(control)
        .and.not.match(/^forged/m);
      expect(out).to.not.match(/[\u200b\u2028]/);
      asked = 0;
      const { out: json } = await runWaybill([...args, "--json"]);
      expect(json)
        .to.not.match(control)
        .and.not.match(/[\u200b\u2028]/);
      const kept = JSON.parse(json) as typeof quote & typeof status;
      expect(kept.details.recipient ?? kept.details).to.equal(evil);
    }
  }).timeout(60_000);

  it("P10: a message of 990,000 characters: one line of a few hundred, with the number left out", async () => {
    answer = () => ({ body: JSON.stringify({ message: "x".repeat(990_000) }), status: 400 });
    const { err } = await runWaybill(["status", id, "--url", url]);
    expect(err.length).to.be.lessThan(900);
    expect(err.trimEnd().split("\n")).to.have.length(1);
    expect(err).to.match(/more characters\)/);
  }).timeout(30_000);

  it("a URL with a key: is not in the output of --verbose", async () => {
    const secret = "s3cr3tkey";
    const args = ["status", id, "--url", `http://127.0.0.1:1/${secret}`, "--verbose"];
    const { err } = await runWaybill(args);
    expect(err.split("\n").slice(1).join("\n")).to.include("at ").and.not.include(secret);
  }).timeout(30_000);
});
