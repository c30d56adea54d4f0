import { expect } from "chai";
import { getChains, getCurrencies } from "../../../src/client/index.ts";
import { currenciesSchema } from "../../../src/schema/chain/currencies.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { carryOut, quoteFor } from "../../helpers/quotes/intents.ts";
import { quoteOf } from "../../helpers/requests/failureStage.ts";

describe("trending currencies", () => {
  const fixture = useEmulator();

  async function trending(query = "") {
    const answer = await fetch(`${fixture.emulator.info.apiUrl}/currencies/trending${query}`);
    expect(answer.status).to.equal(200);
    return currenciesSchema.parse(await answer.json());
  }

  async function posted(body?: object) {
    const answer = await fetch(`${fixture.emulator.info.apiUrl}/currencies/trending`, {
      ...(body !== undefined && { body: JSON.stringify(body) }),
      method: "POST",
    });
    expect(answer.status).to.equal(200);
    return currenciesSchema.parse(await answer.json());
  }

  it("lists every currency with the fields that the widget reads, by GET and by POST", async () => {
    const listed = await trending();
    expect(listed).to.have.length(8);
    const { beta } = fixture;
    const usdc = listed.find(({ chainId, symbol }) => chainId === beta.info.id && symbol === "USDC");
    expect(usdc).to.deep.equal({
      address: beta.currency("USDC").toLowerCase(),
      chainId: beta.info.id,
      decimals: 6,
      metadata: {
        isNative: false,
        logoURI: `${fixture.emulator.info.apiUrl}/images/currencies/usdc`,
        verified: true,
      },
      name: "USD Coin",
      symbol: "USDC",
      vmType: "evm",
    });
    expect(await posted()).to.deep.equal(listed);
    expect(await posted({})).to.deep.equal(listed);
  });

  it("orders currencies by filled requests that bought them, or by their dollars", async () => {
    for (const to of ["USDT", "USDT"] as const)
      await carryOut(fixture, await quoteFor(fixture, { from: "USDC", to }));
    await carryOut(fixture, await quoteFor(fixture, { amount: 1_000_000_000n, from: "USDC", to: "WETH" }));
    await quoteFor(fixture, { amount: 5_000_000_000n, from: "USDC", to: "USDC" });
    const names = (listed: readonly { symbol: string; chainId: number }[]) =>
      listed.slice(0, 2).map(({ chainId, symbol }) => [symbol, chainId]);
    const { id } = fixture.beta.info;
    expect(names(await trending())).to.deep.equal([
      ["USDT", id],
      ["WETH", id],
    ]);
    const byVolume = { sortBy: "relay24hBuyUsdVolume" };
    expect(names(await posted(byVolume))).to.deep.equal([
      ["WETH", id],
      ["USDT", id],
    ]);
    expect(names(await trending("?sortBy=coingecko6hTrending"))[0]).to.deep.equal([
      "ETH",
      fixture.alpha.info.id,
    ]);
  });
});

describe("pictures of chains and currencies", () => {
  const fixture = useEmulator();

  async function expectPicture(url: unknown): Promise<string> {
    expect(url)
      .to.be.a("string")
      .and.match(/^http:\/\/127\.0\.0\.1:/);
    const answer = await fetch(String(url));
    expect(answer.status, String(url)).to.equal(200);
    expect(answer.headers.get("content-type")).to.equal("image/svg+xml");
    expect(answer.headers.get("x-content-type-options")).to.equal("nosniff");
    expect(answer.headers.get("content-security-policy")).to.equal("default-src 'none'");
    const text = await answer.text();
    expect(text)
      .to.match(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*>/)
      .and.match(/<\/svg>$/);
    expect(text).to.not.match(/<script|\son\w+=|href=/i);
    return text;
  }

  // @spec chain/urls chain/featured-tokens
  it("each chain's picture is served at its URL, each a different one", async () => {
    const { chains } = await getChains(fixture.client);
    const pictures = new Set<string>();
    for (const { featuredTokens = [], iconUrl, logoUrl } of chains) {
      expect(logoUrl).to.equal(iconUrl);
      pictures.add(await expectPicture(iconUrl));
      for (const { metadata } of featuredTokens) pictures.add(await expectPicture(metadata?.logoURI));
    }
    expect(pictures.size).to.equal(5);
  });

  // @spec currency/metadata
  it("pictures of currencies are served at the URLs in currencies and quotes", async () => {
    for (const { metadata } of await getCurrencies(fixture.client)) await expectPicture(metadata?.logoURI);
    const { details } = await quoteOf(fixture);
    await expectPicture(details.currencyIn.currency.metadata?.logoURI);
  });
});
