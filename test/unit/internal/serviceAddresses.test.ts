import { expect } from "chai";
import { createClient, createKeyProxy, production, testnet } from "../../../src/client/index.ts";
import { publicHosts } from "../../../src/client/internal/constants.ts";
import * as perps from "../../../src/perps/index.ts";
import { rejectionOf } from "../client/support/fakeService.ts";
import { user } from "../client/support/samples.ts";

const calls: string[] = [];
const fetch = async (url: string) => {
  calls.push(url);
  return Response.json({});
};

describe("an address that is not given", () => {
  beforeEach(() => calls.splice(0));

  it("is refused by createClient and createKeyProxy, which name both services and the emulator", () => {
    const acts = [
      () => createClient(undefined as never),
      () => createClient({} as never),
      () => createClient({ apiKey: "a-key-of-a-test", baseUrl: undefined as never }),
      () => createKeyProxy({ apiKey: "a-key-of-a-test", fetch } as never),
    ];
    for (const act of acts) {
      expect(act)
        .to.throw("`baseUrl` is invalid")
        .with.property("message")
        .which.includes("`production`")
        .and.includes("`testnet`")
        .and.includes("an emulator's `info.apiUrl`");
    }
  });

  it("is refused by the calls of the exchange before anything is sent", async () => {
    const balance = await rejectionOf(perps.getExchangeBalance({ fetch, user } as never));
    expect(balance).to.include({ code: "INVALID_PARAMETER", parameter: "url" });
    expect(balance).to.have.property("message").which.includes("`production.exchangeUrl`");
    expect(calls).to.deep.equal([]);
  });

  it("is refused by the types", () => {
    // @ts-expect-error: a client must name its service.
    expect(() => createClient()).to.throw("`baseUrl`");
    // @ts-expect-error: so does one with a key.
    expect(() => createClient({ apiKey: "a-key-of-a-test" })).to.throw("`baseUrl`");
    // @ts-expect-error: and a proxy.
    expect(() => createKeyProxy({ apiKey: "a-key-of-a-test" })).to.throw("`baseUrl`");
    // @ts-expect-error: and a call of the exchange.
    expect(perps.getExchangeBalance({ user }).catch(() => undefined)).to.be.a("promise");
    // @ts-expect-error: the service for test networks has no exchange.
    expect(testnet.exchangeUrl).to.equal(undefined);
  });
});

describe("production and testnet", () => {
  // @spec service/addresses
  it("are the public addresses, which nothing can change", () => {
    expect(createClient(production).baseUrl).to.equal("https://api.relay.link");
    expect(createClient({ ...testnet, apiKey: "a-key-of-a-test" }).baseUrl).to.equal(
      "https://api.testnets.relay.link",
    );
    expect(production).to.be.frozen.and.equal(perps.production);
    expect(testnet).to.be.frozen;
    expect([production, testnet].map(({ baseUrl }) => new URL(baseUrl).host)).to.deep.equal(publicHosts);
  });
});
