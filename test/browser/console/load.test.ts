import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { seedRequests } from "../../../bench/requests/seedRequests.ts";
import { openStore } from "../../../emulator/store/openStore.ts";
import { getQuote } from "../../../src/client/index.ts";
import { type EmulatorFixture, startFixture } from "../../helpers/emulatorFixture.ts";
import { bridgeIntent } from "../../helpers/quotes/bridgeIntent.ts";
import { openBrowser, openView } from "./openConsole.ts";

const requestCount = 100_000;
const updatesPerSecond = 50;
const seconds = 8;
const longestBlockMs = 100;
/** Other work of a busy machine blocks any page: the best of so many windows counts. */
const mostWindows = 3;

/** The longest task of the page while it stays at the top, then scrolls, in milliseconds; 0 if all are below 50. */
async function longestTask(page: Page): Promise<number> {
  await page.evaluate(() => {
    const state = globalThis as unknown as { blocks: number[] | undefined };
    if (state.blocks === undefined) {
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) state.blocks?.push(duration);
      }).observe({ type: "longtask" });
    }
    state.blocks = [];
  });
  await page.waitForTimeout((seconds * 1_000) / 2);
  const end = Date.now() + (seconds * 1_000) / 2;
  while (Date.now() < end) {
    await page.mouse.wheel(0, 1_500);
    await page.waitForTimeout(50);
  }
  return page.evaluate(() => Math.max(0, ...(globalThis as unknown as { blocks: number[] }).blocks));
}

describe("the console under load", function () {
  this.timeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), "waybill-console-"));
  const database = join(folder, "load.db");
  let fixture: EmulatorFixture;
  before("store requests", async () => {
    const { close, store } = await openStore(database, { log: () => undefined });
    await seedRequests(store, requestCount);
    await close();
    fixture = await startFixture({ database });
  });
  after(async () => {
    await fixture?.stop();
    rmSync(folder, { force: true, recursive: true });
  });

  it("100,000 requests and 50 updates a second: the main thread is never blocked over 100 ms, and the list scrolls", async () => {
    const browser = await openBrowser(new URL(fixture.emulator.info.consoleUrl).origin);
    const page = await openView(await browser.context(), fixture.emulator.info, "/requests");
    await page.getByText(`${requestCount.toLocaleString("en")} requests`).waitFor();
    const updates = setInterval(() => {
      void getQuote(fixture.client, bridgeIntent(fixture)).catch(() => undefined);
    }, 1_000 / updatesPerSecond);
    const list = page.locator(".window");
    const before = await list.evaluate((element) => element.scrollHeight);
    await list.hover();
    const longest: number[] = [];
    while (longest.length < mostWindows && !longest.some((blocked) => blocked <= longestBlockMs)) {
      await list.evaluate((element) => element.scrollTo({ top: 0 }));
      longest.push(await longestTask(page));
    }
    clearInterval(updates);
    expect(await list.evaluate((element) => element.scrollHeight)).to.be.greaterThan(before);
    expect(await page.locator(".window li").count()).to.be.lessThan(100);
    expect(Math.min(...longest)).to.be.at.most(longestBlockMs);
    await page.getByRole("button", { name: /new$/ }).click();
    await list.getByText("quoted").first().waitFor();
    expect(browser.troubles).to.deep.equal([]);
    await browser.close();
  });
});
