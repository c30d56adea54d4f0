import { expect } from "chai";
import { type EmulatorFixture, startFixture } from "../../helpers/emulatorFixture.ts";
import { openBrowser, swap, type TestBrowser } from "./openBrowser.ts";
import { pageToken } from "./pageToken.ts";
import { servePage } from "./servePage.ts";

const accountIndex = 6;

describe("the page of examples/widget in Chromium", () => {
  let fixture: EmulatorFixture;
  let site: Awaited<ReturnType<typeof servePage>>;
  let browser: TestBrowser;
  before(async function () {
    this.timeout(120_000);
    // The widget's hooks read only the older listing.
    fixture = await startFixture({ requestsV2Sunset: "never" });
    site = await servePage("example.tsx", fixture.emulator.info.apiUrl);
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await site?.close();
    await fixture?.stop();
  });

  it("25 USDC, with a wallet that is connected by the widget's button: the reported output arrives to the unit", async () => {
    const { alpha, beta, emulator } = fixture;
    const account = alpha.wallet(accountIndex).account.address;
    const holdings = async () => [
      await alpha.balanceOf(alpha.currency("USDC"), account),
      await beta.balanceOf(beta.currency("USDC"), account),
    ];
    const [held = 0n, got = 0n] = await holdings();
    const page = await browser.open(site.url, {
      accountIndex,
      apiUrl: emulator.info.apiUrl,
      chains: emulator.info.chains.map(({ id, name, rpcUrl }) => ({ id, name, rpcUrl })),
      from: pageToken(fixture, ["alpha", "USDC"]),
      to: pageToken(fixture, ["beta", "USDC"]),
    });
    await page
      .getByRole("button", { name: /connect/i })
      .last()
      .click();
    await page.getByText("Connect a wallet").waitFor({ state: "detached" });
    await swap(page, "25", "input");
    // The widget's dialog hides the page from assistive technology, so a role does not find it.
    const text = await page.locator("p[role=status]", { hasText: /Received|Failed/ }).textContent();
    const [left = 0n, has = 0n] = await holdings();
    expect(text).to.equal(`Received ${has - got} units`);
    expect(held - left).to.equal(25_000_000n);
    expect(browser.troubles).to.deep.equal([]);
    await page.close();
  }).timeout(90_000);
});
