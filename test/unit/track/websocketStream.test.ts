import { inspect } from "node:util";
import { expect } from "chai";
import * as fc from "fast-check";
import { waitForRequest } from "../../../src/track/waitForRequest.ts";
import { websocketStream } from "../../../src/track/websocketStream.ts";
import { json, rejectionOf } from "../client/support/fakeService.ts";
import { requestId } from "../client/support/samples.ts";
import { type FakeStream, fakeStream, playFriendly, update } from "./support/fakeStream.ts";

const apiKey = "secret-key-0123456789";

/** URL of a client's connection. */
async function addressOf(
  fake: FakeStream,
  parameters: Parameters<typeof websocketStream>[0] = {},
): Promise<string | undefined> {
  const stream = websocketStream({ ...parameters, WebSocket: fake.WebSocket });
  fake.become(6_000, "success");
  await fake.clock.run(waitForRequest(fake.client, { requestId, stream }));
  return fake.sockets[0]?.url;
}

describe("websocketStream", () => {
  const production = "https://api.relay.link";
  const testnet = "https://api.testnets.relay.link";
  const own = "wss://stream.test/ws?a=1";
  const addresses: readonly [
    title: string,
    client: Parameters<typeof fakeStream>[1],
    stream: Parameters<typeof websocketStream>[0],
    address: string,
  ][] = [
    ["production", { apiKey, baseUrl: production }, {}, `wss://ws.relay.link/?apiKey=${apiKey}`],
    ["the testnets", { apiKey, baseUrl: testnet }, {}, `wss://ws.testnets.relay.link/?apiKey=${apiKey}`],
    ["production without a key", { baseUrl: production }, {}, "wss://ws.relay.link/"],
    ["another service", { apiKey }, { url: "wss://ws.relay.link" }, "wss://ws.relay.link/"],
    ["any service, given a key for the stream", { apiKey }, { apiKey: "b", url: own }, `${own}&apiKey=b`],
    ...["wss://ws.relay.link.evil.example/", "ws://ws.relay.link/", "wss://stream.example/ws"].map(
      (url): (typeof addresses)[number] => [
        "production, given another host",
        { apiKey, baseUrl: production },
        { url },
        url,
      ],
    ),
  ];
  for (const [title, client, stream, address] of addresses) {
    it(`connects a client of ${title} to ${address}`, async () => {
      expect(await addressOf(fakeStream(playFriendly, client), stream)).to.equal(address);
    });
  }

  it("keeps the key out of errors, whatever a socket reports of its address", async () => {
    const fake = fakeStream(undefined, { apiKey, baseUrl: "https://api.relay.link" });
    fake.answer = () => json({ message: "down" }, 503);
    class Leaky {
      constructor(url: string) {
        throw new SyntaxError(`cannot connect to ${url}`);
      }
    }
    const stream = websocketStream({ WebSocket: Leaky as never });
    const error = await rejectionOf(
      fake.clock.run(waitForRequest(fake.client, { requestId, stream, timeout: 20_000 })),
    );
    expect(error).to.have.property("code", "TIMEOUT");
    expect(inspect(error, { depth: 9, showHidden: true })).to.not.include(apiKey);
  });

  it("refuses addresses that are none, without repeating them", async () => {
    for (const url of ["", "ws.relay.link", "https://ws.relay.link", `wss://${apiKey}:x`, undefined]) {
      const error = await rejectionOf(addressOf(fakeStream(), { url }));
      expect(error, url).to.include({ code: "INVALID_PARAMETER", parameter: "url" });
      expect(String(error)).to.not.include(apiKey);
    }
    expect(() => websocketStream({ connectTimeout: 0 })).to.throw("connectTimeout");
  });

  it("comes to the right end whatever else a socket says", async () => {
    const noise = fc.oneof(
      fc.anything(),
      fc.string(),
      fc.json(),
      fc.record({ data: fc.anything(), event: fc.constant("request.status.updated"), type: fc.string() }),
      fc.record({
        data: fc.anything(),
        status: fc.string(),
        type: fc.constantFrom("connection", "subscribe"),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(noise, { maxLength: 20 }), async (frames) => {
        const fake = fakeStream((socket, place, clock) => {
          playFriendly(socket, place, clock);
          // Values are passed unchanged: a socket may deliver anything.
          for (const data of frames) clock.after(1_500, () => socket.onmessage?.({ data } as never));
          clock.after(2_000, () => socket.say(update("success", { txHashes: ["0xbad0"] })));
        });
        fake.become(2_000, "success", { txHashes: ["0x02"] });
        const stream = websocketStream({ url: "wss://stream.test", WebSocket: fake.WebSocket });
        const { status, txHashes } = await fake.clock.run(waitForRequest(fake.client, { requestId, stream }));
        expect([status, txHashes]).to.deep.equal(["success", ["0x02"]]);
      }),
      { numRuns: 150 },
    );
  }).timeout(20_000);
});
