import { expect } from "chai";
import { createClient, getQuote, ResponseTooLargeError } from "../../../src/client/index.ts";
import { getExchangeBalance } from "../../../src/perps/index.ts";
import { type EndlessServer, startEndlessServer } from "./support/endlessServer.ts";
import { endpointCalls } from "./support/endpointCalls.ts";
import { fakeService, json, rejectionOf } from "./support/fakeService.ts";
import { intent, user } from "./support/samples.ts";

describe("every endpoint of the client", () => {
  for (const { answer, body, call, name, parameters, path, query = {}, safe } of endpointCalls) {
    // @spec endpoints/client signature/endpoint
    it(`${name} calls ${path} and returns the answer as it came`, async () => {
      const { calls, client } = fakeService([json(answer)]);
      expect(await call(client, parameters as never)).to.deep.equal(answer);
      expect(calls[0]).to.deep.include({ body, pathname: path, query });
      const type = body === undefined ? null : "application/json";
      expect(calls[0]?.headers.get("content-type")).to.equal(type);
      expect(calls[0]?.method).to.equal(body === undefined ? "GET" : "POST");
    });

    it(`${name} is ${safe ? "" : "never "}repeated after a 503`, async () => {
      const { calls, client } = fakeService([json({}, 503), json(answer)]);
      const work = call(client, parameters as never);
      if (safe) expect(await work).to.deep.equal(answer);
      else expect(await rejectionOf(work)).to.include({ retryable: false, status: 503 });
      expect(calls.map((each) => each.body)).to.deep.equal(safe ? [body, body] : [body]);
    });
  }
});

const limit = 262_144;

describe("an answer without an end", () => {
  const shapes = [
    { name: "a body that goes on for ever", parameters: {} },
    { name: "a body of a gigabyte", parameters: { contentLength: 2 ** 30 } },
    { name: "a small body that decompresses for ever", parameters: { gzip: true } },
    { name: "the body of an error that goes on for ever", parameters: { status: 500 } },
  ];
  for (const { name, parameters } of shapes) {
    describe(`such as ${name}`, () => {
      let server: EndlessServer;
      before(async () => {
        server = await startEndlessServer(parameters);
      });
      after(() => server.close());

      const expected = {
        code: "RESPONSE_TOO_LARGE",
        limit,
        retryable: false,
        status: parameters.status ?? 200,
      };

      for (const endpoint of endpointCalls) {
        it(`ends ${endpoint.name} with the limit and the way to raise it, and is let go`, async () => {
          const client = createClient({ baseUrl: server.url, maxResponseBytes: limit });
          const before = server.written();
          const error = await rejectionOf(endpoint.call(client, endpoint.parameters as never));
          expect(error).to.be.instanceOf(ResponseTooLargeError).and.include(expected);
          expect(String(error)).to.contain(`more than ${limit} bytes`).and.contain("`maxResponseBytes`");
          await server.quiet();
          // Allows for the buffers of sockets and compression, but for no second attempt.
          expect(server.written() - before).to.be.lessThan(limit + 32_000_000);
        });
      }

      it("ends calls of the exchange", async () => {
        const call = getExchangeBalance({ maxResponseBytes: limit, url: server.url, user });
        expect(await rejectionOf(call))
          .to.be.instanceOf(ResponseTooLargeError)
          .and.include(expected);
        await server.quiet();
      });
    });
  }

  it("of a quote is refused above 1,000,000 bytes, whatever more the client would read", async () => {
    const text = JSON.stringify(endpointCalls.find(({ name }) => name === "getQuote")?.answer);
    const answer = (spaces: number) => new Response(text + " ".repeat(spaces));
    const fits = 1_000_000 - text.length;
    expect(await getQuote(fakeService([answer(fits)]).client, intent)).to.have.property("steps");
    const error = await rejectionOf(getQuote(fakeService([answer(fits + 1)]).client, intent));
    expect(error).to.be.instanceOf(ResponseTooLargeError).and.include({ limit: 1_000_000 });
  });
});
