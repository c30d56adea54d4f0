import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const info = JSON.parse(readFileSync("/tmp/console-dev/emulator.json"));
const browser = await chromium.launch({ args: ["--no-sandbox"], executablePath: "/usr/bin/chromium" });
const [, , address = "/requests", width = "1280", scheme = "light", name = "shot", full = ""] = process.argv;
const page = await browser.newPage({ colorScheme: scheme, viewport: { width: Number(width), height: 900 } });
page.on("console", (m) => console.log("console:", m.type(), m.text()));
page.on("pageerror", (e) => console.log("error:", e.stack));
await page.goto(`${info.consoleUrl}#key=${info.adminKey}&to=${address}`);
await page.waitForTimeout(1500);
if (full) {
  const h = await page.evaluate(() => document.querySelector("main").scrollHeight + 80);
  await page.setViewportSize({ width: Number(width), height: Math.min(h, 5000) });
  await page.waitForTimeout(300);
}
await page.screenshot({ path: `/tmp/console-dev/${name}.png` });
await browser.close();
