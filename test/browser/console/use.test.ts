import { expect } from "chai";
import type { BrowserContext, Page } from "playwright-core";
import { getStatus } from "../../../src/client/index.ts";
import { startFixture, useEmulator } from "../../helpers/emulatorFixture.ts";
import { quoteFor, requestIdOf } from "../../helpers/quotes/intents.ts";
import { deposit, orderIdOf, quoteOf } from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";
import { type ConsoleBrowser, openBrowser, openView } from "./openConsole.ts";

const markup = `"><img src=x onerror=alert(1)>`;

describe("the console in use", function () {
  this.timeout(60_000);
  let browser: ConsoleBrowser;
  let context: BrowserContext;
  after("close the browser", () => browser?.close());
  const fixture = useEmulator();
  before("open a browser", async () => {
    browser = await openBrowser(new URL(fixture.emulator.info.consoleUrl).origin);
  });
  beforeEach("open a context", async () => {
    context = await browser.context();
  });
  afterEach("close the context", async () => {
    await context.close();
    expect(browser.troubles.splice(0)).to.deep.equal([]);
  });

  const open = (address: string) => openView(context, fixture.emulator.info, address);
  const rowOf = (page: Page, id: string) => page.locator(`li:has(a[href="#/requests/${id}"])`);
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.getAttribute("href") ?? document.activeElement?.tagName);

  it("a new request and its statuses: show without a reload", async () => {
    const page = await open("/requests");
    await page.getByText("live", { exact: true }).waitFor();
    const quote = await quoteOf(fixture);
    const id = requestIdOf(quote);
    await rowOf(page, id).getByText("waiting").waitFor();
    await deposit(fixture, orderIdOf(quote));
    await rowOf(page, id).getByText("success").waitFor();
    const row = await rowOf(page, id).textContent();
    expect(row).to.include("1 ETH on Alpha").and.not.include("quoted");
  });

  it("the keyboard alone: finds a request, opens it, adds a fault and returns", async () => {
    const first = requestIdOf(await quoteFor(fixture, { from: "ETH", to: "ETH" }));
    const second = requestIdOf(await quoteFor(fixture, { from: "ETH", to: "ETH" }));
    const page = await open("/requests");
    await rowOf(page, second).waitFor();
    const { keyboard } = page;
    await keyboard.press("/");
    expect(await focused(page)).to.equal("INPUT");
    await keyboard.press("Escape");
    await rowOf(page, second).locator("a").focus();
    await keyboard.press("ArrowDown");
    expect(await focused(page)).to.equal(`#/requests/${first}`);
    await keyboard.press("c");
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal(first);
    await keyboard.press("k");
    expect(await focused(page)).to.equal(`#/requests/${second}`);
    await keyboard.press("Enter");
    await page.getByText("The solver signed exactly").waitFor();
    expect(await focused(page)).to.equal("H1");
    for (let presses = 0; presses < 60; presses++) {
      await keyboard.press("Tab");
      if ((await page.evaluate(() => document.activeElement?.textContent)) === "Refund in place of the fill")
        break;
    }
    await keyboard.press("Enter");
    await page.getByText("Its deposit will be refunded.").waitFor();
    expect(fixture.emulator.control.faults.list()).to.have.length(1);
    await fixture.emulator.control.faults.clear();
    await page.goBack();
    await rowOf(page, second).waitFor();
  });

  it("a reset: happens at the second press, and not if the first one is left", async () => {
    const id = requestIdOf(await quoteFor(fixture, { from: "ETH", to: "ETH" }));
    const page = await open("/control");
    const reset = page.getByRole("button", { name: "Reset everything" });
    await reset.click();
    await page.getByText("Press again to do it.").waitFor();
    await reset.blur();
    await reset.click();
    await page.getByText("Press again to do it.").waitFor();
    const list = await open("/requests");
    await rowOf(list, id).waitFor();
    await reset.click();
    await page.getByText("The emulator is as at its start.").waitFor();
    await rowOf(list, id).waitFor({ state: "detached" });
  });

  it("a filter and a search: stand in the address, which another tab shows", async () => {
    const quote = await quoteOf(fixture);
    await deposit(fixture, orderIdOf(quote));
    await reached(fixture.emulator, requestIdOf(quote), "success");
    const waiting = requestIdOf(await quoteFor(fixture, { from: "ETH", to: "ETH" }));
    const page = await open("/requests");
    await page.getByRole("button", { name: /^success/ }).click();
    await page.getByLabel("Request, wallet").fill(requestIdOf(quote));
    await page.waitForURL(({ hash }) => hash.includes(requestIdOf(quote)));
    await page.getByText("1 request,").waitFor();
    const address = new URL(page.url()).hash;
    expect(address).to.include("status=success").and.include(requestIdOf(quote));
    const other = await open(address.slice(1));
    await other.getByText("1 request,").waitFor();
    await rowOf(other, requestIdOf(quote)).waitFor();
    expect(await rowOf(other, waiting).count()).to.equal(0);
  });

  it("the admin key: leaves the address at once, and is stored for this tab and origin alone", async () => {
    const { adminKey, consoleUrl } = fixture.emulator.info;
    const asked: string[] = [];
    context.on("request", (request) => {
      const key = request.headers()["x-admin-key"];
      asked.push(request.url());
      if (key !== undefined) expect(new URL(request.url()).pathname).to.match(/^\/admin\//);
    });
    const page = await open("/requests");
    await page.getByText("live", { exact: true }).waitFor();
    expect(page.url()).to.equal(`${consoleUrl}#/requests`);
    expect(asked.join()).to.not.include(adminKey);
    const stored = await page.evaluate(() => [JSON.stringify(localStorage), document.cookie]);
    expect(stored).to.deep.equal(["{}", ""]);
    await page.goBack();
    expect(page.url()).to.not.include(adminKey);
    const other = await context.newPage();
    await other.goto(consoleUrl);
    await other.getByRole("heading", { name: "Admin key" }).waitFor();
    await other.getByLabel("Admin key", { exact: true }).last().fill(adminKey);
    await other.keyboard.press("Enter");
    await other.getByText("live", { exact: true }).waitFor();
    await other.getByRole("button", { name: "Lock" }).click();
    await other.getByRole("heading", { name: "Admin key" }).waitFor();
    expect(await other.evaluate(() => JSON.stringify(sessionStorage))).to.equal("{}");
  });

  it("a wrong admin key: is asked for again, and forgotten", async () => {
    const page = await openView(context, { ...fixture.emulator.info, adminKey: "wrong" }, "/requests");
    await page.getByRole("heading", { name: "Admin key" }).waitFor();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).to.equal("{}");
  });

  it("the address of the chain's explorer: opens the transaction without a key", async () => {
    const quote = await quoteOf(fixture);
    const hash = await deposit(fixture, orderIdOf(quote));
    const page = await context.newPage();
    await page.goto(`${fixture.emulator.info.apiUrl}/explorer/${fixture.alpha.info.id}/tx/${hash}`);
    await page.getByText("depositNative").first().waitFor();
    expect(page.url()).to.match(/\/console#\/chains\/\d+\/tx\/0x/);
  });

  it("a filled request: shows the calls inside its transactions, and balances of its accounts", async () => {
    const quote = await quoteOf(fixture, { destinationCurrency: fixture.beta.currency("USDT") });
    await deposit(fixture, orderIdOf(quote));
    await reached(fixture.emulator, requestIdOf(quote), "success");
    const page = await open(`/requests/${requestIdOf(quote)}`);
    const fill = page.locator("article", { has: page.getByRole("heading", { name: "Fill" }) });
    await fill.locator(".trace summary", { hasText: "swapExactETHForTokens" }).click();
    await fill.locator(".trace").getByText("amountOutMin").waitFor();
    await fill.locator(".trace summary", { hasText: "transfer" }).first().waitFor();
    await fill
      .getByRole("row", { name: /recipient/ })
      .first()
      .waitFor();
    await context.route("**/explorer/*/tx/*", async (route) => {
      const found = await (await route.fetch()).json();
      await route.fulfill({ json: { ...found, trace: null } });
    });
    await page.reload();
    await fill.getByText("gives no trace").waitFor();
    await fill.locator(".decoded").getByText("amountOutMin").first().waitFor();
  });

  it("the API's calls of a request: stand in the timeline, with bodies and answers", async () => {
    const id = requestIdOf(await quoteFor(fixture, { from: "ETH", referrer: "shop", to: "ETH" }));
    for (let polls = 0; polls < 3; polls++) await getStatus(fixture.client, { requestId: id });
    const page = await open(`/requests/${id}`);
    const item = (text: string) => page.locator(".timeline > li", { hasText: text });
    await item("GET /intents/status/v3").getByText("3 times").waitFor();
    await item("POST /quote/v2").getByText("Body and answer").click();
    await item("POST /quote/v2").getByText('"referrer": "shop"').first().waitFor();
    await page.getByRole("button", { exact: true, name: "API" }).click();
    expect(await item("POST /quote/v2").count()).to.equal(0);
  });

  it("a referrer, a key's name, a token and a webhook's answer with markup: show as text", async () => {
    await fixture.emulator.control.keys.create({ name: markup });
    const quote = await quoteFor(fixture, { from: "ETH", referrer: markup, to: "ETH" });
    const id = requestIdOf(quote);
    await context.route("**/explorer/**", async (route) => {
      const text = await (await route.fetch()).text();
      await route.fulfill({ body: text.replaceAll('"symbol":"ETH"', `"symbol":${JSON.stringify(markup)}`) });
    });
    await context.route("**/admin/requests?**", async (route) => {
      const text = await (await route.fetch()).text();
      await route.fulfill({ body: text.replaceAll('"symbol":"ETH"', `"symbol":${JSON.stringify(markup)}`) });
    });
    for (const address of ["/requests", `/requests/${id}`, "/keys", `/chains/${fixture.alpha.info.id}`]) {
      const page = await open(address);
      await page.getByText("<img src=x").first().waitFor();
      expect(await page.locator("img").count(), address).to.equal(0);
    }
  });

  it("an emulator that stops and starts over an empty database: is told, and shown once it is back", async () => {
    const seed = "console";
    const first = await startFixture({ seed });
    const id = requestIdOf(await quoteFor(first, { from: "ETH", to: "ETH" }));
    const browser = await openBrowser(new URL(first.emulator.info.consoleUrl).origin);
    const page = await openView(await browser.context(), first.emulator.info, "/requests");
    await rowOf(page, id).waitFor();
    await first.stop();
    await page.getByText("connecting", { exact: true }).waitFor();
    const second = await startFixture({ port: Number(new URL(first.emulator.info.apiUrl).port), seed });
    await page.getByText("There are no requests yet").waitFor({ timeout: 20_000 });
    const other = requestIdOf(await quoteFor(second, { from: "USDC", to: "USDC" }));
    await rowOf(page, other).waitFor();
    await browser.close();
    await second.stop();
  });
});
