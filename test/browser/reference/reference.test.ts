import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { expect } from "chai";
import { type Browser, chromium, type Page } from "playwright-core";
import { findChromium } from "../../../scripts/test/findChromium.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe("the API reference in Chromium", () => {
  const fixture = useEmulator();
  let browser: Browser;
  /** Errors of the page, violations of its policy, and requests to other hosts. */
  let troubles: string[];

  before("open a browser", async () => {
    browser = await chromium.launch({
      // Chromium refuses to run its sandbox for root.
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
      executablePath: findChromium(),
    });
  });
  after("close the browser", () => browser?.close());
  beforeEach(() => {
    troubles = [];
  });
  afterEach(() => expect(troubles).to.deep.equal([]));

  async function openReference(colorScheme: "dark" | "light" = "light", width = 1280): Promise<Page> {
    const { apiUrl } = fixture.emulator.info;
    const page = await browser.newPage({ colorScheme, viewport: { height: 900, width } });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(apiUrl) && !url.startsWith("data:")) troubles.push(`requested ${url}`);
    });
    page.on("console", (message) => {
      // A violation of the policy is reported as an error.
      if (message.type() === "error") troubles.push(message.text());
    });
    page.on("pageerror", (error) => troubles.push(error.stack ?? error.message));
    await page.goto(`${apiUrl}/docs`);
    await page.locator(".opblock").first().waitFor();
    return page;
  }

  const search = (page: Page, phrase: string) => page.getByPlaceholder("Search by path").fill(phrase);
  const shownPaths = (page: Page) => page.locator(".opblock-summary-path").allTextContents();

  it("search by path, summary or operation id: shows the matching operations", async () => {
    const page = await openReference();
    expect((await shownPaths(page)).length).to.be.greaterThan(60);
    for (const [phrase, path] of [
      ["fast-fill", "/fast-fill"],
      ["prices an intent", "/quote/v2"],
      ["takesnapshot", "/admin/snapshots"],
    ] as const) {
      await search(page, phrase);
      await page.locator(".opblock", { hasText: path }).first().waitFor();
      await page.waitForFunction(() => document.querySelectorAll(".opblock").length < 5);
    }
    await page.close();
  });

  it("the example of a quote, sent as it stands: the emulator answers with steps", async () => {
    const page = await openReference();
    await search(page, "getQuote");
    await page.locator("#operations-Quotes-getQuote .opblock-summary-control").click();
    const answered = page.waitForResponse((answer) => answer.url().endsWith("/quote/v2"));
    await page.locator("#operations-Quotes-getQuote .execute").click();
    const answer = await answered;
    expect(answer.status()).to.equal(200);
    const { steps } = (await answer.json()) as { readonly steps: readonly { readonly requestId: string }[] };
    const shown = page.locator("#operations-Quotes-getQuote .live-responses-table .highlight-code").first();
    expect(await shown.textContent()).to.include(steps[0]?.requestId);
    await page.close();
  });

  for (const [scheme, width] of [
    ["light", 1280],
    ["dark", 1280],
    ["light", 390],
    ["dark", 390],
  ] as const) {
    it(`an answered operation and an open one in ${scheme} colours at ${width} pixels: axe finds nothing, and nothing sticks out`, async () => {
      const page = await openReference(scheme, width);
      await page.locator("#operations-Requests-getRequests .opblock-summary-control").click();
      await page.locator("#operations-Quotes-getQuote .opblock-summary-control").click();
      await page.locator("#operations-Quotes-getQuote .execute").click();
      await page.locator(".live-responses-table").waitFor();
      const outside = await page.evaluate(() =>
        [...document.querySelectorAll(".opblock")].flatMap((block) => {
          const edge = block.getBoundingClientRect().right + 1;
          return [...block.querySelectorAll("*")]
            .filter((each) => each.closest("pre") === null && each.getBoundingClientRect().right > edge)
            .map(({ className, tagName }) => `${tagName} ${className}`);
        }),
      );
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
      );
      const found = violations.flatMap(({ id, nodes }) =>
        nodes.slice(0, 3).map(({ failureSummary, target }) => [id, target.join(" "), failureSummary]),
      );
      const folder = process.env["SCREENSHOTS"];
      if (folder !== undefined)
        await page.screenshot({ fullPage: true, path: `${folder}/${scheme}-${width}.png` });
      expect(found).to.deep.equal([]);
      expect(outside).to.deep.equal([]);
      await page.close();
    });
  }
});
