import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { AxeResults } from "axe-core";
import { expect } from "chai";
import { type Browser, chromium, type Page } from "playwright-core";
import { root, runTool } from "../../../scripts/checks/runTool.ts";
import { findUnsearchable } from "../../../scripts/site/checkSearch.ts";
import { findChromium } from "../../../scripts/test/findChromium.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const site = join(root, "cache", "site");
const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
};

describe("the documentation site in Chromium", () => {
  let browser: Browser;
  let server: Server;
  let url: string;
  /** Errors of the page, and requests to other hosts. */
  let troubles: string[];

  before("build and serve the site, open a browser", async function () {
    this.timeout(300_000);
    await import("../../../scripts/site/writeApi.ts");
    const built = await runTool(join("vitepress", "bin", "vitepress.js"), ["build", "docs"]);
    if (!built.ok) throw new Error(built.output);
    server = createServer((request, response) => {
      const path = join(
        site,
        new URL(request.url ?? "/", "http://site").pathname.replace(/\/$/, "/index.html"),
      );
      const isThere = path.startsWith(site) && existsSync(path);
      response.writeHead(isThere ? 200 : 404, {
        "content-type": types[extname(path)] ?? "application/octet-stream",
      });
      response.end(isThere ? readFileSync(path) : "");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({
      // Chromium refuses to run its sandbox for root.
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
      executablePath: findChromium(),
    });
  });
  after("close the browser and the server", async () => {
    await browser?.close();
    server?.close();
  });
  beforeEach(() => {
    troubles = [];
  });
  afterEach(() => expect(troubles).to.deep.equal([]));

  async function open(path: string, colorScheme: "dark" | "light" = "light", width = 1280): Promise<Page> {
    const page = await browser.newPage({ colorScheme, viewport: { height: 900, width } });
    page.on("request", (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith("data:"))
        troubles.push(`requested ${request.url()}`);
    });
    page.on("pageerror", (error) => troubles.push(error.stack ?? error.message));
    await page.goto(`${url}/${path}`);
    await page.locator("h1").first().waitFor();
    return page;
  }

  for (const path of [
    "",
    "start/first-deposit.html",
    "how-to/pay.html",
    "reference/codes.html",
    "api/contracts/IPinnedReceiver.html",
    "explanation/architecture.html",
  ]) {
    for (const [scheme, width] of [
      ["light", 1280],
      ["dark", 1280],
      ["light", 390],
      ["dark", 390],
    ] as const) {
      it(`/${path} in ${scheme} colours at ${width} pixels: axe finds nothing, and nothing sticks out`, async () => {
        const page = await open(path, scheme, width);
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        const folder = process.env["SCREENSHOTS"];
        if (folder !== undefined)
          await page.screenshot({ path: `${folder}/${path.replaceAll("/", "-")}-${scheme}-${width}.png` });
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() =>
          (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
        );
        const found = violations.flatMap(({ id, nodes }) =>
          nodes.slice(0, 3).map(({ failureSummary, target }) => [id, target.join(" "), failureSummary]),
        );
        expect(found).to.deep.equal([]);
        expect(overflow).to.equal(0);
        await page.close();
      });
    }
  }

  it("the keyboard alone: the search opens, finds an export and leads to its heading", async () => {
    const page = await open("");
    await page.keyboard.press("Control+k");
    await page.locator(".VPLocalSearchBox input").waitFor();
    await page.keyboard.type("verifyQuote");
    await page.locator(".VPLocalSearchBox .result").first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/verifyquote/);
    await page.close();
  });

  it("the name of any export: is found among the first results of the search", async () => {
    expect(await findUnsearchable()).to.deep.equal([]);
  }).timeout(60_000);
});
