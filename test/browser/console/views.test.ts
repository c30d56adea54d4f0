import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { root } from "../../../scripts/checks/runTool.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { type ConsoleBrowser, openBrowser, openView } from "./openConsole.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const screenshots = join(import.meta.dirname, ".screenshots");

type Finding = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };

async function findingsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Finding[] }> } };
    return (await axe.run()).violations;
  });
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" ")}`);
}

/** Names of views, their addresses, and a text that shows once they are loaded. */
type View = readonly [name: string, address: string, text: string];

describe("the console's views", function () {
  this.timeout(120_000);
  let browser: ConsoleBrowser;
  let receiver: Server;
  after("close the browser", async () => {
    await browser?.close();
    receiver?.close();
  });
  const fixture = useEmulator({ perps: true, reorgs: true, svm: true });
  const views: View[] = [];

  before("bring about requests of every kind", async () => {
    const { control, info, scenarios, webhooks } = fixture.emulator;
    receiver = createServer((_, answer) => answer.writeHead(500).end("not today"));
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const { port } = receiver.address() as AddressInfo;
    const [key] = info.apiKeys;
    await webhooks.set(key?.id ?? "", { url: `http://127.0.0.1:${port}/` });
    const run = async (name: string) => {
      const result = await scenarios.run(name);
      if (result.kind !== "request") throw new Error(`${name} made no request`);
      return result;
    };
    const refunded = await run("refund/slippage");
    const called = await run("success/call");
    const own = await run("success/same-chain-swap");
    const failed = await run("failure/transaction-reverted");
    const waiting = await run("status/waiting");
    await control.faults.add({ failReason: "SLIPPAGE", kind: "fill-fails" });
    browser = await openBrowser(new URL(info.consoleUrl).origin);
    const { id } = fixture.alpha.info;
    views.push(
      ["requests", "/requests", "5 requests"],
      ["requests-none", "/requests?status=depositing", "No request matches"],
      ["request-refunded", `/requests/${refunded.requestId}`, "The solver signed exactly"],
      ["request-filled", `/requests/${called.requestId}`, "SolverNativeTransfer"],
      ["request-own", `/requests/${own.requestId}`, "The solver signed exactly"],
      ["request-failed", `/requests/${failed.requestId}`, "Transaction reverted"],
      ["request-waiting", `/requests/${waiting.requestId}`, "The solver signed exactly"],
      ["chains", "/chains", "Height"],
      ["chain", `/chains/${id}`, "pool USDC/USDT"],
      ["transaction", `/chains/${id}/tx/${refunded.depositTxHash}`, "depositErc20"],
      ["account", `/chains/${id}/address/${info.solver}`, "account without code"],
      ["search", `/search?term=${refunded.depositTxHash}`, "The transaction on Alpha"],
      ["solver", "/solver", "Pools of Beta"],
      ["scenarios", "/scenarios", "refund/slippage"],
      ["control", "/control", "fill-fails"],
      ["keys", "/keys", "not today"],
      ["nothing", "/nowhere", "no such view"],
    );
  });

  for (const width of [1_280, 390]) {
    for (const colorScheme of ["light", "dark"] as const) {
      it(`${colorScheme} at ${width} pixels: every view is accessible, fits, and keeps the policy`, async () => {
        const context = await browser.context({ colorScheme, width });
        for (const [name, address, text] of views) {
          const page = await openView(context, fixture.emulator.info, address);
          await page.getByText(text, { exact: false }).first().waitFor();
          await page.locator("p:visible", { hasText: "Loading…" }).first().waitFor({ state: "hidden" });
          expect(await findingsOf(page), `${name}: axe`).to.deep.equal([]);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          expect(wide, `${name}: overflow`).to.be.at.most(0);
          const height = await page.evaluate(() => (document.querySelector("main")?.scrollHeight ?? 0) + 120);
          await page.setViewportSize({ height: Math.min(Math.max(height, 900), 8_000), width });
          await page.screenshot({ path: join(screenshots, `${name}-${width}-${colorScheme}.png`) });
          await page.close();
        }
        await context.close();
        expect(browser.troubles).to.deep.equal([]);
      });
    }
  }

  it("the form for the admin key is accessible too", async () => {
    const context = await browser.context();
    const page = await context.newPage();
    await page.goto(fixture.emulator.info.consoleUrl);
    await page.getByRole("heading", { name: "Admin key" }).waitFor();
    expect(await findingsOf(page)).to.deep.equal([]);
    await page.screenshot({ path: join(screenshots, "key.png") });
    await context.close();
  });

  it("the files of the console: have at most 150,000 bytes, compressed", () => {
    const sizes = ["index.html", "app.js", "app.css"].map(
      (file) => gzipSync(readFileSync(join(root, "console", "dist", file))).length,
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.at.most(150_000);
  });
});
