import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { findChromium } from "../../../scripts/test/findChromium.ts";

type Look = { readonly width?: number; readonly colorScheme?: "light" | "dark" };

/** A browser with the console of an emulator, and the troubles of its pages. */
export type ConsoleBrowser = {
  /** Opens a context, whose tabs share nothing but the browser. */
  context(look?: Look): Promise<BrowserContext>;
  /** Errors of pages, violations of the policy, and requests to other origins. */
  readonly troubles: string[];
  close(): Promise<void>;
};

/** Starts Chromium. Pages may ask the given origin alone. */
export async function openBrowser(origin: string): Promise<ConsoleBrowser> {
  const browser: Browser = await chromium.launch({
    // Chromium refuses to run its sandbox for root.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    executablePath: findChromium(),
  });
  const troubles: string[] = [];
  return {
    close: () => browser.close(),
    context: async ({ colorScheme = "light", width = 1_280 } = {}) => {
      const context = await browser.newContext({
        colorScheme,
        permissions: ["clipboard-read", "clipboard-write"],
        viewport: { height: 900, width },
      });
      await context.route("**/*", (route) => {
        const { origin: asked, protocol } = new URL(route.request().url());
        if (asked !== origin && protocol !== "data:") troubles.push(`asked ${asked}`);
        return route.continue();
      });
      context.on("weberror", (error) => troubles.push(`page error: ${error.error().stack ?? error.error()}`));
      context.on("console", (message) => {
        // Browsers log answers such as 404, which views expect.
        const isAnswer = message.text().startsWith("Failed to load resource");
        if (message.type() === "error" && !isAnswer) troubles.push(message.text());
      });
      return context;
    },
    troubles,
  };
}

/** Opens a view with the admin key, as the address of `waybill console` does. */
export async function openView(
  context: BrowserContext,
  { adminKey, consoleUrl }: { readonly adminKey: string; readonly consoleUrl: string },
  address: string,
): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${consoleUrl}#key=${adminKey}&to=${address}`);
  return page;
}
