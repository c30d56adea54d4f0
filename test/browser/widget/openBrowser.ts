import { expect } from "chai";
import { type Browser, chromium, type Page } from "playwright-core";
import { findChromium } from "../../../scripts/test/findChromium.ts";
import type { Report, Settings } from "./page/settings.ts";

/**
 * Hosts that the kit requests itself: names of exchanges, names of accounts, traces of reverted transactions. The kit works
 * without their answers.
 */
const optionalHosts: ReadonlySet<string> = new Set([
  "api.ensideas.com",
  "api.tenderly.co",
  "assets.relay.link",
]);
const loopback = "127.0.0.1";

/** A browser that reaches loopback only, with the troubles of its pages. */
export type TestBrowser = {
  /** Opens the widget's page. */
  open(url: string, settings: Settings): Promise<Page>;
  /** Errors of pages, unhandled rejections, refusals of local servers, and requests to unexpected hosts. */
  readonly troubles: readonly string[];
  close(): Promise<void>;
};

export async function openBrowser(): Promise<TestBrowser> {
  const browser: Browser = await chromium.launch({
    // Chromium refuses to run its sandbox for root.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    executablePath: findChromium(),
  });
  const context = await browser.newContext({
    permissions: ["clipboard-read", "clipboard-write"],
    viewport: { height: 900, width: 900 },
  });
  const troubles: string[] = [];
  await context.route("**/*", (route) => {
    const { hostname, protocol } = new URL(route.request().url());
    if (hostname === loopback || protocol === "data:") return route.continue();
    if (!optionalHosts.has(hostname)) troubles.push(`asked ${hostname}`);
    return route.abort();
  });
  context.on("weberror", (error) => troubles.push(`page error: ${error.error().stack ?? error.error()}`));
  context.on("response", (answer) => {
    if (answer.status() >= 400)
      troubles.push(`${answer.status()} ${answer.request().method()} ${answer.url()}`);
  });
  return {
    close: () => browser.close(),
    open: async (url, settings) => {
      const page = await context.newPage();
      await page.addInitScript((given) => {
        (globalThis as unknown as { settings: unknown }).settings = given;
      }, settings);
      await page.goto(url);
      return page;
    },
    troubles,
  };
}

/** Types an amount, on the input or the output side, and presses the button. */
export async function swap(page: Page, amount: string, side: "input" | "output"): Promise<void> {
  await page
    .locator("input")
    .nth(side === "input" ? 0 : 1)
    .fill(amount);
  await pressSwap(page);
}

/**
 * Presses the button once there is a quote. One event: a newer quote disables the button for a moment, and a mouse that was
 * pressed before that and released within it clicks nothing.
 */
export async function pressSwap(page: Page): Promise<void> {
  await page.locator('[data-testid="swap-button"]:not([disabled])').dispatchEvent("click");
}

/** Waits until the widget has reported an end. */
export async function reportOf(page: Page): Promise<Report> {
  const reports = await page
    .waitForFunction(
      () => {
        const { reports } = globalThis as unknown as { reports: Report[] };
        return reports.length > 0 ? reports : undefined;
      },
      undefined,
      { timeout: 60_000 },
    )
    .catch(async (cause: unknown) => {
      const text = await page.locator("body").textContent();
      throw new Error(`The widget reported no end. It shows:\n${text}`, { cause });
    });
  const [report] = (await reports.jsonValue()) ?? [];
  if (report === undefined) throw new Error("the widget reported nothing");
  return report;
}

/** Expects the explorer to have every transaction that the widget links to. */
export async function expectLinks(page: Page): Promise<void> {
  const links = page.locator(`a[href*="/explorer/"]`);
  await links.first().waitFor();
  for (const link of await links.all()) {
    const href = await link.getAttribute("href");
    const answer = await fetch(href ?? "");
    expect(answer.status, href ?? "").to.equal(200);
    expect(await answer.json()).to.include({ status: "success" });
  }
}
