import { expect } from "chai";
import type { CreateKeyProxyParameters } from "../../../src/client/index.ts";
import { createClient, createKeyProxy, getAppFeeBalances, HttpError } from "../../../src/client/index.ts";
import { type EmulatorFixture, useEmulator } from "../../helpers/emulatorFixture.ts";
import { quickSleep } from "../../helpers/quickSleep.ts";
import { carryOut, quoteFor, type Wanted } from "../../helpers/quotes/intents.ts";
import { newSponsor } from "../../helpers/quotes/sponsors.ts";

describe("P2: the sponsor's balance behind a key proxy", () => {
  const fixture = useEmulator();
  const start = 1_000_000_000n;

  /** A sponsor with 1,000 dollars, the proxy of its app, and a visitor's client, which has no key. */
  async function stage(parameters?: CreateKeyProxyParameters["parameters"]) {
    const { id, key } = await newSponsor(fixture, start);
    const proxy = createKeyProxy({ apiKey: key, baseUrl: fixture.emulator.info.apiUrl, parameters });
    const client = createClient({
      baseUrl: "https://app.test",
      fetch: (url, init) => proxy(new Request(url, init)),
      sleep: quickSleep,
    });
    const { alpha, beta, emulator, stop } = fixture;
    const visitor: EmulatorFixture = { alpha, beta, client, emulator, stop };
    const spent = async () => start - ((await emulator.control.sponsors.get(id)) ?? 0n);
    return { proxy, spent, visitor };
  }

  const thief = "0x00000000000000000000000000000000000bad00";
  /** 1,000 dollars of which 250 go to the visitor, who pays nothing for them. */
  const theft: Wanted = {
    amount: 1_000_000_000n,
    appFees: [{ fee: "2500", recipient: thief }],
    from: "USDC",
    subsidizeFees: true,
    to: "USDC",
  };
  const earned = async () =>
    (await getAppFeeBalances(fixture.client, { wallet: thief })).totalBalanceUsd ?? 0;

  async function refusal(visitor: EmulatorFixture, wanted: Wanted): Promise<HttpError> {
    const reason = await quoteFor(visitor, wanted).catch((error: unknown) => error);
    expect(reason).to.be.instanceOf(HttpError);
    return reason as HttpError;
  }

  it("P2: default parameters: three quotes of 250 dollars for the visitor spend nothing", async () => {
    const { spent, visitor } = await stage();
    for (let i = 0; i < 3; i++) {
      const { details, errorCode, errorData, status } = await refusal(visitor, theft);
      expect({ errorCode, errorData, status }).to.deep.equal({
        errorCode: "PARAMETER_NOT_ALLOWED",
        errorData: { parameter: "appFees" },
        status: 403,
      });
      expect(details).to.include("`appFees`").and.include("`parameters` of createKeyProxy");
    }
    expect([await spent(), await earned()]).to.deep.equal([0n, 0]);
  });

  it("P2: an app that lists both parameters pays 750 dollars for three quotes: the attack is real", async () => {
    const { spent, visitor } = await stage({ appFees: true, subsidizeFees: true });
    const before = await earned();
    for (let i = 0; i < 3; i++) await carryOut(visitor, await quoteFor(visitor, theft));
    expect((await spent()) >= 750_000_000n).to.equal(true);
    expect((await earned()) - before).to.equal(750);
  }).timeout(30_000);

  it("P2: an honest quote of a visitor passes by default, and spends nothing of the sponsor's", async () => {
    const { spent, visitor } = await stage();
    await carryOut(visitor, await quoteFor(visitor, { from: "USDC", to: "USDC" }));
    expect(await spent()).to.equal(0n);
  }).timeout(30_000);

  it("P2: fixed values: the sponsor pays its cap at most, whatever the visitor asks for", async () => {
    const cap = 5_000n;
    const { spent, visitor } = await stage({
      appFees: { fixed: [] },
      maxSubsidizationAmount: { fixed: String(cap) },
      sponsoredFeeComponents: { fixed: ["execution"] },
      subsidizeFees: { fixed: true },
    });
    const before = await earned();
    await carryOut(visitor, await quoteFor(visitor, { ...theft, maxSubsidizationAmount: "999999999" }));
    await carryOut(visitor, await quoteFor(visitor, { from: "USDC", to: "USDC" }));
    expect([await spent(), await earned()]).to.deep.equal([2n * cap, before]);
  }).timeout(30_000);

  it("P2: every spelling of a spending parameter is refused, and the sponsor's balance stays", async () => {
    const { proxy, spent, visitor } = await stage();
    const quote = { amount: "1000000000", originChainId: fixture.alpha.info.id };
    const bodies = [
      '{"subsidizeFees":true}',
      '{"SubsidizeFees":true}',
      '{"subsidize_fees":true}',
      '{"subsidizeFees ":true}',
      '{"subsidizeFees":false,"subsidizeFees":true}',
      '{"__proto__":{"subsidizeFees":true}}',
      '{"constructor":{"prototype":{"subsidizeFees":true}}}',
      '{"user":{"subsidizeFees":true}}',
      '{"txs":[{"to":"0x00","subsidizeFees":true}]}',
      '{"txs":[[{"subsidizeFees":true}]]}',
      '{"additionalData":{"subsidizeFees":true}}',
      '{"executionOptions":{"subsidizeFees":true}}',
      '{"s\\u0075bsidizeFees":true}',
      '{"subsidizeFees[]":true}',
      '{"txs.subsidizeFees":true}',
      '{"sponsorshipOfTomorrow":true}',
      '{"fixedRate":"0"}',
      '{"subsidizeRent":true}',
    ];
    const post = async (path: string, body: string) =>
      (await proxy(new Request(`https://app.test${path}`, { body, method: "POST" }))).status;
    for (const body of bodies) {
      for (const path of ["/quote", "/quote/v2", "/price"]) {
        const whole = `${JSON.stringify(quote).slice(0, -1)},${body.slice(1)}`;
        expect(await post(path, whole), whole).to.equal(403);
      }
    }
    for (const body of ['[{"subsidizeFees":true}]', '"subsidizeFees"', "null", "x", `${"[".repeat(9_999)}`]) {
      expect(await post("/quote/v2", body), body).to.equal(400);
    }
    for (const query of ["subsidizeFees=true", "SUBSIDIZEFEES=1", "subsidizeFees%5B%5D=1", "apiKey=mine"]) {
      expect(await post(`/quote/v2?${query}`, JSON.stringify(quote)), query).to.equal(403);
    }
    expect(await post("/execute/permits?signature=0x", '{"kind":"claim"}')).to.equal(403);
    for (const path of ["/execute", "/fast-fill", `/app-fees/${thief}/claim`]) {
      expect(await post(path, "{}"), path).to.equal(404);
    }
    await carryOut(visitor, await quoteFor(visitor, { from: "USDC", to: "USDC" }));
    expect(await spent()).to.equal(0n);
  }).timeout(30_000);
});
