import { expect } from "chai";
import { getChains, getCurrencies } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { quoteOf } from "../../helpers/requests/failureStage.ts";

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

  it("pictures of unknown chains and currencies answer 404", async () => {
    const { apiUrl } = fixture.emulator.info;
    for (const path of ["chains/1", "chains/x", "currencies/none", "currencies/%3Cscript%3E", "other/eth"]) {
      expect((await fetch(`${apiUrl}/images/${path}`)).status, path).to.equal(404);
    }
  });
});
